// The one clock of the page: every figure over time and every moving arm follow it.

class Clock {
  constructor() {
    this.begin = 0;
    this.end = 0;
    this.time = 0;
    this.speed = 1; // seconds of the run per second of the reader
    this.playing = false;
    this.loop = true;
    this.followers = [];
    this.watchers = [];
    this.drawn = 0; // pictures since the page was opened
  }

  get running() {
    return this.end > this.begin;
  }

  // Make the clock reach over these times, too.
  cover(begin, end) {
    if (!(end > begin)) return;
    if (!this.running) [this.begin, this.end, this.time] = [begin, end, begin];
    this.begin = Math.min(this.begin, begin);
    this.end = Math.max(this.end, end);
  }

  // Call with the time whenever it changes, at most once per picture.
  follow(call) {
    this.followers.push(call);
  }

  // Call whenever playing, speed or the like changes.
  watch(call) {
    this.watchers.push(call);
  }

  set(time) {
    this.time = Math.min(Math.max(time, this.begin), this.end);
    if (!this.pending) {
      this.pending = true;
      requestAnimationFrame(() => this.notify());
    }
  }

  notify() {
    this.pending = false;
    this.drawn++;
    for (const call of this.followers) call(this.time);
  }

  setSpeed(speed) {
    this.speed = speed;
    this.changed();
  }

  changed() {
    for (const call of this.watchers) call(this);
  }

  play() {
    if (this.playing || !this.running) return;
    if (this.time >= this.end) this.time = this.begin;
    this.playing = true;
    this.last = undefined;
    this.changed();
    requestAnimationFrame((now) => this.step(now));
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.changed();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  step(now) {
    if (!this.playing) return;
    if (this.last !== undefined) {
      // a page in the background must not leap when it comes back
      let time = this.time + Math.min((now - this.last) / 1000, 0.25) * this.speed;
      if (time > this.end) {
        if (this.loop) time = this.begin + ((time - this.begin) % (this.end - this.begin));
        else {
          time = this.end;
          this.pause();
        }
      }
      this.time = time;
      this.notify();
    }
    this.last = now;
    if (this.playing) requestAnimationFrame((next) => this.step(next));
  }
}

const clock = new Clock();
