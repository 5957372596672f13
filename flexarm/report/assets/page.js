// The page put together: light or dark, figures, moving arms, listings, and an interface for programs.

const arms = [];
const themed = []; // called when the colours change

function setTheme(word) {
  document.documentElement.dataset.theme = word;
  recolour();
}

function recolour() {
  for (const call of themed) call();
  for (const arm of arms) {
    arm.picture.readInks();
    arm.draw();
  }
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function addSwitch(place) {
  const button = element("button", { type: "button", class: "theme" });
  const show = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", `Switch to ${isDark() ? "light" : "dark"} colours`);
  };
  button.onclick = () => setTheme(isDark() ? "light" : "dark");
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => recolour());
  themed.push(show);
  show();
  place.append(button);
}

function addListingTools(place) {
  const text = () => place.parentElement.querySelector("pre").textContent;
  const keep = element("button", { type: "button" }, "Save");
  keep.onclick = () => save(place.dataset.file, "text/plain", text());
  place.append(keep);
  if (!navigator.clipboard) return;
  const copy = element("button", { type: "button" }, "Copy");
  copy.onclick = () => navigator.clipboard.writeText(text()).then(() => {
    copy.textContent = "Copied";
  }, () => {});
  place.append(copy);
}

// On paper all is light, the drawn arm too, and figures are drawn as wide as they will be: their letters keep their size.
let themeBefore; // of the display, while the page is on paper
function preparePaper() {
  themeBefore = document.documentElement.dataset.theme;
  setTheme("light");
  for (const fold of document.querySelectorAll("details.fold")) fold.open = true;
  for (const plot of plots) plot.layOnPaper(true);
  // columns are narrow there: a number stays with its unit
  for (const cell of document.querySelectorAll("td.right")) cell.textContent = cell.textContent.replace(/(\d) (?=[^\d…])/g, "$1\u00a0");
}

// Whoever goes to a folded part wants to see it.
function unfold(name) {
  for (let node = document.getElementById(name); node; node = node.parentElement) if (node.tagName === "DETAILS") node.open = true;
}

function leavePaper() {
  if (themeBefore) document.documentElement.dataset.theme = themeBefore;
  else delete document.documentElement.dataset.theme;
  recolour();
  for (const plot of plots) plot.layOnPaper(false);
}

window.flexarm = { page, clock, plots, arms, saved: [], csvOf, svgText, arrayOf, setTheme, isDark };

addSwitch(document.getElementById("switches"));
for (const figure of document.querySelectorAll("figure[data-drawn]")) {
  const spec = page.drawn[Number(figure.dataset.drawn)];
  if (spec.part === "arm") arms.push(new ArmFigure(figure, spec));
  else plots.push(new Plot(figure, spec));
}
for (const place of document.querySelectorAll(".listing .tools")) addListingTools(place);
window.flexarm.transport = addTransport(document.getElementById("transport"));
for (const link of document.querySelectorAll('nav a[href^="#"]')) link.addEventListener("click", () => unfold(link.hash.slice(1)));
if (location.hash) unfold(location.hash.slice(1));
window.addEventListener("beforeprint", () => preparePaper());
window.addEventListener("afterprint", () => leavePaper());
clock.notify();
clock.changed();
window.flexarm.ready = true;
