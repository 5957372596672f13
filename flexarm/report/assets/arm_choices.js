// Several motions of one arm: the reader chooses a mode or a run.

// A mode is drawn in so many frames a period, straight between them.
const SWING_FRAMES = 72;

// A period is given in per cent of itself, a run in seconds.
const periodic = page.extra.clock === "period";
const PERIOD_SPEEDS = [0.05, 0.1, 0.2, 0.5, 1, 2];

function clockText(time, decimals) {
  return periodic ? `${Math.round(100 * time)} % of a period` : `${time.toFixed(decimals)} s`;
}

function speedText(speed) {
  if (periodic) return speed < 1 ? `a period in ${Math.round(1 / speed)} s` : speed === 1 ? "a period a second" : `${speed} periods a second`;
  return speed === 1 ? "true speed" : speed < 1 ? `1/${Math.round(1 / speed)} speed` : `${speed}× speed`;
}

// The frames of a mode about the first frame's corners: Re(shape · e^{iφ}).
function swingOf(choice, corners, points) {
  const real = arrayOf(choice.real);
  const imag = choice.imag === null ? null : arrayOf(choice.imag);
  const frames = SWING_FRAMES + 1;
  const found = { frames, times: new Float64Array(frames), deflections: new Float32Array(frames * 3 * points), corners: new Float32Array(frames * corners.length) };
  for (let i = 0; i < frames; i++) {
    const phase = (2 * Math.PI * i) / SWING_FRAMES;
    const [c, s] = [Math.cos(phase), Math.sin(phase)];
    found.times[i] = i / SWING_FRAMES;
    found.corners.set(corners, i * corners.length);
    for (let k = 0; k < 3 * points; k++) found.deflections[3 * i * points + k] = c * real[k] - (imag ? s * imag[k] : 0);
  }
  return found;
}

// Let the arm move as this choice has it.
function takeChoice(figure, number) {
  const { motion } = figure;
  const choice = motion.spec.choices[number];
  const swings = choice.real !== undefined;
  if (!choice.taken) {
    choice.taken = swings
      ? swingOf(choice, arrayOf(motion.spec.corners).slice(0, 3 * motion.spec.cornerPoints.length), motion.points)
      : { frames: choice.frames, times: arrayOf(choice.times), corners: arrayOf(choice.corners), deflections: arrayOf(choice.deflections) };
  }
  Object.assign(motion, choice.taken);
  motion.traced = null;
  figure.chosen = number;
  clock.cover(motion.times[0], motion.times[motion.frames - 1]);
  figure.choiceWords.textContent = choice.words;
  figure.setScale(swings ? motion.scale : choice.scale);
}

// How much larger deflections are drawn, for the reader.
function scaleText(figure, scale) {
  if (periodic) return [`${scale} %`, `${scale} per cent`, `drawn with ${scale} % of the arm's reach where it moves most`];
  return [`×${scale}`, `${scale} times`, scale === 1 ? "deflections in true size" : `deflections drawn ${scale} times as large`];
}

// The selector, if there is anything to choose.
function addChoices(figure, spec) {
  if (!spec.choices.length) return;
  const select = element("select", { "aria-label": "Quantity shown" }, ...spec.choices.map((choice, k) => element("option", { value: k }, choice.name)));
  select.onchange = () => takeChoice(figure, Number(select.value));
  figure.choice = select;
  figure.choiceWords = element("span", { class: "muted" });
  figure.controls.prepend(element("label", { class: "choice" }, "Show", select), figure.choiceWords);
}
