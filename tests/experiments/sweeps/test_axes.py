import pytest

from tests.experiments.sweeps.small import BASE
from zerolab.errors import UsageError
from zerolab.experiments.sweeps.axes import (
    Range,
    Values,
    Variants,
    grid,
    one_at_a_time,
    parse_axes,
    settings_of,
)


def test_values_have_the_type_of_the_setting():
    axes = parse_axes(BASE, ["max_simulations=25,100", "search.uct_c=1,2", "arena=true,false"])
    assert axes == (
        Values("max_simulations", (25, 100)),
        Values("uct_c", (1.0, 2.0)),
        Values("arena", (True, False)),
    )
    assert [type(value) for axis in axes for value in axis.values] == [int] * 2 + [float] * 2 + [
        bool
    ] * 2


def test_ranges():
    wide, narrow, whole = parse_axes(
        BASE, ["learning_rate=1e-4..1e-2", "uct_c=0.5..2.0", "max_simulations=2..100"]
    )
    assert wide == Range("learning_rate", 1e-4, 1e-2)
    assert (wide.is_logarithmic, wide.is_whole) == (True, False)
    assert (narrow.is_logarithmic, narrow.is_whole) == (False, False)
    assert (whole.is_logarithmic, whole.is_whole) == (True, True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("colour=1,2", "'colour=1,2' cannot be varied; expected KEY=VALUE"),
        ("uct_c", "'uct_c' cannot be varied"),
        ("uct_c=", "cannot be varied"),
        ("uct_c=2..1", "'uct_c=2..1' is not a range"),
        ("arena=false..true", "is not a range"),
        ("uct_c=1,1.0", "has a value twice"),
        ("uct_c=x,1", "uct_c: Input should be a valid number"),
        ("epochs=0,1", "epochs: Input should be greater than or equal to 1"),
    ],
)
def test_what_cannot_be_varied(text, message):
    with pytest.raises(UsageError, match=message):
        parse_axes(BASE, [text])


def test_a_setting_is_varied_once():
    with pytest.raises(UsageError, match="'uct_c' is varied twice"):
        parse_axes(BASE, ["uct_c=1,2", "search.uct_c=3,4"])


def test_a_grid_is_all_combinations():
    axes = (Values("a", (1, 2)), Values("b", ("x", "y", "z")))
    found = grid(axes)
    assert found[0] == {"a": 1, "b": "x"}
    assert found[1] == {"a": 1, "b": "y"}
    assert {(each["a"], each["b"]) for each in found} == {(a, b) for a in (1, 2) for b in "xyz"}
    assert len(found) == 6


def test_one_at_a_time_changes_one_setting_only():
    axes = parse_axes(BASE, ["max_simulations=2,3,4", "uct_c=0.5,1.0"])
    assert one_at_a_time(axes, BASE) == [
        {"max_simulations": 2, "uct_c": 1.0},
        {"max_simulations": 3, "uct_c": 1.0},
        {"max_simulations": 4, "uct_c": 1.0},
        {"max_simulations": 2, "uct_c": 0.5},
    ]


def test_lists_of_trials_need_values_and_the_default():
    with pytest.raises(UsageError, match="uct_c has a range; a list of all trials needs values"):
        grid(parse_axes(BASE, ["uct_c=0.5..2.0"]))
    with pytest.raises(UsageError, match=r"needs the default among the values: uct_c is 1\.0"):
        one_at_a_time(parse_axes(BASE, ["uct_c=0.5,2.0"]), BASE)
    with pytest.raises(UsageError, match=r"a grid of 1,000,000 trials is too large"):
        grid([Values(name, tuple(range(100))) for name in "abc"])


def test_variants_change_several_settings():
    axes = (Variants("variant", {"ours": {}, "fast": {"epochs": 1, "episodes": 3}}),)
    assert grid(axes) == [{"variant": "ours"}, {"variant": "fast"}]
    assert settings_of(axes, {"variant": "fast"}) == {"epochs": 1, "episodes": 3}
    assert settings_of(axes, {"variant": "ours"}) == {}
