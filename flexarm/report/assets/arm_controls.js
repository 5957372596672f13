// The moving arm in the page: its picture, its switches, pointer and keys.

const SCALES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

class ArmFigure {
  constructor(figure, spec) {
    this.motion = new ArmMotion(spec);
    this.canvas = element("canvas", { tabindex: 0, role: "img", "aria-label": this.sentence(spec) });
    this.badge = element("p", { class: "badge", "aria-live": "polite" });
    this.controls = element("div", { class: "controls" });
    figure.append(element("div", { class: "stage" }, this.canvas, this.badge), this.controls);
    this.picture = new ArmPicture(this.canvas, this.motion);
    this.fillControls(spec);
    this.addHands(spec);
    this.setScale(spec.scale);
    if (this.choice) takeChoice(this, 0);
    this.seen = true;
    new IntersectionObserver((entries) => {
      this.seen = entries.some((entry) => entry.isIntersecting);
      if (this.seen) this.draw();
    }).observe(this.canvas);
    new ResizeObserver(() => {
      this.picture.fit();
      this.draw();
    }).observe(this.canvas);
    clock.loop = clock.loop && spec.loop;
    clock.follow(() => this.seen && this.draw());
  }

  sentence(spec) {
    const names = spec.links.map((link) => link.name).join(", ");
    return `${spec.title}: ${names}. Space plays and pauses, arrow keys ${spec.planar ? "shift" : "turn"} the view, plus and minus zoom, 0 shows all, comma and full stop step.`;
  }

  draw() {
    this.picture.draw(clock.time);
  }

  setScale(scale) {
    this.motion.scale = scale;
    const [short, spoken, label] = scaleText(this, scale);
    this.badge.textContent = label;
    this.slider.value = SCALES.reduce((best, each, k) => (Math.abs(Math.log(each / scale)) < Math.abs(Math.log(SCALES[best] / scale)) ? k : best), 0);
    this.slider.setAttribute("aria-valuetext", spoken);
    this.scaleText.textContent = short;
    const { camera } = this.picture;
    const box = this.motion.box();
    [camera.middle, camera.half] = [box.middle, box.half];
    this.draw();
  }

  fillControls(spec) {
    this.slider = element("input", { type: "range", min: 0, max: periodic ? SCALES.indexOf(50) : SCALES.length - 1, step: 1, "aria-label": "How many times as large deflections are drawn" });
    this.slider.oninput = () => this.setScale(SCALES[Number(this.slider.value)]);
    this.scaleText = element("output", {}, "");
    const scale = element("label", { class: "scale" }, periodic ? "Amplitude" : "Deflection", this.slider, this.scaleText);
    const toggle = (name, text) => {
      const box = element("input", { type: "checkbox", checked: true });
      box.onchange = () => {
        this.picture.show[name] = box.checked;
        this.draw();
      };
      this[`${name}Box`] = box;
      return element("label", { class: "check" }, box, text);
    };
    const views = element("div", { class: "views", role: "group", "aria-label": "View" });
    const names = spec.planar ? [["top", "Reset"]] : [["oblique", "Oblique"], ["top", "Top"], ["front", "Front"], ["side", "Side"]];
    for (const [name, text] of spec.planar ? [...names, ["oblique", "Oblique"]] : names) {
      const button = element("button", { type: "button" }, text);
      button.onclick = () => {
        this.picture.camera.reset();
        this.picture.camera.look(name);
        this.draw();
      };
      views.append(button);
    }
    const bends = spec.bends ? [scale, toggle("ghost", periodic ? "At rest" : "Rigid arm")] : [];
    this.picture.show.ghost = spec.bends;
    this.badge.hidden = !spec.bends;
    // what stands still leaves no path
    const path = spec.frames > 1 ? [toggle("trace", "Path of the tip")] : [];
    this.controls.append(...bends, ...path, views);
    addChoices(this, spec);
  }

  addHands(spec) {
    const { canvas } = this;
    const { camera } = this.picture;
    const fingers = new Map();
    const apart = () => {
      const [a, b] = [...fingers.values()];
      return Math.hypot(a[0] - b[0], a[1] - b[1]);
    };
    canvas.addEventListener("pointerdown", (event) => {
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      canvas.setPointerCapture(event.pointerId);
      canvas.focus({ preventScroll: true });
    });
    canvas.addEventListener("pointermove", (event) => {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const wide = fingers.size === 2 ? apart() : 0;
      const [dx, dy] = [event.clientX - before[0], event.clientY - before[1]];
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      if (fingers.size === 2) {
        camera.zoomBy(apart() / wide || 1);
        camera.pan(dx / 2, dy / 2);
      } else if (spec.planar === (event.shiftKey || event.buttons === 2)) camera.orbit(0.008 * dx, 0.008 * dy);
      else camera.pan(dx, dy);
      this.draw();
    });
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => fingers.delete(event.pointerId));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("dblclick", () => {
      camera.reset();
      this.draw();
    });
    canvas.addEventListener("wheel", (event) => {
      // a page must scroll on: only a picture that was chosen takes the wheel
      if (document.activeElement !== canvas && !event.ctrlKey) return;
      event.preventDefault();
      camera.zoomBy(Math.exp(-0.0015 * event.deltaY));
      this.draw();
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (this.pressed(event.key, spec.planar !== event.shiftKey)) event.preventDefault();
    });
  }

  pressed(key, shifts) {
    const { camera } = this.picture;
    const move = (right, up) => (shifts ? camera.pan(-24 * right, 24 * up) : camera.orbit(0.1 * right, 0.1 * up));
    const actions = {
      ArrowLeft: () => move(-1, 0),
      ArrowRight: () => move(1, 0),
      ArrowUp: () => move(0, 1),
      ArrowDown: () => move(0, -1),
      "+": () => camera.zoomBy(1.2),
      "=": () => camera.zoomBy(1.2),
      "-": () => camera.zoomBy(1 / 1.2),
      0: () => camera.reset(),
      " ": () => clock.toggle(),
      ",": () => stepClock(-1),
      ".": () => stepClock(1),
    };
    if (!(key in actions)) return false;
    actions[key]();
    this.draw();
    return true;
  }
}
