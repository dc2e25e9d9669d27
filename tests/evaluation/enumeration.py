"""Perfect play by looking at every line: slow and obvious."""

import numpy as np

from zerolab.games.base import player_to_move, step, terminal_value
from zerolab.games.notation import legal_list


class Enumeration:
    def __init__(self, game):
        self.game = game
        self._known = {}

    def after(self, state, action):
        after = state.copy()
        step(self.game, after, action)
        return after

    def value(self, state):
        """For the player to move."""
        key = state.tobytes()
        if key not in self._known:
            values = self.moves(state).values()
            self._known[key] = max(values) if values else int(terminal_value(self.game, state))
        return self._known[key]

    def moves(self, state):
        values = {}
        for action in legal_list(self.game, state):
            after = self.after(state, action)
            assert player_to_move(after) != player_to_move(state)
            values[action] = -self.value(after)
        return values

    def keeping(self, state):
        values = self.moves(state)
        return {action for action, value in values.items() if value == max(values.values())}

    def choose(self, states):
        """Perfect play, the last move where there is a choice."""
        return np.array([max(self.keeping(state)) for state in states])
