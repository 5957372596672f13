// One line of many, chosen from two lists; figures that choose do so together.

const choosers = [];

function takeLine(plot, chosen) {
  const wanted = chosen[0] * plot.spec.choose[1].length + chosen[1];
  plot.series.forEach((s, k) => {
    s.hidden = k !== wanted;
    plot.legend.children[k].hidden = s.hidden;
  });
  plot.selects.forEach((select, k) => {
    select.value = String(chosen[k]);
  });
  plot.draw();
}

function addChooser(plot) {
  plot.selects = plot.spec.choose.map((names, k) => {
    const select = element("select", { "aria-label": k ? "Output" : "Input" }, ...names.map((name, n) => element("option", { value: n }, name)));
    select.onchange = () => {
      const chosen = plot.selects.map((each) => Number(each.value));
      for (const each of choosers) takeLine(each, chosen);
    };
    return select;
  });
  plot.legend.before(element("p", { class: "choice" }, "From ", plot.selects[0], " to ", plot.selects[1]));
  choosers.push(plot);
  takeLine(plot, [0, 0]);
}
