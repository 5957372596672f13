"""CPU time of contenders measured side by side: the least of several rounds, every contender once in each round.

A shared machine slows down and speeds up by tens of per cent within seconds. Rounds that go through all contenders meet
the same weather, and the least time is the one least disturbed.
"""

from collections.abc import Callable, Mapping
from time import process_time
from typing import TypeVar

Key = TypeVar("Key")

ROUNDS = 7


def cpu_seconds(run: Callable[[], object]) -> float:
    """CPU time of one call (s), all threads of this process together."""
    begin = process_time()
    run()
    return process_time() - begin


def least_seconds(contenders: Mapping[Key, Callable[[], float]], *, rounds: int = ROUNDS) -> dict[Key, float]:
    """Least CPU time of each contender (s); a contender measures its own relevant part and returns its CPU seconds."""
    least = dict.fromkeys(contenders, float("inf"))
    for _ in range(rounds):
        for name, seconds in contenders.items():
            least[name] = min(least[name], seconds())
    return least
