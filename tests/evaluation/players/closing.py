"""Players that hold something that must be released, as others hold the process of an engine."""

from zerolab.evaluation.players.players import PlayerError, make_player


class Closing:
    """Plays like the player of its name, and counts how often it was closed."""

    def __init__(self, name):
        self.name = name
        self.closed = 0
        self._player = make_player(name)

    def choose(self, position, rng):
        return self._player.choose(position, rng)

    def close(self):
        self.closed += 1


class Unable(Closing):
    """Cannot play the game."""

    def check(self, game):
        raise PlayerError("not this game")


def counted(made, kind=Closing):
    """A `make_player` that notes the players it makes."""

    def make(name):
        made.append(kind(name))
        return made[-1]

    return make
