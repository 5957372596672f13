"""A run that was saved, opened again."""

import os
from pathlib import Path

from flexarm.results.netcdf import read_run
from flexarm.results.trajectory import Trajectory


def open_run(path: str | os.PathLike[str]) -> Trajectory:
    """The run saved in a NetCDF file, to the last bit; neither the engine nor its compiler is needed.

    Parameters
    ----------
    path
        The file; one that is missing, foreign, cut short or damaged is refused in one sentence.

    Returns
    -------
    Trajectory
        The run.

    Examples
    --------
    >>> import tempfile, flexarm as fa
    >>> path = tempfile.mkdtemp() + "/run.nc"
    >>> _ = fa.simulate("rod_handler.toml", end="0.1 s").save(path)
    >>> fa.open_run(path).complete
    True
    """
    contents = read_run(Path(path))
    return Trajectory(contents.variables, contents.coordinates, contents.arm_text, contents.info)
