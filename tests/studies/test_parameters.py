"""A model file with distributions: what is read, what is refused and how, and what arms its numbers make."""

import pickle
import re
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import flexarm as fa
from flexarm.errors import AnalysisError
from flexarm.model.parts.part import Part
from flexarm.model.reading.distributions import FAMILIES, HasDistributions
from flexarm.model.reading.file import arm_from_dict
from flexarm.model.reading.paths import path_of, placed
from flexarm.studies.parameters.distributions import families_of_openturns
from flexarm.studies.parameters.study_model import ImpossibleSample, parse_study, read_study, study_of


def test_parameters_are_named_by_their_places_and_reported_in_si_units(text):
    found = {p.name: (p.unit, p.mean, p.deviation) for p in parse_study(text).parameters}
    assert list(found) == [
        *("link[0].joint.rate", "link[0].length", "link[0].payload.mass", "random.width"),
        *("link[0].beam.section.height", "material.alloy.youngs_modulus", "material.alloy.density"),
        "motion.stop.braking_time",
    ]
    expected = {
        "link[0].joint.rate": ("rad/s", np.pi / 4, np.pi / 180),
        "link[0].length": ("m", 0.53, 1e-3),
        "link[0].payload.mass": ("kg", 1.0, 0.1),
        "random.width": ("m", 0.02, 1e-4),
        "link[0].beam.section.height": ("m", 0.005, 1e-4),
        "material.alloy.density": ("kg/m³", 2700.0, 200 / np.sqrt(12)),
        "motion.stop.braking_time": ("s", 0.5, 0.1 / np.sqrt(6)),
    }
    for name, (unit, mean, deviation) in expected.items():
        assert found[name][0] == unit
        # Moments pass through square roots and logarithms of OpenTURNS: a few roundings.
        assert found[name][1:] == pytest.approx((mean, deviation), rel=1e-12)


def test_the_nominal_arm_has_every_number_at_its_mean(text):
    arm = parse_study(text).nominal
    assert arm.links[0].length == 0.53
    assert [link.beam.section.width for link in arm.links] == [0.02, 0.02]
    assert arm.motions["stop"].braking_time == pytest.approx(0.5, rel=1e-14)


def test_the_text_comes_back_to_the_same_study(text, tmp_path):
    study = parse_study(text)
    again = parse_study(study.text)
    assert again.text == study.text
    assert again.parameters == study.parameters
    assert np.array_equal(again.draw(5, 0, 100), study.draw(5, 0, 100))
    (tmp_path / "arm.toml").write_text(text, encoding="utf-8")
    assert read_study(tmp_path / "arm.toml").text == study.text
    assert pickle.loads(pickle.dumps(study)).text == study.text


def test_a_table_in_a_csv_file_is_part_of_the_text(tmp_path, one):
    (tmp_path / "swing.csv").write_text("0, 0\n1, 30\n2, 60\n")
    law = '[motion.swing]\nkind = "table"\nfile = "swing.csv"\nunits = ["s", "deg"]'
    text = one('{ normal = ["1 m", "1 mm"] }', 'motion = "swing"', law)
    study = parse_study(text, folder=tmp_path)
    assert parse_study(study.text).nominal == study.nominal
    assert "file" not in study.text


