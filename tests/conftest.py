import pytest
from hypothesis import HealthCheck, settings

# For all tests: a busy machine is slow, and that is no fault.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


@pytest.fixture(scope="session", autouse=True)
def own_database(tmp_path_factory):
    """Solvers neither read nor write the database of the user who runs the tests."""
    directory = tmp_path_factory.mktemp("database")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("zerolab.solver.kept_values.cache_directory", lambda: directory)
        yield
