"""What is planted: a folder, a text that stands once below it, what it becomes, and the tests that must fail.

A text is looked for in all files below its folder, so a file may move; a text that is changed has to be changed here.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]


class Mutant(NamedTuple):
    """One sign or factor that is made wrong; `tests` are arguments of pytest."""

    folder: str
    before: str
    after: str
    tests: str

    def file(self, root: Path = ROOT) -> Path:
        """The one file that holds the text; refused in a sentence where there is none or more."""
        paths = sorted((root / "flexarm" / self.folder).rglob("*.py"))
        found = [(path, path.read_text(encoding="utf-8").count(self.before)) for path in paths]
        places = [path for path, count in found for _ in range(count)]
        if len(places) != 1:
            reported = ", ".join(str(path.relative_to(root)) for path in places) or "nowhere"
            raise LookupError(
                f"{self.before!r} must stand once below flexarm/{self.folder} and stands {reported}: "
                "look for the formula and update tests/mutants/planted.py"
            )
        return places[0]


SENSORS = "tests/analyses/test_sensors.py"
STATISTICS = "tests/studies/test_statistics.py"
FRICTION, STOPS = (f"tests/analyses/test_{name}.py" for name in ("joint_friction", "stops"))
STUDENT = "tests/studies/test_montecarlo.py::test_the_interval_of_a_mean_is_that_of_students_distribution"
RARE, INDICES = "tests/studies/test_rare.py", "tests/studies/test_indices.py"
REQUIREMENTS = "tests/studies/test_requirements.py"
EXTREMES, SETTLING, SUMMARIES = (f"tests/results/test_{name}.py" for name in ("extremes", "settling", "summaries"))
PAGE, SHAPED, PRINTED = (f"tests/report/test_{name}.py" for name in ("page", "shape_table", "printed_numbers"))
BRAKE, POLES, SHAPERS, CAMPBELL = (
    f"tests/analyses/test_{name}.py" for name in ("brake_damping", "poles", "shapers", "campbell")
)
SIMULATE = "tests/cli/test_simulate.py::test_settling_is_reported_in_text_and_json"
ELEMENTS, DAMPING, STATICS, FREQUENCIES, MODES = (
    f"tests/links/test_{name}.py" for name in ("elements", "damping", "statics", "frequencies", "modes_shapes")
)

RIGID_TANGENT = "tests/core/test_rigid_tangent.py"

_STUDIES = (
    Mutant("studies", "apart**2 * (self.count * other.count / count)", "apart**2 * (other.count / count)", STATISTICS),
    Mutant("studies", "self.squares / (self.count - 1) if", "self.squares / self.count if", STATISTICS),
    Mutant("studies", "(share + z * z / (2 * count))", "(share + z * z / count)", STATISTICS),
    Mutant("studies", "(z / (2 * count)) ** 2)", "(z / count) ** 2)", STATISTICS),
    Mutant(
        "studies", "values[2 * k + 1], level * (counts[-1] - 1)", "values[2 * k + 1], level * counts[-1]", STATISTICS
    ),
    Mutant("studies", "tail = (1.0 - confidence) / 2.0", "tail = 1.0 - confidence", STATISTICS),
    Mutant(
        "studies", "computeQuantile(0.975)[0] * standard_error", "computeQuantile(0.95)[0] * standard_error", STUDENT
    ),
    Mutant("studies", "1.96 * np.std(again", "0.98 * np.std(again", INDICES),
    Mutant(
        "studies",
        "parameter.mean + 2.0 * (x - parameter.mean)",
        "parameter.mean + 0.5 * (x - parameter.mean)",
        INDICES,
    ),
    Mutant("studies", "ratios[1 + len(standard) :]) / (2.0 * STEP)", "ratios[1 + len(standard) :]) / STEP", RARE),
    Mutant("studies", "+ (1.0 - float(ratios[0])) / slope", "- (1.0 - float(ratios[0])) / slope", RARE),
    Mutant(
        "studies",
        "values[:, j] = parameter.mean + parameter.deviation * scores[:, j]",
        "values[:, j] = parameter.mean - parameter.deviation * scores[:, j]",
        RARE,
    ),
    Mutant("studies", "(c * y - s * x) / wanted.size[1]", "(c * y + s * x) / wanted.size[1]", REQUIREMENTS),
    Mutant("studies", "centres[:, k]) / (size / 2.0)", "centres[:, k]) / size", REQUIREMENTS),
)

_RESULTS = (
    Mutant("results", "(3.0 * mean - 2.0 * c1 - right) / h", "(3.0 * mean - c1 - right) / h", EXTREMES),
    Mutant("results", "np.sqrt(c2**2 - 3.0 * c1 * c3)", "np.sqrt(c2**2 + 3.0 * c1 * c3)", EXTREMES),
    Mutant("results", "begin + leave / 3.0, end - arrive / 3.0", "begin + leave / 3.0, end + arrive / 3.0", SETTLING),
    Mutant("results", "* speed < 2.0 * within", "* speed < 0.2 * within", SETTLING),
    Mutant(
        "results",
        "step * math.ceil(value / step - 1e-9)",
        "step * math.floor(value / step - 1e-9)",
        "tests/analyses/test_brake_robust.py::test_bound_is_rounded_up_when_it_is_reported",
    ),
    Mutant("results", "digits(1.0 / factor, 3)} times slower", "digits(factor, 3)} times slower", SUMMARIES),
    Mutant("results", "digits(error / scale, 2)", "digits(2.0 * error / scale, 2)", SUMMARIES),
    Mutant(
        "results",
        "0.5 * (squares[1:] + squares[:-1])",
        "(squares[1:] + squares[:-1])",
        SUMMARIES,
    ),
    Mutant(
        "results",
        "mode.damping_ratio, mode.decay, 4, 2",
        "2.0 * mode.damping_ratio, mode.decay, 4, 2",
        BRAKE,
    ),
    Mutant("results", "mode.damping_ratio, mode.decay)", "2.0 * mode.damping_ratio, mode.decay)", SHAPED),
)

_PAGES = (
    Mutant("report", "b - 0.25 * (a - c) * shift", "b + 0.25 * (a - c) * shift", PAGE),
    Mutant("report", "shift = 0.5 * (a - c) /", "shift = 0.5 * (c - a) /", PAGE),
    Mutant("report", "2.0 * np.abs(np.fft.rfft(", "1.0 * np.abs(np.fft.rfft(", PAGE),
    Mutant(
        "report",
        'mode["damping_ratio"], mode.get("decay"',
        '2.0 * mode["damping_ratio"], mode.get("decay"',
        BRAKE,
    ),
    Mutant("report", 'mode["damping_ratio"], mode["decay"]', '2.0 * mode["damping_ratio"], mode["decay"]', SHAPED),
    Mutant("report", "percent(-pole.real / abs(pole))", "percent(-2.0 * pole.real / abs(pole))", PRINTED),
    Mutant("report", 'decay = quantity(-1.0 / pole.real, "s")', 'decay = quantity(-2.0 / pole.real, "s")', PRINTED),
    Mutant("report", "(2.0 * math.pi * ratio / math.sqrt(", "(math.pi * ratio / math.sqrt(", PRINTED),
    Mutant("report", "digits(value / factor, many)", "digits(value * factor, many)", PRINTED),
    Mutant("report", 'quantity(1.0 / f, "s") if f > 0.0', 'quantity(2.0 / f, "s") if f > 0.0', PRINTED),
)

_ANALYSES = (
    Mutant("analyses/sensors", "- np.array(compiled.arm.gravity)", "+ np.array(compiled.arm.gravity)", SENSORS),
    Mutant("analyses/sensors", "3.0 * rise - 2.0 * left", "3.0 * rise - left", SENSORS),
    Mutant("analyses/sensors", "np.array([1.0, 1.0, 2.0, 6.0])", "np.array([1.0, 1.0, 1.0, 6.0])", SENSORS),
    Mutant("analyses/sensors", "turn / (4.0 * sensor.lines)", "turn / (2.0 * sensor.lines)", SENSORS),
    Mutant("analyses", "-self.values.real / np.where(size", "-2.0 * self.values.real / np.where(size", POLES),
    Mutant("analyses", "ratio = -root.real / abs(root)", "ratio = -2.0 * root.real / abs(root)", BRAKE),
    Mutant("analyses", "amplitude = 2.0 * float(np.linalg.svd(", "amplitude = float(np.linalg.svd(", SIMULATE),
    Mutant(
        "analyses", "math.exp(-ratio * math.pi / math.sqrt(", "math.exp(-2.0 * ratio * math.pi / math.sqrt(", SHAPERS
    ),
    Mutant("analyses", "outer = 0.25 * (1.0 + vibration)", "outer = 0.25 * (1.0 - vibration)", SHAPERS),
    Mutant("analyses", "float(rise / x[-1]), errs", "float(2.0 * rise / x[-1]), errs", CAMPBELL),
    Mutant("analyses", "places[0, j] - places[1, j]", "places[1, j] - places[0, j]", "tests/analyses/test_postures.py"),
)

_LINKS = (
    Mutant("links", "2.0 * damping.ratio / real(clamped", "damping.ratio / real(clamped", DAMPING),
    Mutant("links", "damping=time * body.stiffness", "damping=0.5 * time * body.stiffness", DAMPING),
    Mutant(
        "links", "diagonal([jx, across + jy, across + jz])", "diagonal([jx, across + jy, across - jz])", FREQUENCIES
    ),
    Mutant(
        "links",
        "return 1.0 / real(sum(w * compliance(s) for s, w in _points(span, begin, end)))",
        "return 2.0 / real(sum(w * compliance(s) for s, w in _points(span, begin, end)))",
        STATICS,
    ),
    Mutant("links", "q = beta / (beta + length * length)", "q = beta / (2.0 * beta + length * length)", ELEMENTS),
    Mutant("links", "1 - 4 * xi + 3 * xi**2", "1 - 4 * xi - 3 * xi**2", ELEMENTS),
    Mutant("links", "4.0 * xi - 3.0, 4.0 - 8.0 * xi", "4.0 * xi - 3.0, 4.0 - 4.0 * xi", ELEMENTS),
    Mutant("links", "0.5 * self.span.length * integral_of(series)", "self.span.length * integral_of(series)", MODES),
)

LINEAR, MANY = "tests/analyses/test_linear_analysis.py", "tests/analyses/test_many_coordinates.py"
LAGRANGE, KERNELS = "tests/core/test_lagrange.py", "tests/core/test_element_kernels.py"

PATHS = "tests/paths/test_tip_path.py"
CURVED, TABLES = "tests/links/test_curved_links.py", "tests/links/test_beam_tables.py"

_CORE = (
    Mutant("core/formulas", "joined(W @ (J @ w), W @ (W @ s))", "joined(W @ (J @ w), 2.0 * W @ (W @ s))", LAGRANGE),
    Mutant("core/formulas", "(2.0 * (theta @ rate)) * (factors[3]", "(theta @ rate) * (factors[3]", KERNELS),
    Mutant("core", "+= side * 0.5 / h * ref[_PLUS, j]", "+= side / h * ref[_PLUS, j]", LINEAR),
    Mutant("analyses/modes", "] - self.stiff.sigma * self.mv[", "] + self.stiff.sigma * self.mv[", MANY),
)

ORDERS, BOOK, CASCADE, TOLERANCE, IDENTITIES, ORACLE = (
    f"tests/{name}.py"
    for name in (
        "core/test_orders",
        "core/test_energy_book",
        "analyses/test_cascade",
        "core/test_tolerance",
        "core/test_identities",
        "core/test_oracle_arms",
    )
)
SECOND_ORDER = "test_error_of_an_adaptive_second_order_run_falls_with_its_tolerance"
FLEXIBLE = "tests/core/test_flexible_sweeps.py"
SWUNG = "tests/core/test_observed_points.py"

_STEPPERS = (
    Mutant("core/time", "rate = b0 * y[0, c] + b1 * y[1, c]", "rate = b0 * y[0, c] - b1 * y[1, c]", ORDERS),
    Mutant("core/time", "69875 / 102672", "69875 / 102673", ORDERS),
    Mutant("core/time", "ERROR_WEIGHT = TABLE[5] - EMBEDDED", "ERROR_WEIGHT = 0.01 * (TABLE[5] - EMBEDDED)", TOLERANCE),
    Mutant(
        "core/time", "rate += TABLE[s, k] * stages.x_rate[k, c]", "rate -= TABLE[s, k] * stages.x_rate[k, c]", CASCADE
    ),
    Mutant("core/time", "known = (af * state.a[c] - am", "known = (af * state.a[c] + am", ORDERS),
    Mutant("core/time", "(0.5 - beta) * state.s[c]", "(0.5 + beta) * state.s[c]", ORDERS),
    Mutant("core/time", "ratio = (1.0 - af) / (1.0 - am)", "ratio = (1.0 - am) / (1.0 - af)", ORDERS),
    Mutant(
        "core/time", "control.step_error * h / control.error_time", "control.step_error", f"{ORACLE}::{SECOND_ORDER}"
    ),
    Mutant("core/time", "scaled = max(error / allowed", "scaled = max(0.01 * error / allowed", TOLERANCE),
    Mutant("core/time", "end = x[c] + share * integrator_rate(", "end = x[c] - share * integrator_rate(", CASCADE),
    Mutant(
        "core/time",
        "(x[c] + share * held) / (1.0 + share * pull)",
        "(x[c] + share * held) / (1.0 - share * pull)",
        CASCADE,
    ),
    Mutant("core/time", "held - pull * end, free_rate", "held + pull * end, free_rate", CASCADE),
    Mutant("core/time", "given += buffer.drive[c] * v[c]", "given -= buffer.drive[c] * v[c]", BOOK),
    Mutant("core/time", "book.work[k] += h * book.step[k]", "book.work[k] += 0.5 * h * book.step[k]", BOOK),
    Mutant("core/time", "(y * p0 - x * p1)", "(y * p0 + x * p1)", BOOK),
    Mutant("core/time", "piece[6] = 0.5 * u[i]", "piece[6] = u[i]", "tests/analyses/test_library.py"),
    Mutant("core/time", "(3.0 * slope - 2.0 * piece[5]", "(3.0 * slope - piece[5]", "tests/analyses/test_library.py"),
    Mutant("core/time", "stop = min(stop, switches[k])", "stop = max(stop, switches[k])", "tests/analyses/test_fmu.py"),
    Mutant("core/time", ".loss, v) + elastic_form(", ".loss, v) - elastic_form(", "tests/core/test_flexible_books.py"),
)

GRADIENT, NUMBERS = "tests/studies/test_gradient.py", "tests/core/test_derived_numbers.py"
_DERIVATIVES = (
    Mutant(
        "core/numbers",
        "quotient, inverse = b.fdiv(_value(b, x), y0)",
        "quotient, inverse = b.fdiv(y0, _value(b, x))",
        NUMBERS,
    ),
    Mutant("core/time", "state.v[c] += sign * value(state.a[c])", "state.v[c] -= sign * value(state.a[c])", GRADIENT),
    Mutant("core/time", "value(buffer.a[c] - state.a[c]) * own", "value(state.a[c] - buffer.a[c]) * own", GRADIENT),
    Mutant("core/time", "/ growth * excess", "/ growth * -excess", GRADIENT),
    Mutant("studies/design", "1.0 - factor", "factor - 1.0", "tests/studies/test_design.py"),
)

_SWEEPS = (
    Mutant(
        "core/sweeps", "_turned(row, _OWN, row, row, _U, 1.0)", "_turned(row, _OWN, row, row, _U, 2.0)", RIGID_TANGENT
    ),
    Mutant("core/sweeps", "row[_T + 3 * k + k] += 2.0 * along", "row[_T + 3 * k + k] += along", RIGID_TANGENT),
    Mutant("core/sweeps", "F) + spring[c, S_ROTOR] * a[c] + held", "F) - spring[c, S_ROTOR] * a[c] + held", IDENTITIES),
    Mutant(
        "core/sweeps", "entry = dot(motion(work[up], at.S), F)", "entry = -dot(motion(work[up], at.S), F)", IDENTITIES
    ),
    Mutant(
        "core/sweeps", "kinetic += 0.5 * spring[c, S_ROTOR] * v[c]", "kinetic += spring[c, S_ROTOR] * v[c]", LAGRANGE
    ),
    Mutant("core/sweeps", "gravity -= dot(g, plus(", "gravity += dot(g, plus(", LAGRANGE),
    Mutant("core/sweeps", "times(factor, plus(n, moment(", "times(-factor, plus(n, moment(", LAGRANGE),
    Mutant("core/sweeps", "2.0 * dot(w, gamma_rate) - 0.5", "dot(w, gamma_rate) - 0.5", FLEXIBLE),
    Mutant("core/sweeps", "times(2.0 * share, g)", "times(share, g)", FLEXIBLE),
    Mutant("core/sweeps", "f += 0.5 * row[to_m + k * n + j]", "f += row[to_m + k * n + j]", FLEXIBLE),
    Mutant("core/sweeps", "A, r)), g), cross(w, cross(w, r))", "A, r)), g), cross(w, cross(r, w))", SWUNG),
)

_PLACES = (
    Mutant("model/tip_path", "radius = blend / math.tan(half)", "radius = blend * math.tan(half) * 2.0", PATHS),
    Mutant("model/tip_path", "(-a + 16 * b - 30 * c", "(a + 16 * b - 30 * c", PATHS),
    Mutant("model/tip_path", "x**4 * (35.0", "x**4 * (34.0", PATHS),
    Mutant(
        "model/parts",
        "(1.0 - np.cos(turned)) * side",
        "(1.0 + np.cos(turned)) * side",
        CURVED,
    ),
    Mutant("model/parts", "found.append((station.at,", "found.append((1.0 - station.at,", TABLES),
)

_CONTACTS = (
    Mutant("core/time", "whole = needed + way * dry", "whole = needed - way * dry", FRICTION),
    Mutant("core/time", "change = -(1.0 + row[C_RESTITUTION])", "change = -(1.0 - row[C_RESTITUTION])", STOPS),
    Mutant("core/time", "tau[c] += slope * v[c] - grip * size", "tau[c] += slope * v[c] - 0.9 * grip * size", FRICTION),
)

MUTANTS = (
    _CONTACTS + _CORE + _DERIVATIVES + _STEPPERS + _SWEEPS + _STUDIES + _RESULTS + _PAGES + _ANALYSES + _LINKS + _PLACES
)