@pytest.mark.parametrize(
    "table, mean, deviation",
    [
        ('{ normal = ["1 m", "2 mm"] }', 1.0, 2e-3),
        ('{ normal = "1 m", sd = "2 mm" }', 1.0, 2e-3),
        ('{ normal = "1 m", variance = "4 mm^2" }', 1.0, 2e-3),
        ('{ normal = "1 m", cov = "2 %" }', 1.0, 0.02),
        ('{ normal = "1 m", tolerance = "± 6 mm" }', 1.0, 2e-3),
        ('{ normal = "1 m", tolerance = "6 mm", sigmas = 2 }', 1.0, 3e-3),
        ("{ normal = [1, 0.002] }", 1.0, 2e-3),
        ('{ uniform = "1 m", tolerance = "±6 mm" }', 1.0, 6e-3 / np.sqrt(3)),
        ('{ uniform = "1 m", sd = "1 mm" }', 1.0, 1e-3),
        ('{ triangular = ["0 m", "1 m", "2 m"] }', 1.0, 1 / np.sqrt(6)),
        ('{ lognormal = ["1 m", "0.1 m"] }', 1.0, 0.1),
        ('{ lognormal = "1 m", cov = 0.1, shift = "0.5 m" }', 1.0, 0.1),
        ('{ beta = [2, 2, "0 m", "2 m"] }', 1.0, 1 / np.sqrt(5)),
        ('{ beta = "1 m", sd = "0.1 m", bounds = ["0 m", "3 m"] }', 1.0, 0.1),
        ('{ gumbel = ["1 m", "0.1 m"] }', 1.0, 0.1),
        ('{ weibull = ["1 m", "0.1 m"] }', 1.0, 0.1),
        ('{ gamma = ["1 m", "0.1 m"] }', 1.0, 0.1),
        ('{ discrete = ["500 mm", "1 m", "1.5 m"], weights = [1, 2, 1] }', 1.0, np.sqrt(0.125)),
        ('{ openturns = "Logistic", parameters = [1, 0.01] }', 1.0, 0.01 * np.pi / np.sqrt(3)),
        # Half a normal: mean μ + σ √(2/π), variance σ² (1 - 2/π).
        ('{ normal = ["1 m", "0.1 m"], least = "1 m" }', 1 + 0.1 * np.sqrt(2 / np.pi), 0.1 * np.sqrt(1 - 2 / np.pi)),
    ],
)
def test_every_way_to_write_a_distribution_has_its_moments(one, table, mean, deviation):
    (parameter,) = parse_study(one(table)).parameters
    # 1e-6: OpenTURNS finds the shape of a Weibull, and integrates bounded laws, to about that.
    assert (parameter.mean, parameter.deviation) == pytest.approx((mean, deviation), rel=1e-6)


@pytest.mark.parametrize(
    "table, sentence",
    [
        ('{ normal = ["1 m", "1 kg"] }', 'link[0].length: normal[1] is "1 kg", must be in m'),
        ('{ normal = ["1 m", "-1 mm"] }', 'link[0].length: normal[1] is "-1 mm", must be > 0'),
        ('{ normal = ["1 kg", "1 g"] }', 'link[0]: length is a distribution about "1.0 kg", must be a length'),
        ('{ normal = "1 m" }', "has none of sd, variance, cov and tolerance beside normal, must have one"),
        ('{ normal = "1 m", variance = "1 mm" }', 'variance is "1 mm", must be in m²'),
        ('{ normal = "1 m", cov = "1 mm" }', 'cov is "1 mm", must be a number'),
        ('{ normal = ["1 m", "1 mm"], sd = "1 mm" }', "sd is given with normal = [mean, sd]"),
        ('{ normal = ["1 m", "1 mm"], bonds = [0, 1] }', "bonds is not a key known here"),
        ('{ normal = ["1 m"] }', "normal is a list of 1, must be [mean, sd]"),
        ('{ normal = ["1 m", "1 mm"], uniform = [0, 1] }', "has normal and uniform, must be one distribution"),
        ('{ normal = ["-1 m", "1 mm"] }', 'length is a distribution about "-1.0 m", must be ≥ 0'),
        ('{ normal = ["1 m", "1 mm"], bounds = ["2 m", "3 m"] }', "bounds leave a probability of"),
        ("{ uniform = [2, 1] }", "uniform is [2, 1], must rise"),
        ('{ lognormal = ["-1 m", "1 mm"] }', "lognormal has the mean -1, must be > 0"),
        ('{ beta = "1 m", sd = "3 m", bounds = [0, 2] }', "which its bounds do not allow"),
        ('{ discrete = ["1 m", "1 m"] }', "discrete holds a value twice"),
        ('{ openturns = "Normel", parameters = [1, 2] }', '(did you mean "Normal"?)'),
        ('{ openturns = "Normal", parameters = [1, -2] }', "openturns cannot be made: "),
        (
            '{ openturns = "Logistic", parameters = [1] }',
            'parameters is [1], must be [mu, beta] of "Logistic"',
        ),
        ('{ openturns = "Normal", parameters = [1, 2, 3] }', 'must be [mu, sigma] of "Normal"'),
        ('{ openturns = "Beta", parameters = [] }', 'parameters is [], must be [alpha, beta, a, b] of "Beta"'),
        ('{ openturns = "Histogram", parameters = [1, 2] }', 'openturns is "Histogram", must be '),
        ('{ openturns = "Student", parameters = [1.5] }', "openturns cannot be made: "),
        ('{ normel = ["1 m", "1 mm"] }', 'or a distribution (did you mean "normal"?)'),
        ('{ random = "bar" }', 'random is "bar", must be the name of a [random.NAME], of which there is none'),
    ],
)
def test_a_distribution_that_cannot_be_is_reported_in_a_sentence_with_its_place(one, table, sentence):
    with pytest.raises(fa.ModelError) as error:
        parse_study(one(table), "arm.toml")
    reported = str(error.value)
    assert sentence in reported and reported.startswith("arm.toml: link[0]") and "\n" not in reported


