import signal

import pytest
from hypothesis import HealthCheck, settings

# For all tests: a busy machine is slow, and that is no fault.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


@pytest.fixture(scope="session", autouse=True)
def heeds_ctrl_c():
    """In the background of a shell SIGINT is ignored, and tests that send it would not end."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def own_database(tmp_path_factory):
    """Solvers neither read nor write the database of the user who runs the tests."""
    directory = tmp_path_factory.mktemp("database")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("zerolab.solver.values.database.cache_directory", lambda: directory)
        yield


def pytest_terminal_summary(terminalreporter):
    """A loud line for tests that were skipped because engines, or the site's tools, are missing."""
    from tests.documentation import NO_MKDOCS
    from tests.evaluation.engines.real import MISSING

    reasons = [report.longrepr[2] for report in terminalreporter.getreports("skipped")]
    missing = [each.partition(MISSING)[2] for each in reasons if MISSING in each]
    if missing:
        programs = " and ".join(sorted(set(missing)))
        line = f"{len(missing)} TESTS SKIPPED: {programs} not found; apt-get install has them"
        terminalreporter.write_sep("!", line, red=True, bold=True)
    if any(NO_MKDOCS in each for each in reasons):
        line = f"THE SITE OF DOCUMENTATION WAS NOT BUILT: {NO_MKDOCS}; make docs installs it"
        terminalreporter.write_sep("!", line, red=True, bold=True)
