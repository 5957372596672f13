"""The clock that plays a run; it can be paused, set and sped up. Callers pass the current time."""

from __future__ import annotations


class Clock:
    """Time of a run (s) from 0 to `end`; all methods take the present moment `now` (s) of the real clock."""

    def __init__(self, end: float) -> None:
        self.end = end
        self.speed = 1.0  # seconds of the run per second
        self.repeats = True
        self.playing = False
        self._at = 0.0
        self._since = 0.0

    def time(self, now: float) -> float:
        """The time of the clock (s); a clock that does not repeat stops at the end."""
        if not self.playing:
            return self._at
        reached = self._at + self.speed * (now - self._since)
        if reached <= self.end:
            return reached
        if self.repeats and self.end > 0.0:
            return reached % self.end
        self._at, self.playing = self.end, False
        return self.end

    def play(self, now: float) -> None:
        """Let it go, from the beginning if it had come to the end."""
        if not self.playing:
            if self._at >= self.end:
                self._at = 0.0
            self.playing, self._since = True, now

    def pause(self, now: float) -> None:
        """Stop it where it is."""
        self._at, self.playing = self.time(now), False

    def seek(self, time: float, now: float) -> None:
        """Set it to a time of the run (s), within the run."""
        self._at, self._since = min(max(time, 0.0), self.end), now

    def hurry(self, speed: float, now: float) -> None:
        """Change its speed without a jump."""
        self._at, self._since, self.speed = self.time(now), now, speed
