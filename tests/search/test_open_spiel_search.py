"""OpenSpiel's searches, node for node: the same games, evaluations and random numbers as ours.

Its MCTSBot in Python takes any evaluator and any source of random numbers, so it can be given ours;
the one in C++, `pyspiel.MCTSBot`, draws its own, and is compared on what many searches find.
"""

import numpy as np
import pytest

from tests.games.test_open_spiel import Peer, clobber_action
from tests.search.batched.test_batched_search import run
from tests.search.evaluators import one_by_one, scrambled
from tests.search.test_uct import search
from zerolab.games.base import NO_ACTION, random_action, step
from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.gobang import Gobang
from zerolab.games.notation import legal_list, num_actions
from zerolab.kernels.rng import random_below, stream
from zerolab.search.batched.tree import tree_at
from zerolab.search.proofs import NO_NODE, ROOT, UNPROVEN

pyspiel = pytest.importorskip("pyspiel")
mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")

CLOBBER = Peer(Clobber(3, 3), "clobber", {"rows": 3, "columns": 3}, clobber_action)
LARGER = Peer(Clobber(3, 4), "clobber", {"rows": 3, "columns": 4}, clobber_action)
TIC_TAC_TOE = Peer(Gobang(3, 3, 3), "tic_tac_toe", {})
CONNECT_FOUR = Peer(ConnectFour(4, 5), "connect_four", {"rows": 4, "columns": 5, "x_in_row": 4})


class Translated(mcts.Evaluator):
    """What both evaluators share: positions of theirs as ours, moves in our order."""

    def __init__(self, peer):
        self.game, self.peer = peer.game, peer

    def ours(self, state):
        position, back = initial_state(self.game, stream(0)), {}
        for played in state.history():
            back = {self.peer.action(self.game, a): a for a in legal_list(self.game, position)}
            step(self.game, position, back[played])
        return position

    def moves(self, state):
        """Ours and theirs, in our order, because the order decides among equals."""
        legal = legal_list(self.game, self.ours(state))
        return [(action, self.peer.action(self.game, action)) for action in legal]


class Rollouts(Translated):
    """Random games whose moves come from one of our streams, as does the order of moves."""

    def __init__(self, peer, rng):
        super().__init__(peer)
        self.rng = rng

    def prior(self, state):
        moves = self.moves(state)
        return [(theirs, 1 / len(moves)) for _, theirs in moves]

    def evaluate(self, state):
        play, position = state.clone(), self.ours(state)
        scratch = np.empty(num_actions(self.game), np.int64)
        while (action := random_action(self.game, position, scratch, self.rng)) != NO_ACTION:
            step(self.game, position, action)
            play.apply_action(self.peer.action(self.game, action))
        assert play.is_terminal()
        return np.array(play.returns())

    def shuffle(self, moves):
        for i in range(len(moves) - 1, 0, -1):
            j = random_below(self.rng, i + 1)
            moves[i], moves[j] = moves[j], moves[i]


class Opinions(Translated):
    """A network: priors of the legal moves, a value for the player to move."""

    def __init__(self, peer):
        super().__init__(peer)
        self.network = one_by_one(scrambled(peer.game))

    def prior(self, state):
        logits, _ = self.network(self.game, self.ours(state))
        moves = self.moves(state)
        weights = [np.exp(float(logits[ours])) for ours, _ in moves]
        return [(theirs, w / sum(weights)) for (_, theirs), w in zip(moves, weights, strict=True)]

    def evaluate(self, state):
        _, value = self.network(self.game, self.ours(state))
        return np.array([value, -value] if state.current_player() == 0 else [-value, value])

    def shuffle(self, moves):
        pass


def their_tree(peer, evaluator, c, simulations, rule):
    game = pyspiel.load_game(peer.name, peer.parameters)
    bot = mcts.MCTSBot(
        game, c, simulations, evaluator, solve=True, random_state=evaluator, child_selection_fn=rule
    )
    return bot.mcts_search(game.new_initial_state())


