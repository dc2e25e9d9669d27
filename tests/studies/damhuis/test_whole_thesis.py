"""All of damhuis: what is reported if it is stopped, and if it is not."""

from zerolab.studies.damhuis import whole_thesis
from zerolab.studies.report import Report


def report(title, is_complete=True, values=({},)):
    return Report(title, (), [], list(values), "", is_complete)


def run(monkeypatch, *tables):
    asked = []

    def table(size, seed, on_progress):
        asked.append(size)
        return report(f"simple {len(asked)}", is_complete=len(asked) < 2)

    monkeypatch.setattr(whole_thesis, "_networks", lambda *rest: [*tables, report("claims")])
    monkeypatch.setattr(whole_thesis, "QUICK", ((table, 10), (table, 20), (table, 30)))
    found = whole_thesis.everything((), 5, 1, None, lambda done, total: None)
    return [each.title for each in found], asked


def test_stopped_among_the_networks_it_has_the_tables_begun(monkeypatch):
    tables = report("5.4"), report("5.5", is_complete=False), report("5.6", False, values=())
    assert run(monkeypatch, *tables) == (["5.4", "5.5", "claims"], [])


def test_other_agents_follow_until_one_is_stopped(monkeypatch):
    titles, asked = run(monkeypatch, report("5.4"), report("5.5"))
    assert titles == ["5.4", "5.5", "claims", "simple 1", "simple 2"]
    assert asked == [10, 20]