def test_only_a_number_can_be_random(one):
    for joint, word in (('motion = { normal = ["1 m", "1 mm"] }', "motion"), ("free = { normal = [1, 2] }", "free")):
        with pytest.raises(fa.ModelError, match=word):
            parse_study(one(joint=joint))
    with pytest.raises(fa.ModelError, match=r"link\[0\].name: is a distribution, must be given plainly"):
        parse_study(one('"1 m"').replace('"link"', '{ normal = ["1 m", "1 mm"] }'))
    with pytest.raises(fa.ModelError, match="elements: is a distribution, must be given plainly"):
        parse_study(one(more="model = { elements = { normal = [10, 1] } }"))


def test_a_model_without_distributions_is_no_study(one):
    with pytest.raises(fa.ModelError, match="the model holds no distribution, must hold one"):
        parse_study(one())


def test_an_ordinary_reader_names_the_places_and_who_reads_them(text):
    with pytest.raises(HasDistributions) as error:
        fa.parse_arm(text, "arm.toml")
    assert "arm.toml: link[0].length: holds a distribution, must be read by flexarm.read_study" in str(error.value)


def test_names_of_laws_and_materials_may_be_those_of_distributions(one):
    law = '[motion.normal]\nkind = "hold"\n[material.beta]\nyoungs_modulus = 1e9\ndensity = 1000'
    assert fa.parse_arm(one('"1 m"', 'motion = "normal"', law)).motions["normal"].kind == "hold"


def test_no_part_of_a_model_has_a_key_that_would_make_it_a_distribution():
    def below(kind):
        return {kind}.union(*(below(sub) for sub in kind.__subclasses__()))

    keys = {field.alias or name for part in below(Part) for name, field in part.model_fields.items()}
    assert not keys & set(FAMILIES)


def test_a_frequency_may_be_given_for_a_rate_with_its_deviation(one):
    law = '[motion.turn]\nkind = "constant-rate"'
    text = one('"1 m"', 'motion = "turn", rate = { normal = ["2 Hz", "0.1 Hz"] }', law)
    (parameter,) = parse_study(text).parameters
    assert (parameter.unit, parameter.mean, parameter.deviation) == pytest.approx(("rad/s", 4 * np.pi, 0.2 * np.pi))


def test_entries_of_vectors_initial_values_gains_loads_and_laws_may_be_random(one):
    joint = 'motion = "go", servo = { kp = { normal = ["100 N m/rad", "1 N m/rad"] }, kv = "1 N m s/rad" }'
    more = """
payload = [{ mass = "1 kg", offset = [0, { uniform = ["-1 mm", "1 mm"] }, 0] }]
[motion.go]
kind = "cycloidal"
travel = { normal = ["30 deg", "0.1 deg"] }
duration = "1 s"
[[load]]
link = "link"
force = [0, { gumbel = ["10 N", "1 N"] }, 0]
[simulation]
start = { "link.bending_z1" = { normal = ["0 rad", "1 mrad"] } }
"""
    study = parse_study(one(joint=joint, more=more))
    units = {p.name: p.unit for p in study.parameters}
    assert units == {
        "link[0].joint.servo.kp": "N m/rad",
        "link[0].payload[0].offset[1]": "m",
        "motion.go.travel": "rad",
        "load[0].force[1]": "N",
        'simulation.start."link.bending_z1"': "rad",
    }
    values = [101.0, 1e-3, 0.5, 11.0, 2e-3]
    arm = study.arm([values[list(units).index(p.name)] for p in study.parameters])
    assert arm.links[0].joint.servo.kp == 101.0 and arm.loads[0].force[1] == 11.0
    assert arm.motions["go"].travel == 0.5 and arm.motions["go"].unit == "rad"
    assert arm.simulation.start["link.bending_z1"] == 2e-3 and arm.links[0].payloads[0].offset[1] == 1e-3


def test_a_thicker_link_is_heavier_and_stiffer_in_the_powers_of_its_section(text):
    study = parse_study(text).only("link[0].beam.section.height")
    thin, thick = (study.arm([h]).links[0].beam.properties() for h in (0.005, 0.006))
    # Mass goes as h, bending in the plane as h³: exact but for a few roundings.
    assert thick.mass_per_length / thin.mass_per_length == pytest.approx(1.2, rel=1e-14)
    assert thick.EIz / thin.EIz == pytest.approx(1.2**3, rel=1e-14)


