// The bar at the foot of the page that plays, pauses and moves the clock.

const SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

// One step of the finest frames there are.
function stepClock(by) {
  clock.pause();
  const times = arms.length ? arms[0].motion.times : null;
  if (!times) {
    clock.set(clock.time + (by * (clock.end - clock.begin)) / 200);
    return;
  }
  const i = indexBelow(times, clock.time + 1e-12);
  const back = by < 0 && times[i] < clock.time - 1e-12 ? 0 : by;
  clock.set(times[Math.min(Math.max(i + back, 0), times.length - 1)]);
}

// A tenth of the run.
function leapClock(by) {
  clock.pause();
  clock.set(clock.time + (by * (clock.end - clock.begin)) / 10);
}

// The slider's own step is finer than a frame: with keys nothing would be seen to move.
const SLIDER_KEYS = {
  ArrowRight: () => stepClock(1),
  ArrowUp: () => stepClock(1),
  ArrowLeft: () => stepClock(-1),
  ArrowDown: () => stepClock(-1),
  PageUp: () => leapClock(1),
  PageDown: () => leapClock(-1),
};

// Of the round speeds the one at which all is seen in about eight seconds; true speed if that is not far.
function easySpeed(length) {
  if (length > 4 && length < 20) return 1;
  return SPEEDS.reduce((best, each) => (Math.abs(Math.log((each * 8) / length)) < Math.abs(Math.log((best * 8) / length)) ? each : best), 1);
}

function addTransport(place) {
  // a bar that plays nothing but a cursor would promise a motion
  const moves = arms.length > 0 || plots.some((plot) => plot.series.some((s) => s.kind === "moving"));
  if (!clock.running || !moves) {
    place.remove();
    return null;
  }
  const play = element("button", { type: "button", class: "play" });
  const back = element("button", { type: "button", "aria-label": "One frame back", title: "One frame back" }, icon("M11 2v12L4 8zM3 2h1.6v12H3z"));
  const on = element("button", { type: "button", "aria-label": "One frame on", title: "One frame on" }, icon("M5 2v12l7-6zM11.4 2H13v12h-1.6z"));
  const slider = element("input", { type: "range", min: 0, max: 10000, step: 1, "aria-label": "Time" });
  const text = element("output", { class: "time" });
  const speed = element("select", { "aria-label": "Speed" }, ...(periodic ? PERIOD_SPEEDS : SPEEDS).map((each) => element("option", { value: each }, speedText(each))));
  const decimals = Math.max(0, Math.ceil(2.7 - Math.log10(clock.end - clock.begin)));
  play.onclick = () => clock.toggle();
  back.onclick = () => stepClock(-1);
  on.onclick = () => stepClock(1);
  slider.oninput = () => {
    clock.pause();
    clock.set(clock.begin + (Number(slider.value) / 10000) * (clock.end - clock.begin));
  };
  slider.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in SLIDER_KEYS)) return;
    event.preventDefault();
    SLIDER_KEYS[event.key]();
  });
  speed.onchange = () => clock.setSpeed(Number(speed.value));
  clock.follow((time) => {
    text.textContent = clockText(time, decimals);
    slider.setAttribute("aria-valuetext", text.textContent);
    slider.value = Math.round(((time - clock.begin) / (clock.end - clock.begin)) * 10000);
    slider.style.setProperty("--done", `${((time - clock.begin) / (clock.end - clock.begin)) * 100}%`);
  });
  clock.watch(() => {
    play.replaceChildren(icon(clock.playing ? "M4 2h3v12H4zM9 2h3v12H9z" : "M4 2l9 6-9 6z"));
    play.setAttribute("aria-label", clock.playing ? "Pause" : "Play");
    play.title = clock.playing ? "Pause (space)" : "Play (space)";
    speed.value = String(clock.speed);
  });
  place.setAttribute("role", "group");
  place.setAttribute("aria-label", "Time");
  place.append(element("div", { class: "keys" }, back, play, on), slider, text, speed);
  document.addEventListener("keydown", (event) => {
    const busy = event.target.closest && event.target.closest('input:not([type="range"]), select, button, summary, a, textarea, canvas');
    if (event.key !== " " || busy || event.ctrlKey) return;
    event.preventDefault();
    clock.toggle();
  });
  clock.setSpeed(periodic ? 0.5 : easySpeed(clock.end - clock.begin));
  return { play, back, on, slider, speed, text };
}

function icon(path) {
  return svg("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, svg("path", { d: path, fill: "currentColor" }));
}
