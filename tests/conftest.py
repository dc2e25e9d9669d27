import pytest


@pytest.fixture(scope="session", autouse=True)
def own_database(tmp_path_factory):
    """Solvers neither read nor write the database of the user who runs the tests."""
    directory = tmp_path_factory.mktemp("database")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("zerolab.solver.kept_values.cache_directory", lambda: directory)
        yield
