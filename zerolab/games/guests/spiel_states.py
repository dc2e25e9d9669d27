"""What OpenSpiel knows of a state: the rules of its games, called by kernels through addresses.

For each state that a search comes across, OpenSpiel's own is kept, until there are too many; then
it is made again from the actions. All functions run with the interpreter locked, so threads take
turns.
"""

import array
import contextlib
import ctypes
import difflib
import os
import tempfile
import threading
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from zerolab.games.base import BLACK, GameError

PASS = "pass"
MOST_STATES = 10_000  # for each game; some kB each
_WORD = 8  # bytes

_lock = threading.Lock()
_games: dict[str, "SpielStates"] = {}  # by any text that was given
_numbered: list["SpielStates"] = []


class Source:
    """A game of OpenSpiel by its text; as a number, for kernels, its place in this process."""

    def __init__(self, text: str) -> None:
        self.text = load("".join(text.split())).text

    def __int__(self) -> int:
        return load(self.text).number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Source) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[Any, ...]:
        return Source, (self.text,)


class Known(NamedTuple):
    """What OpenSpiel says of one state."""

    spiel: Any
    """pyspiel's state. It is shared, so nobody may change it."""
    legal: bytes
    """The legal actions, as they stand in a buffer."""
    must_pass: bool


class SpielStates:
    """One game of OpenSpiel and its states."""

    def __init__(self, game: Any, text: str, number: int) -> None:
        self.text, self.number, self.game = text, number, game
        self.actions: int = game.num_distinct_actions()
        self.longest: int = game.max_game_length()
        self.scale = max(abs(game.min_utility()), abs(game.max_utility()))
        self.shape = _as_planes(game.observation_tensor_shape())
        start = game.new_initial_state()
        self.first = int(start.current_player())
        self.bits = max(1, (self.actions - 1).bit_length())
        self.per_word = 64 // self.bits
        self.words = -(-self.longest // self.per_word)
        self._start = start
        self._known: dict[bytes, Known] = {}

    def know(self, place: int) -> Known:
        """What is known of the state at an address."""
        turn = ctypes.c_uint64.from_address(place).value
        key = self._key(place, turn >> 1)
        known = self._known.get(key)
        if known is None:
            spiel = self._start.clone()
            for action in self.history(key):
                spiel.apply_action(action)
            known = self._keep(key, spiel, turn & 1)
        return known

    def step(self, place: int, action: int) -> None:
        """Play a legal action in the state at an address."""
        word = ctypes.c_uint64.from_address(place)
        known = self.know(place)
        count, player = word.value >> 1, word.value & 1
        if known.must_pass:
            word.value ^= 1
            self._keep(self._key(place, count), known.spiel, 1 - player)
            return
        if count == self.longest:  # there is no room for more
            raise GameError(f"{self.text} lasts longer than the {count} moves OpenSpiel promises")
        at, shift = divmod(count, self.per_word)
        target = ctypes.c_uint64.from_address(place + _WORD * (1 + at))
        target.value |= action << (shift * self.bits)
        word.value = (count + 1) << 1 | (1 - player)
        key = self._key(place, count + 1)
        if key not in self._known:
            self._keep(key, known.spiel.child(action), 1 - player)

    def terminal_value(self, place: int) -> float:
        """For our player to move."""
        returns = self.know(place).spiel.returns()
        return float(returns[self.swap(_mover(place))] / self.scale)

    def planes(self, place: int, is_own: bool) -> bytes:
        """What the player to move observes, or Black, and whether Black is to move."""
        player = _mover(place)
        viewer = self.swap(player if is_own else BLACK)
        observed = np.array(self.know(place).spiel.observation_tensor(viewer), np.float32)
        turn = np.full(self.shape[1] * self.shape[2], player == BLACK, np.float32)
        return observed.tobytes() + turn.tobytes()

    def moves(self, place: int) -> dict[str, int]:
        """The legal actions by their texts, without spaces; numbers where texts are ambiguous."""
        known = self.know(place)
        if known.must_pass:
            return {PASS: self.actions}
        actions = [*array.array("q", known.legal)]
        texts = ["_".join(known.spiel.action_to_string(action).split()) for action in actions]
        if len(set(texts)) < len(texts):
            texts = [str(action) for action in actions]
        return dict(zip(texts, actions, strict=True))

    def actions_to(self, place: int) -> list[int]:
        """The actions that led to a state, passes included."""
        turn = ctypes.c_uint64.from_address(place).value
        spiel, player = self._start.clone(), BLACK
        actions = []
        for action in self.history(self._key(place, turn >> 1)):
            if self.swap(spiel.current_player()) != player:
                actions.append(self.actions)
                player = 1 - player
            actions.append(action)
            spiel.apply_action(action)
            player = 1 - player
        return [*actions, self.actions] if player != turn & 1 else actions

    def history(self, key: bytes) -> list[int]:
        """OpenSpiel's actions that led to a state."""
        turn, *words = array.array("Q", key)
        mask = (1 << self.bits) - 1
        places = (divmod(index, self.per_word) for index in range(turn >> 1))
        return [words[at] >> (shift * self.bits) & mask for at, shift in places]

    def swap(self, player: int) -> int:
        """Our player for one of OpenSpiel's, and the other way round."""
        return player ^ self.first

    def _key(self, place: int, count: int) -> bytes:
        return ctypes.string_at(place, _WORD * (1 + -(-count // self.per_word)))

    def _keep(self, key: bytes, spiel: Any, player: int) -> Known:
        must_pass = False
        legal: list[int] = []
        if not spiel.is_terminal():
            must_pass = self.swap(spiel.current_player()) != player
            legal = [self.actions] if must_pass else spiel.legal_actions()
        known = Known(spiel, array.array("q", legal).tobytes(), must_pass)
        if len(self._known) >= MOST_STATES:
            self._known.clear()
        self._known[key] = known
        return known


def load(text: str) -> SpielStates:
    """The game of that text, loaded once in each process."""
    with _lock:
        if text not in _games:
            game = _make(text)
            name = str(game).removesuffix("()")
            if name not in _games:
                _games[name] = SpielStates(game, name, len(_numbered))
                _numbered.append(_games[name])
            _games[text] = _games[name]
        return _games[text]


def legal_actions(number: int, place: int, target: int) -> int:
    """Write the legal actions of a state to an address; return how many there are."""
    legal = _numbered[number].know(place).legal
    ctypes.memmove(target, legal, len(legal))
    return len(legal) // _WORD


def step(number: int, place: int, action: int) -> None:
    """Play a legal action in a state."""
    _numbered[number].step(place, action)


def terminal_value(number: int, place: int) -> float:
    """The value of the end of the game for the player to move."""
    return _numbered[number].terminal_value(place)


def write_planes(number: int, place: int, target: int, is_own: bool) -> None:
    """Write planes to an address."""
    planes = _numbered[number].planes(place, is_own)
    ctypes.memmove(target, planes, len(planes))


def _mover(place: int) -> int:
    return ctypes.c_uint64.from_address(place).value & 1


def _as_planes(sizes: Sequence[int]) -> tuple[int, int, int]:
    """Planes, rows and columns of a tensor [P, R, C], [P, n] or [n]."""
    if len(sizes) < 3:
        return int(np.prod(sizes[:-1])), 1, sizes[-1]
    return int(np.prod(sizes[:-2])), sizes[-2], sizes[-1]


def _make(text: str) -> Any:
    import pyspiel

    name = text.partition("(")[0]
    names = pyspiel.registered_names()
    if name not in names:
        near = difflib.get_close_matches(name, names, 3) or ["breakthrough(rows=6,columns=6)"]
        raise GameError(
            f"OpenSpiel has no game '{name}'; expected a name such as {', '.join(near)}"
        )
    try:
        with _silent():
            game = pyspiel.load_game(text)
            problem = _problem(game, pyspiel.GameType)
            begins = bool(problem) or game.new_initial_state().is_player_node()
    except (RuntimeError, ValueError, MemoryError) as error:
        raise GameError(f"OpenSpiel cannot make '{text}': {str(error).rstrip('.')}") from error
    if problem or not begins:
        raise GameError(
            f"'{text}' of OpenSpiel {problem or 'is over before it begins'}; expected a game for "
            "two players in turn with perfect information, no chance, and a zero sum at its end"
        )
    return game


def _problem(game: Any, kinds: Any) -> str:
    """Why we cannot play a game; empty if we can."""
    kind = game.get_type()
    needs = {
        f"has {game.num_players()} players": game.num_players() == 2,
        "has simultaneous moves": kind.dynamics == kinds.Dynamics.SEQUENTIAL,
        "has chance": kind.chance_mode == kinds.ChanceMode.DETERMINISTIC,
        "has hidden information": kind.information == kinds.Information.PERFECT_INFORMATION,
        "has no zero sum": kind.utility == kinds.Utility.ZERO_SUM,
        "has rewards before its end": kind.reward_model == kinds.RewardModel.TERMINAL,
        "has no tensor of observations": kind.provides_observation_tensor,
    }
    return next((problem for problem, is_met in needs.items() if not is_met), "")


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """Without what OpenSpiel prints beside its exceptions."""
    kept = os.dup(2)
    with tempfile.TemporaryFile() as nowhere:
        os.dup2(nowhere.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)