def test_a_named_distribution_gives_one_number_to_all_its_places(text):
    study = parse_study(text)
    arm = study.arm(study.draw(3, 8, 9)[0])
    assert arm.links[0].beam.section.width == arm.links[1].beam.section.width != 0.02
    assert arm.links[0].beam.material_data == arm.links[1].beam.material_data == arm.materials["alloy"]


def test_the_arm_of_a_sample_is_that_of_the_whole_file_read_again(text):
    study = parse_study(text)
    body = {key: value for key, value in study.data.items() if key not in ("random", "correlation")}
    for row in study.draw(1, 0, 5):
        values = [entry for p, value in zip(study.parameters, row, strict=True) for entry in p.entries(value)]
        whole = arm_from_dict(placed(body, values))
        # all samples have the elements that were chosen for the nominal arm
        pairs = zip(whole.links, study.nominal.links, strict=True)
        links = tuple(
            link.changed(model=nominal.formulation.changed(elements=nominal.formulation.elements))
            for link, nominal in pairs
        )
        assert study.arm(row) == whole.changed(links=links)
        assert [link.beam.properties() for link in study.arm(row).links] == [
            link.beam.properties() for link in whole.links
        ]


def test_impossible_numbers_are_refused_in_a_sentence(text):
    study = parse_study(text).only("link[0].beam.section.height")
    with pytest.raises(ImpossibleSample, match=r"link\[0\].beam.section: height is -0.001 m, must be > 0"):
        study.arm([-1e-3])
    with pytest.raises(ImpossibleSample, match="must be finite"):
        study.arm([np.nan])
    with pytest.raises(AnalysisError, match="must be one number for each"):
        study.arm([1.0, 2.0])


def test_one_parameter_alone_keeps_its_numbers_and_leaves_the_others_at_their_means(text):
    study = parse_study(text)
    alone = study.only("link[0].payload.mass")
    column = study.names.index("link[0].payload.mass")
    assert np.array_equal(alone.draw(4, 0, 50)[:, 0], study.draw(4, 0, 50)[:, column])
    assert alone.nominal == study.nominal
    assert study.only(["width", "link[0].length"]).dependence.matrix[0, 1] == 0.3
    with pytest.raises(AnalysisError, match="there is no random parameter"):
        study.only("height")


def test_a_study_can_be_made_of_an_arm_in_python(one):
    arm = fa.parse_arm(one())
    study = study_of(arm, {"link[0].length": {"normal": ["1 m", "1 mm"]}, "link[0].joint.damping": {"uniform": [1, 2]}})
    assert study.names == ("link[0].joint.damping", "link[0].length")
    more = study_of(study, {"gravity": [0, 0, {"normal": ["-9.81 m/s^2", "0.01 m/s^2"]}]})
    assert "gravity[2]" in more.names and len(more.parameters) == 3
    with pytest.raises(AnalysisError, match="is not a place of the model"):
        study_of(arm, {"link[7].length": {"normal": [1, 1]}})


def test_numbers_of_numpy_are_written_as_toml(one):
    table = {"normal": np.array([1.0, 0.1]), "least": np.float64(0.5)}
    study = study_of(fa.parse_arm(one()), {"link[0].length": table})
    assert parse_study(study.text).parameters == study.parameters


RUBBISH = st.recursive(
    st.one_of(
        *(st.floats(), st.integers(-(10**400), 10**400), st.booleans(), st.text(max_size=4), st.none()),
        st.sampled_from(["1 m", "2 mm", "1 kg", "±1 mm", "5 %", "Normal", "Student"]),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=3), inner, max_size=2)),
    max_leaves=6,
)
KEYS = st.sampled_from(
    ["sd", "variance", "cov", "tolerance", "sigmas", "bounds", "least", "shift", "weights", "parameters"]
)


