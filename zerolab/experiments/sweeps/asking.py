"""Ask and tell: Optuna proposes what to try next and remembers what came of it."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from zerolab.errors import UsageError

if TYPE_CHECKING:
    import optuna

GRID, ONE_AT_A_TIME, TPE, NSGA2 = "grid", "one-at-a-time", "tpe", "nsga2"
METHODS = (GRID, ONE_AT_A_TIME, TPE, NSGA2)
STARTING = 8  # trials at random before proposals depend on results
POPULATION = 12  # of NSGA-II; Optuna's 50 would be all of a sweep of an evening
WARM_SHARE = 10  # percent of a run before which none is pruned
WARM = 4  # complete trials that a trial is compared with before any is pruned
SQLITE_PATIENCE = 60  # seconds that a process waits for another one's write


def open_study(
    directions: Sequence[str],
    method: str = TPE,
    seed: int = 0,
    storage: str | None = None,
    name: str = "sweep",
) -> "optuna.Study":
    """A study that is kept in a storage, new or as it is there; without one, in memory."""
    try:
        import optuna
    except ImportError:
        raise UsageError("sweeps need Optuna; install zerolab[train]") from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    try:
        study = optuna.create_study(
            storage=None if storage is None else _open_storage(storage),
            study_name=name,
            directions=[optuna.study.StudyDirection[each.upper()] for each in directions],
            pruner=optuna.pruners.MedianPruner(n_startup_trials=WARM, n_warmup_steps=WARM_SHARE),
            load_if_exists=True,
        )
    except (optuna.exceptions.StorageInternalError, ValueError, OSError) as error:
        raise UsageError(f"{storage} is no storage of Optuna: {_first_line(error)}") from None
    # A process that joins or resumes must not propose the same as the first one did.
    study.sampler = _sampler(method, seed + len(study.get_trials(deepcopy=False)))
    return study


def look_at_study(path: Path, name: str = "sweep") -> "optuna.Study":
    """A study in an SQLite file, to be read only; UsageError if there is none."""
    try:
        import optuna
        import sqlalchemy.exc
    except ImportError:
        raise UsageError("sweeps need Optuna; install zerolab[train]") from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)

    def connect() -> sqlite3.Connection:
        url = f"file:{quote(str(path))}?mode=ro"
        return sqlite3.connect(url, SQLITE_PATIENCE, uri=True, check_same_thread=False)

    try:
        storage = optuna.storages.RDBStorage("sqlite://", engine_kwargs={"creator": connect})
        return optuna.load_study(study_name=name, storage=storage)
    except (
        *(optuna.exceptions.StorageInternalError, sqlalchemy.exc.SQLAlchemyError),
        *(KeyError, ValueError, RuntimeError, OSError),
    ) as error:
        raise UsageError(f"{path.name} cannot be read: {_first_line(error)}") from None


def _open_storage(url: str) -> Any:
    import optuna
    import sqlalchemy.exc

    if "://" not in url:
        raise UsageError(f"'{url}' is no storage; expected a URL such as sqlite:///sweep.db")
    options = {"connect_args": {"timeout": SQLITE_PATIENCE}} if url.startswith("sqlite") else None
    try:
        return optuna.storages.RDBStorage(url, engine_kwargs=options)
    except (sqlalchemy.exc.SQLAlchemyError, ImportError) as error:
        raise UsageError(f"{url} cannot be used: {_first_line(error)}") from None


def _sampler(method: str, seed: int) -> "optuna.samplers.BaseSampler":
    import optuna

    if method == NSGA2:
        return optuna.samplers.NSGAIISampler(population_size=POPULATION, seed=seed)
    # A list of all trials is proposed in order; what the sampler would say does not matter.
    return optuna.samplers.TPESampler(seed=seed, n_startup_trials=STARTING)


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
