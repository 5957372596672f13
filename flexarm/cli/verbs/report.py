"""`flexarm report`: look at a run or a study in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from flexarm.cli import options as opt
from flexarm.cli.files import refuse_early, report_written, write_text
from flexarm.cli.options import option
from flexarm.cli.output import DONE, show_json
from flexarm.cli.pages import page_beside, refuse_page, size_of
from flexarm.errors import FlexarmError
from flexarm.verbs import kinds


def command(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN...",
            help="A run kept by simulate (.nc), the folder of a study, or what a verb printed with --json (.json); or "
            "several runs and measured columns (.csv), drawn over one another.",
            show_default=False,
        ),
    ],
    out: Annotated[
        str | None, option("--out", "FILE", "Where the page goes. Default: RUN.html, next to the run.")
    ] = None,
    csv: Annotated[
        str | None, option("--csv", "FILE", "Of a run: also write every sample of every signal to a CSV file.")
    ] = None,
    video: Annotated[
        str | None,
        typer.Option(
            "--video",
            metavar="FILE",
            help="Of a run: also write a film of the moving arm, .gif (needs Pillow) or .mp4 (needs ffmpeg).",
        ),
    ] = None,
    signals: Annotated[
        str | None,
        option(
            "--signals", "LIST", 'Of several runs: what is drawn, e.g. "tip.across,hub.torque". Default: the usual.'
        ),
    ] = None,
    json: opt.Json = False,
) -> int:
    """Show a run or a study on one page: the moving arm, every figure and all numbers.

    The page is a single file that opens in any browser, from disk and offline. Several runs, and measured columns of
    CSV files ("time [s],tip.across [mm]"), are drawn over one another.
    """
    if len(sources) > 1 or sources[0].endswith(".csv"):
        return _several(sources, out, csv, video, signals, json=json)
    if signals is not None:
        raise FlexarmError("--signals is given with one run, must be given with several; its page has all of them")
    source = sources[0]
    given = Path(source)
    target = _beside(given) if out is None else Path(out)
    if not target.parent.is_dir():
        raise FlexarmError(f"{target}: the folder {target.parent} does not exist, must be made first")
    refuse_page(target, "--out")
    if csv is not None:
        _refuse_csv(csv, given, target)
    if video is not None:
        _refuse_video(video, given)
    from flexarm.report import report

    shown = _opened(given)
    report(shown, target, source=source)
    if csv is not None:
        write_text(csv, shown.csv_blocks())
    if video is not None:
        from flexarm.cli.progress import CountBar
        from flexarm.report.film.film import film

        with CountBar("drawing") as bar:
            film(shown, video, progress=lambda done, wanted: bar("the film", done, wanted))
    files = [target, *(Path(each) for each in (csv, video) if each is not None)]
    if json:
        show_json({"run": source, "files": [str(file) for file in files]})
    else:
        report_written([f"{file} ({size_of(file)})" for file in files])
    return DONE


def _several(
    sources: list[str], out: str | None, csv: str | None, video: str | None, signals: str | None, *, json: bool
) -> int:
    """The page of several runs and measured records."""
    from flexarm.report.pages.runs import page_of
    from flexarm.report.rendering import write_page
    from flexarm.results import open_run
    from flexarm.results.measured import read_measured

    for option_name, value in (("--csv", csv), ("--video", video)):
        if value is not None:
            raise FlexarmError(f"{option_name} is given with several runs, must be given with one")
    for each in sources:
        if Path(each).is_dir() or not each.endswith((".nc", ".csv")):
            raise FlexarmError(f"{each}: is no run, must be a run (.nc) or measured columns (.csv) beside others")
    stems = [Path(each).stem for each in sources]
    usual = Path(sources[0]).with_name("-".join(stems[:3]) + ("-and-more" if len(stems) > 3 else "") + ".html")
    target = usual if out is None else Path(out)
    if not target.parent.is_dir():
        raise FlexarmError(f"{target}: the folder {target.parent} does not exist, must be made first")
    refuse_page(target, "--out")
    shown = [read_measured(each) if each.endswith(".csv") else open_run(each) for each in sources]
    chosen = [word.strip() for word in (signals or "").split(",") if word.strip()]
    write_page(page_of(shown, ", ".join(Path(each).name for each in sources), names=stems, signals=chosen), target)
    if json:
        show_json({"run": sources, "files": [str(target)]})
    else:
        report_written([f"{target} ({size_of(target)})"])
    return DONE


def _refuse_csv(csv: str, given: Path, page: Path) -> None:
    """Refuse a CSV file where there is no run, or that would replace the run or its page."""
    if given.is_dir() or given.suffix == ".json":
        raise FlexarmError(f"{given}: is no run, and --csv writes the samples of one; verbs of studies have their own")
    if given.exists():
        if Path(csv).exists() and given.samefile(csv):
            raise FlexarmError(f"{csv}: is the run itself, choose another name by --csv")
        refuse_early(csv, str(given), "--csv")
    if Path(csv).resolve() == page.resolve():
        raise FlexarmError(f"{csv}: is the name of the page, choose another name by --csv")


def _refuse_video(video: str, given: Path) -> None:
    """Refuse a film where there is no run, or that nothing installed can write."""
    from flexarm.report.film.encode import check_film

    if given.is_dir() or given.suffix == ".json":
        raise FlexarmError(f"{given}: is no run, and --video shows the motion of one")
    if not Path(video).parent.is_dir():
        raise FlexarmError(f"{video}: the folder {Path(video).parent} does not exist, must be made first")
    check_film(Path(video))


def _beside(given: Path) -> Path:
    """The default path of the page: next to the file or the folder."""
    if given.is_dir():
        folder = given.resolve()
        return folder.parent / f"{folder.name}.html"
    return page_beside(given)


def _opened(given: Path) -> Any:
    """What is to be shown: a study in a folder, a result in JSON, else a run."""
    if given.is_dir():
        from flexarm.studies.store.page_data import open_study

        return open_study(given)
    if given.suffix == ".json":
        return _read_json(given)
    from flexarm.results import open_run

    return open_run(given)


def _read_json(given: Path) -> Any:
    """The result a verb printed."""
    import json

    try:
        found = json.loads(given.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise FlexarmError(f"{given}: there is no such file") from None
    except (OSError, ValueError) as error:
        raise FlexarmError(f"{given}: cannot be read: {' '.join(str(error).split())[:120]}") from None
    if isinstance(found, list) and found and all(isinstance(each, dict) for each in found):
        # some verbs print an entry per file or per row
        for kind in kinds():
            if kind.entry and all(kind.entry in each for each in found):
                return {kind.key: found}
    if not isinstance(found, dict):
        raise FlexarmError(f"{given}: is not what a verb prints with --json")
    if "integrator" in found:
        kept = next((name for name in found.get("files") or () if str(name).endswith(".nc")), "the .nc file it wrote")
        raise FlexarmError(f"{given}: is a summary of a run without its histories, give the run itself: {kept}")
    return found
