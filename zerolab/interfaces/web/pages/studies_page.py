"""Studies and tournaments: the papers' numbers beside ours, sweeps, players rated."""

from urllib.parse import urlencode

from nicegui import ui
from starlette.requests import Request

from zerolab.interfaces.web.pages.study_card import StudyCard
from zerolab.interfaces.web.pages.sweep_card import SweepCard
from zerolab.interfaces.web.pages.tournament_card import TournamentCard
from zerolab.interfaces.web.parts.page_frame import heading, page_frame
from zerolab.interfaces.web.site import Site
from zerolab.studies.registry import STUDIES

EVERY = 2.0  # seconds between looks at the results
FIRST = "damhuis-5.1"


def register(site: Site) -> None:
    """Give the page its address."""

    @ui.page("/studies")
    def studies(request: Request) -> None:
        study, tournament, sweep = (
            request.query_params.get(name, "")[:500] for name in ("study", "tournament", "sweep")
        )
        StudiesPage(site, study if study in STUDIES else FIRST, tournament, sweep)


class StudiesPage:
    """Three cards: a study, a tournament, a sweep."""

    def __init__(self, site: Site, study: str, tournament: str, sweep: str) -> None:
        with page_frame("Studies"):
            heading(
                "Studies and tournaments",
                "A study repeats a table of a paper and puts our numbers beside it. A tournament "
                "rates players in Elo, with errors. A sweep tells which settings matter.",
            )
            with ui.element("div").classes("zl-col"):
                self.study = StudyCard(site, study, self._remember)
                self.tournament = TournamentCard(site, tournament, self._remember)
                self.sweep = SweepCard(site, sweep, self._remember)
        ui.timer(EVERY, self._look)

    def _remember(self) -> None:
        """Keep what is shown in the address, so that loading the page again shows the same."""
        shown = {
            "study": self.study.study.value,
            "tournament": self.tournament.shown.value,
            "sweep": self.sweep.shown.value,
        }
        query = urlencode({name: value for name, value in shown.items() if value})
        ui.navigate.history.replace(f"/studies?{query}")

    async def _look(self) -> None:
        for card in (self.study, self.tournament, self.sweep):
            await card.look()
