// Scales between values and pixels, and the ticks on them.

// A scale from values [low, high] to pixels [from, to].
function makeScale(kind, low, high, from, to) {
  const log = kind === "log";
  const [a, b] = log ? [Math.log10(low), Math.log10(high)] : [low, high];
  const slope = (to - from) / (b - a || 1);
  return {
    kind,
    low,
    high,
    from,
    to,
    at: (value) => from + ((log ? Math.log10(value) : value) - a) * slope,
    value: (pixel) => {
      const v = a + (pixel - from) / slope;
      return log ? 10 ** v : v;
    },
  };
}

// Ticks at round values, about `count` of them: [{ value, text }], in shown units (value / factor).
function ticksOf(scale, factor, count) {
  return scale.kind === "log" ? logTicks(scale, factor, count) : someLinearTicks(scale, factor, count);
}

// One tick shows no scale: more are asked for until there are two.
function someLinearTicks(scale, factor, count) {
  let ticks = linearTicks(scale, factor, count);
  for (let more = count + 1; ticks.length < 2 && more < count + 8; more++) ticks = linearTicks(scale, factor, more);
  return ticks;
}

function linearTicks(scale, factor, count) {
  const low = scale.low / factor;
  const high = scale.high / factor;
  const rough = (high - low) / Math.max(count, 1);
  if (!(rough > 0)) return [];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.999999);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9) + (Math.abs(step / power - 2.5) < 1e-9 ? 1 : 0));
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) {
    ticks.push({ value: k * step * factor, text: tickText(k * step, decimals) });
  }
  return ticks;
}

function tickText(value, decimals) {
  if (Math.abs(value) >= 1e6 || decimals > 5) {
    if (Math.abs(value) < 1e-300) return "0";
    const [mantissa, power] = value.toExponential(2).split("e");
    return `${Number(mantissa)}·10${superscript(Number(power))}`.replace("-", "−");
  }
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? "0" : text.replace("-", "−");
}

function logTicks(scale, factor, count) {
  const low = Math.log10(scale.low / factor);
  const high = Math.log10(scale.high / factor);
  for (let every = Math.max(1, Math.ceil((high - low) / Math.max(count, 1))); every >= 1; every--) {
    const ticks = [];
    for (let k = Math.ceil(low - 1e-9); k <= high + 1e-9; k++) {
      if (k % every === 0) ticks.push({ value: 10 ** k * factor, text: powerText(k) });
    }
    if (ticks.length >= 2) return ticks;
  }
  // less than two decades: 1, 2 and 5 of each
  const fine = [];
  for (let k = Math.floor(low); k <= high; k++) {
    for (const m of [1, 2, 5]) {
      const v = Math.log10(m) + k;
      if (v >= low - 1e-9 && v <= high + 1e-9) fine.push({ value: 10 ** v * factor, text: digits(10 ** v, 1) });
    }
  }
  return fine.length >= 2 ? fine : someLinearTicks(scale, factor, count);
}

function powerText(k) {
  if (k >= -2 && k <= 3) return String(k < 0 ? (10 ** k).toFixed(-k) : 10 ** k);
  return `10${superscript(k)}`;
}

// A range that holds all values with some air around them.
function aired(low, high, kind) {
  if (!(low <= high)) return kind === "log" ? [0.1, 10] : [0, 1];
  if (kind === "log") {
    if (low === high) return [low / 3, high * 3];
    const air = (high / low) ** 0.04;
    return [low / air, high * air];
  }
  if (low === high) {
    const half = Math.abs(low) * 0.1 || 1;
    return [low - half, high + half];
  }
  const air = 0.06 * (high - low);
  return [low - air, high + air];
}