@pytest.mark.parametrize("peer", [CLOBBER, TIC_TAC_TOE, CONNECT_FOUR], ids=lambda peer: peer.name)
@pytest.mark.parametrize("c", [0.7, 2.0])
def test_uct_grows_the_tree_of_open_spiel(peer, c):
    theirs = their_tree(peer, Rollouts(peer, stream(1)), c, 250, mcts.SearchNode.uct_value)
    ours = search(peer.game, initial_state(peer.game, stream(0)), 250, c=c)
    assert peer.action(peer.game, ours.best_action()) == theirs.best_child().action

    def compare(node, their_node):
        tree = ours.tree
        assert tree.visits[node] == their_node.explore_count
        if their_node.explore_count == 0:
            return 0
        assert tree.total[node] == pytest.approx(their_node.total_reward)
        outcome = their_node.outcome and their_node.outcome[their_node.player]
        assert tree.proven[node] == (UNPROVEN if their_node.outcome is None else outcome)
        first = tree.first_child[node]
        assert tree.num_children[node] == len(their_node.children)
        count = 1
        for child, their_child in enumerate(their_node.children, start=first):
            assert peer.action(peer.game, int(tree.action[child])) == their_child.action
            count += compare(child, their_child)
        return count

    assert compare(ROOT, theirs) > 150


@pytest.mark.parametrize("peer", [CLOBBER, LARGER, CONNECT_FOUR], ids=lambda peer: str(peer.game))
@pytest.mark.parametrize("c", [0.7, 2.0])
def test_puct_grows_the_tree_of_open_spiel(peer, c):
    theirs = their_tree(peer, Opinions(peer), c, 200, mcts.SearchNode.puct_value)
    ours = run(peer.game, [initial_state(peer.game, stream(0))], uct_c=c, max_simulations=200)
    tree = tree_at(ours.trees, 0)
    assert peer.action(peer.game, ours.choose(0)) == theirs.best_child().action

    def compare(node, their_node):
        assert tree.visits[node] == their_node.explore_count
        first, edges = tree.first_edge[node], {}
        for edge in range(first, first + tree.num_edges[node]):
            edges[peer.action(peer.game, int(tree.action[edge]))] = edge
        count = 1
        for their_child in their_node.children:
            edge = edges.pop(their_child.action)
            assert tree.prior[edge] == pytest.approx(their_child.prior, rel=1e-5)
            assert tree.edge_visits[edge] == their_child.explore_count
            assert tree.edge_total[edge] == pytest.approx(their_child.total_reward, abs=1e-4)
            outcome = their_child.outcome and their_child.outcome[their_child.player]
            assert tree.exact[edge] == (UNPROVEN if their_child.outcome is None else outcome)
            if their_child.explore_count > 0:
                count += compare(tree.child[edge], their_child)
            else:
                assert tree.child[edge] == NO_NODE
        assert not their_node.children or not edges
        return count

    assert compare(ROOT, theirs) > 100


@pytest.mark.parametrize("c", [0.5, 2.0])
def test_many_searches_find_what_the_bot_in_c_plus_plus_finds(c):
    # 60 simulations of tic-tac-toe's first move: how many go to the middle, to corners, to sides.
    # c matters: the middle has 0.19 of the visits with 0.5, 0.14 with 2.
    game, searches, simulations = pyspiel.load_game("tic_tac_toe"), 1000, 60
    state = initial_state(Gobang(3, 3, 3), stream(0))
    theirs, ours = np.zeros((searches, 9)), np.zeros((searches, 9))
    for seed in range(searches):
        bot = pyspiel.MCTSBot(
            game, pyspiel.RandomRolloutEvaluator(1, seed), c, simulations, 1000, True, seed, False
        )
        for child in bot.mcts_search(game.new_initial_state()).children:
            theirs[seed, child.action] = child.explore_count / (simulations - 1)
        found = search(Gobang(3, 3, 3), state, simulations, seed, c=c, memory=2**20).analyse()
        for candidate in found.candidates:
            ours[seed, candidate.action] = candidate.visits / (simulations - 1)
    for cells in [4], [0, 2, 6, 8], [1, 3, 5, 7]:
        mine, others = (visits[:, cells].sum(axis=1) for visits in (ours, theirs))
        error = np.sqrt((mine.var() + others.var()) / searches)
        assert error < 0.01
        assert abs(mine.mean() - others.mean()) < 4 * error