@settings(max_examples=max(300, settings().max_examples), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(family=st.sampled_from(FAMILIES), value=RUBBISH, more=st.dictionaries(KEYS, RUBBISH, max_size=3))
def test_rubbish_in_a_distribution_is_refused_and_never_a_crash(one, family, value, more):
    try:
        study_of(fa.parse_arm(one()), {"link[0].length": {family: value, **more}})
    except fa.ModelError as error:
        assert "\n" not in str(error)


@settings(max_examples=max(100, settings().max_examples), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(table=st.dictionaries(st.sampled_from(["pairs", "copula", "measure", "x"]), RUBBISH, max_size=3), entry=RUBBISH)
def test_rubbish_in_a_correlation_is_refused_and_never_a_crash(one, table, entry):
    laws = {"link[0].length": {"normal": [1, 0.1]}, "link[0].joint.damping": {"uniform": [1, 2]}}
    names = list(laws)
    for correlation in (table, {**table, "pairs": [[*names, entry]]}, {"pairs": [[*names, 0.5, entry]]}):
        with suppress(fa.ModelError):
            study_of(fa.parse_arm(one()), laws, correlation=correlation)


def test_every_family_of_openturns_that_is_offered_can_be_made_from_its_own_numbers():
    import openturns as ot

    offered = families_of_openturns()
    assert {"InverseGamma", "Logistic", "WeibullMax"} <= set(offered)
    for name in offered:
        numbers = list(getattr(ot, name)().getParameter())
        assert list(getattr(ot, name)(*numbers).getParameter()) == numbers


def test_places_are_found_by_their_names():
    assert path_of("link[0].offset[2]") == ("link", 0, "offset", 2)
    assert path_of('simulation.start."rod.bending_z1"') == ("simulation", "start", "rod.bending_z1")
    assert path_of("link[") is None


@pytest.mark.parametrize(
    "pairs, sentence",
    [
        ('[["link[0].length", "widht", 0.3]]', 'pairs[0][1] is "widht", must be a random parameter'),
        ('[["link[0].length", "width", 1.3]]', "pairs[0][2] is 1.3, must be between -1 and 1"),
        ('[["link[0].length", "link[0].length", 0.3]]', "with itself"),
        ('[["link[0].length", "width"]]', "must be [one, other, number]"),
        ('[["link[0].length", "width", 0.3], ["width", "link[0].length", 0.2]]', "is the pair of pairs[0] again"),
        ('[["link[0].length", "width", 0.3, "clayten"]]', '(did you mean "clayton"?)'),
        ('[["link[0].length", "width", 2.0, "joe"]]', '[3] is "joe", must be "gaussian", "clayton", "frank", "gumbel"'),
        (
            '[["link[0].length", "width", 2.0, "clayton"]]\nmeasure = "kendall"',
            'measure is "kendall" beside copulas that are not gaussian, must be left out',
        ),
        ('[["link[0].length", "width", -3.0, "clayton"]]', "which no clayton copula has"),
        (
            '[["link[0].length", "width", 2.0, "clayton"], ["width", "link[0].joint.rate", 0.2]]',
            "stands in more than one pair",
        ),
        (
            '[["link[0].length", "width", 0.9], ["width", "link[0].joint.rate", 0.9], '
            '["link[0].length", "link[0].joint.rate", -0.9]]',
            "not positive definite (smallest eigenvalue -0.8)",
        ),
    ],
)
def test_correlations_that_cannot_be_are_reported_in_a_sentence(text, pairs, sentence):
    changed = text[: text.index("pairs")] + f"pairs = {pairs}\n"
    with pytest.raises(fa.ModelError) as error:
        parse_study(changed, "arm.toml")
    assert sentence in str(error.value) and str(error.value).startswith("arm.toml: correlation: ")


def test_a_measure_goes_with_the_last_pair_it_is_for(text):
    pairs = (
        '[["link[0].length", "width", 2.0, "clayton"], ["material.alloy.youngs_modulus", "link[0].joint.rate", 0.2]]'
    )
    study = parse_study(f'{text[: text.index("pairs")]}pairs = {pairs}\nmeasure = "kendall"')
    some = study.only(["link[0].length", "width"])
    assert "measure" not in some.data["correlation"] and len(some.dependence.pairs) == 1


@pytest.mark.parametrize("key", ["end", "output"])
def test_times_that_all_samples_share_cannot_be_random(text, key):
    plain = text.replace('end = "2 s"', 'end = "2 s"\noutput = "1 ms"')
    with pytest.raises(fa.ModelError) as error:
        parse_study(
            re.sub(rf"^{key} = .*$", f'{key} = {{ uniform = ["1 ms", "2 ms"] }}', plain, flags=re.M), "arm.toml"
        )
    reported = "is a distribution, must be one time for all samples, which are compared at it"
    assert str(error.value) == f"arm.toml: simulation.{key}: {reported}"


def test_a_distribution_nobody_uses_or_for_two_units_is_refused(one):
    table = '[random.bar]\nnormal = ["1 m", "1 mm"]'
    with pytest.raises(fa.ModelError, match=r"random\.bar: is used nowhere"):
        parse_study(one('{ normal = ["1 m", "1 mm"] }', more=table))
    bare = table.replace('"1 m", "1 mm"', "1, 0.001")
    with pytest.raises(fa.ModelError, match=r"random\.bar: is used where m and rad are asked for"):
        parse_study(one('{ random = "bar" }', 'at = { random = "bar" }', bare))
