// What pointer and keys do to a figure: point, drag to zoom, click to set the clock, and all of it by keys.

const CLICK = 5; // pixels a click may wander

function addHands(plot) {
  const { body } = plot;
  let began = null;
  const place = (event) => {
    const box = body.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const inside = (x) => Math.min(Math.max(x, plot.area.left), plot.area.right);

  body.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !plot.area) return;
    began = place(event);
    plot.box = null;
    if (event.pointerType === "mouse") body.setPointerCapture(event.pointerId);
  });
  body.addEventListener("pointermove", (event) => {
    if (!plot.area) return;
    const [x, y] = place(event);
    plot.pointed = plot.xScale.value(inside(x));
    plot.pointedAcross = plot.yScale.value(Math.min(Math.max(y, plot.area.top), plot.area.bottom));
    plot.read();
    if (began && event.pointerType === "mouse" && Math.abs(x - began[0]) > CLICK) drawBox(plot, began, [inside(x), y]);
  });
  body.addEventListener("pointerup", (event) => {
    if (!began) return;
    const [x, y] = place(event);
    if (plot.box) zoomInto(plot, plot.box);
    else if (Math.hypot(x - began[0], y - began[1]) <= CLICK && plot.spec.clock) {
      clock.pause();
      clock.set(plot.xScale.value(inside(x)));
    }
    began = null;
    plot.box = null;
  });
  body.addEventListener("pointercancel", () => {
    began = null;
  });
  body.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse" && !began) forgetPointer(plot);
  });
  body.addEventListener("dblclick", () => showAll(plot));
  body.addEventListener("blur", () => forgetPointer(plot));
  body.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey && pressed(plot, event.key, event.shiftKey)) event.preventDefault();
  });
}

function forgetPointer(plot) {
  plot.pointed = null;
  plot.pointedAcross = null;
  if (plot.root) plot.read();
}

// A wide, flat box zooms along x alone and lets y fit; any other zooms both.
function drawBox(plot, [x0, y0], [x1, y1]) {
  const { area } = plot;
  const flat = Math.abs(y1 - y0) < 24;
  const [top, bottom] = flat ? [area.top, area.bottom] : [Math.min(y0, y1), Math.max(y0, y1)];
  plot.box = { left: Math.min(x0, x1), right: Math.max(x0, x1), top: Math.max(top, area.top), bottom: Math.min(bottom, area.bottom), flat };
  plot.hand.append(svg("rect", { class: "box", x: plot.box.left, y: plot.box.top, width: plot.box.right - plot.box.left, height: Math.max(plot.box.bottom - plot.box.top, 1) }));
}

function zoomInto(plot, box) {
  const x = [plot.xScale.value(box.left), plot.xScale.value(box.right)];
  const y = box.flat ? null : [plot.yScale.value(box.bottom), plot.yScale.value(box.top)];
  zoomTo(plot, x, y);
}

// Figures over time are zoomed together along x.
function zoomTo(plot, x, y) {
  plot.view.y = y;
  for (const other of plot.spec.clock ? plots.filter((each) => each.spec && each.spec.clock) : [plot]) {
    other.view.x = x;
    if (other !== plot) other.view.y = null;
    if (other.root) other.draw();
    other.zoomed();
  }
}

function showAll(plot) {
  zoomTo(plot, null, null);
}

function zoomBy(plot, factor) {
  const { xScale } = plot;
  const middle = xScale.at(plot.readingAt() ?? xScale.value((xScale.from + xScale.to) / 2));
  const kept = Math.min(Math.max(middle, xScale.from), xScale.to);
  const ends = [xScale.from, xScale.to].map((pixel) => xScale.value(kept + (pixel - kept) * factor));
  const [low, high] = plot.reach("x", plot.series);
  if (ends[0] <= low && ends[1] >= high) showAll(plot);
  else zoomTo(plot, [Math.max(ends[0], low), Math.min(ends[1], high)], null);
}

// Does what the key asks for; false if it asks for nothing.
function pressed(plot, key, shift) {
  const { xScale, spec } = plot;
  const step = (xScale.to - xScale.from) / (shift ? 10 : 100);
  const at = plot.readingAt() ?? xScale.value((xScale.from + xScale.to) / 2);
  const moveTo = (pixel) => {
    plot.pointed = xScale.value(Math.min(Math.max(pixel, xScale.from), xScale.to));
    plot.read();
    const values = plot.series.map((s, k) => (plot.values[k].textContent ? `${s.name} ${plot.values[k].textContent}` : "")).filter(Boolean);
    plot.live.textContent = `${plot.where.textContent}: ${values.join(", ")}`;
  };
  const actions = {
    ArrowLeft: () => moveTo(xScale.at(at) - step),
    ArrowRight: () => moveTo(xScale.at(at) + step),
    Home: () => moveTo(xScale.from),
    End: () => moveTo(xScale.to),
    "+": () => zoomBy(plot, 0.6),
    "=": () => zoomBy(plot, 0.6),
    "-": () => zoomBy(plot, 1 / 0.6),
    0: () => showAll(plot),
    Escape: () => forgetPointer(plot),
    Enter: () => {
      if (spec.clock) clock.set(at);
    },
  };
  if (!(key in actions)) return false;
  actions[key]();
  return true;
}
