"""Pictures into a film by an encoder that is installed: Pillow for GIF, ffmpeg for MP4."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from flexarm.errors import FlexarmError

KINDS = (".gif", ".mp4")
# A palette shared by all pictures, so that they do not flicker, found from some of them.
_COLOURS, _SAMPLED = 240, 6


def check_film(path: Path) -> None:
    """Refuse a film whose kind is not known, or that nothing installed can write."""
    if path.suffix.lower() not in KINDS:
        raise FlexarmError(f"{path}: the kind of film is {path.suffix or 'missing'}, must be .gif or .mp4")
    if path.suffix.lower() == ".mp4":
        if shutil.which("ffmpeg") is None:
            raise FlexarmError(
                f"{path}: MP4 is written by ffmpeg, which is not on the PATH; install it, or name a .gif"
            )
        return
    try:
        import PIL.Image  # noqa: F401
    except ImportError:
        message = "GIF is written by Pillow, which is not installed; pip install 'flexarm[video]'"
        raise FlexarmError(f"{path}: {message}") from None


def write_film(pictures: Iterable[np.ndarray], path: Path, rate: float) -> Path:
    """The path of the film now holding the pictures (height, width, 3), so many of them a second."""
    temporary = path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")
    try:
        if path.suffix.lower() == ".gif":
            _write_gif(pictures, temporary, rate)
        else:
            _write_mp4(pictures, temporary, rate)
        os.replace(temporary, path)
    except OSError as error:
        raise FlexarmError(f"{path}: cannot be written: {(error.strerror or str(error)).lower()}") from None
    finally:
        temporary.unlink(missing_ok=True)
    return path


def _write_gif(pictures: Iterable[np.ndarray], path: Path, rate: float) -> None:
    from PIL import Image

    frames: Iterator[Image.Image] = (Image.fromarray(picture) for picture in pictures)
    first = next(frames)
    kept = [first, *frames]
    some = [np.asarray(kept[round(k)]) for k in np.linspace(0, len(kept) - 1, min(len(kept), _SAMPLED))]
    palette = Image.fromarray(np.concatenate(some)).quantize(_COLOURS, method=Image.Quantize.MEDIANCUT)
    reduced = [each.quantize(palette=palette, dither=Image.Dither.NONE) for each in kept]
    shown = round(1000.0 / rate)
    reduced[0].save(path, save_all=True, append_images=reduced[1:], duration=shown, loop=0, optimize=False, disposal=1)


def _write_mp4(pictures: Iterable[np.ndarray], path: Path, rate: float) -> None:
    frames = iter(pictures)
    first = next(frames)
    height, width = first.shape[:2]
    given = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", f"{rate:g}", "-i", "-"]
    made = ["-an", "-pix_fmt", "yuv420p", "-movflags", "+faststart", str(path)]
    command = ["ffmpeg", "-y", "-loglevel", "error", *given, *made]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as encoder:
        assert encoder.stdin is not None and encoder.stderr is not None
        try:
            for picture in (first, *frames):
                encoder.stdin.write(picture.tobytes())
            encoder.stdin.close()
        except BrokenPipeError:
            pass  # what it has to say is below
        words = encoder.stderr.read().decode("utf-8", "replace").strip()
        if encoder.wait() != 0:
            last = words.splitlines()[-1] if words else f"it ended with {encoder.returncode}"
            raise FlexarmError(f"{path.name}: ffmpeg could not write the film: {last}")
