"""zerolab bench: what is asked for reaches what measures."""

from pathlib import Path

import pytest

from zerolab.interfaces.cli import main
from zerolab.interfaces.views import game_speed_view, network_speed_view, page_speed_view

# How long each is measured if nobody says, as the help tells it; no seconds: it has its own end.
SECONDS = {
    "playouts": 2.0,
    "search": 2.0,
    "solver": 60.0,
    "inference": 0.5,
    "selfplay": 4.0,
    "staged": 4.0,
    "online": 2.0,
    "learning": 4.0,
}
SHOWN_BY = {
    "playouts": "show_playouts",
    "search": "show_search_speed",
    "solver": "show_solver_speed",
    "inference": "show_inference_speed",
    "selfplay": "show_selfplay_speed",
    "staged": "show_staged_speed",
    "online": "show_online_speed",
    "learning": "show_learning_speed",
    "cold": "show_cold_starts",
    "web": "show_page_speed",
}


@pytest.fixture
def shown(monkeypatch):
    """What would be measured: the function that shows it, and its arguments after the output."""
    calls = []
    for view in (game_speed_view, network_speed_view, page_speed_view):
        for name in set(SHOWN_BY.values()) & set(vars(view)):

            def show(out, *arguments, name=name):
                calls.append((name, arguments))

            monkeypatch.setattr(view, name, show)
    return calls


@pytest.mark.parametrize("what", SHOWN_BY)
def test_each_measures_for_its_own_time_or_for_the_time_given(shown, what):
    main(["bench", what])
    main(["bench", what, "--seconds", "1.5"])
    assert [name for name, _ in shown] == [SHOWN_BY[what]] * 2
    times = [[each for each in arguments if isinstance(each, float)] for _, arguments in shown]
    assert times == ([[SECONDS[what]], [1.5]] if what in SECONDS else [[], []])


@pytest.mark.parametrize("what", ["playouts", "search", "solver", "selfplay"])
def test_peers_are_measured_only_if_asked_for(shown, what):
    main(["bench", what])
    main(["bench", what, "--peers"])
    assert [arguments[0] for _, arguments in shown] == [False, True]


@pytest.mark.parametrize("what", ["search", "inference"])
def test_the_plot_goes_where_it_is_told(shown, what):
    main(["bench", what])
    main(["bench", what, "--plot", "speed.svg"])
    assert [arguments[-1] for _, arguments in shown] == [None, Path("speed.svg")]


def test_the_peer_of_the_staged_loop(shown):
    checkout = ("--alpha-zero-general", "there")
    main(["bench", "staged", *checkout])
    main(["bench", "staged", *checkout, "--alpha-zero-general-python", "bin/python"])
    assert [arguments[:2] for _, arguments in shown] == [
        (Path("there"), None),
        (Path("there"), Path("bin/python")),
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["playouts", "--alpha-zero-general", "there"], "is for zerolab bench staged"),
        (["solver", "--alpha-zero-general-python", "python"], "is for zerolab bench staged"),
        (["staged", "--peers"], "CHECKOUT, which is not given"),
        (["staged", "--alpha-zero-general-python", "python"], "CHECKOUT, which is not given"),
        (["playouts", "--seconds", "0"], "--seconds 0.0 is not possible"),
        (["playouts", "--clicks", "5"], "is for zerolab bench web"),
        (["web", "--clicks", "0"], "is for zerolab bench web; expected 1 to 10000"),
        (["playouts", "--seconds", "600.5"], "--seconds 600.5 is not possible"),
    ],
)
def test_what_is_not_possible_is_refused(shown, capsys, arguments, message):
    with pytest.raises(SystemExit) as ended:
        main(["bench", *arguments])
    assert ended.value.code == 2
    assert message in capsys.readouterr().err
    assert shown == []


def test_the_clicks_on_the_page(shown):
    main(["bench", "web"])
    main(["bench", "web", "--clicks", "7"])
    assert [arguments for _, arguments in shown] == [(100, 20), (7, 20)]


def test_the_longest_time_is_possible(shown):
    main(["bench", "playouts", "--seconds", "600"])
    assert shown == [("show_playouts", (False, 600.0))]
