"""The slow, obvious twins of the searches: recursive, on objects, as one would write them on paper.

They draw from the same streams in the same order, so they agree with the fast ones to the visit.
"""

import math

import numpy as np

from zerolab.games.base import num_players, player_to_move, random_action, step, terminal_value
from zerolab.games.notation import legal_list, num_actions
from zerolab.games.rng import random_below


class UctNode:
    def __init__(self, action=None, mover=0):
        self.action, self.mover = action, mover
        self.children, self.visits, self.total, self.proven = [], 0, 0.0, None


def value_for_black(game, state):
    value = terminal_value(game, state)
    return value if num_players(game) == 1 or player_to_move(state) == 0 else -value


def for_player(game, value, player):
    return value if num_players(game) == 1 or player == 0 else -value


def uct_twin(game, state, simulations, c, rollouts, rng):
    """The root of a tree grown as OpenSpiel's MCTSBot grows it."""
    root = UctNode(mover=player_to_move(state))
    for _ in range(simulations):
        if root.proven is not None or len(root.children) == 1:
            break
        uct_simulation(game, root, state.copy(), c, rollouts, rng)
    return root


def uct_simulation(game, node, state, c, rollouts, rng):
    """Returns the value for Black and whether it is exact."""
    player = player_to_move(state)
    if node.visits > 0 and not node.children:
        actions = legal_list(game, state)
        for i in range(len(actions) - 1, 0, -1):
            j = random_below(rng, i + 1)
            actions[i], actions[j] = actions[j], actions[i]
        node.children = [UctNode(action, player) for action in actions]
    if node.visits > 0 and node.children:
        child = max(node.children, key=lambda each: uct_bound(each, node.visits, c))
        step(game, state, child.action)
        value, is_exact = uct_simulation(game, child, state, c, rollouts, rng)
        if is_exact:
            proven = [each.proven for each in node.children]
            known = [each for each in proven if each is not None]
            if None not in proven or max(known) == 1:
                best = max(known)
                same = num_players(game) == 1 or node.mover == player
                node.proven = best if same else -best
            else:
                is_exact = False
    else:
        value, is_exact = roll_out(game, state, rollouts, rng)
        if is_exact:
            node.proven = for_player(game, value, node.mover)
    node.visits += 1
    node.total += for_player(game, value, node.mover)
    return value, is_exact


def uct_bound(node, parent_visits, c):
    if node.proven is not None:
        return node.proven
    if node.visits == 0:
        return math.inf
    share = 1 / node.visits
    return node.total * share + c * math.sqrt(math.log(parent_visits) * share)


def roll_out(game, state, rollouts, rng):
    if not legal_list(game, state):
        return value_for_black(game, state), True
    scratch = np.empty(num_actions(game), np.int64)
    total = 0.0
    for _ in range(rollouts):
        play = state.copy()
        while (action := random_action(game, play, scratch, rng)) != -1:
            step(game, play, action)
        total += value_for_black(game, play)
    return total / rollouts, False


def single(number):
    """Edges keep single precision."""
    return float(np.float32(number))


class PuctNode:
    """A position; `edges` maps actions to edges once it is evaluated."""

    def __init__(self, state):
        self.state = state
        self.edges, self.visits, self.total, self.value, self.proven = {}, 0, 0.0, 0.0, None


class PuctEdge:
    def __init__(self, logit):
        self.logit, self.prior = logit, 0.0
        self.child, self.visits, self.total, self.exact = None, 0, 0.0, None

    def mean(self):
        return self.exact if self.exact is not None else self.total / self.visits


def puct_twin(game, state, simulations, choose, evaluate):
    """The root after so many simulations; `choose(node, is_root, simulation)` picks an action."""
    root = PuctNode(state)
    for simulation in range(simulations):
        if root.proven is not None:
            break
        puct_simulation(game, root, choose, evaluate, simulation, is_root=True)
    return root


def puct_simulation(game, node, choose, evaluate, simulation, is_root=False):
    """Returns the value for the player to move at `node`."""
    if node.visits == 0 and node.proven is None:
        legal = legal_list(game, node.state)
        if not legal:
            node.proven = terminal_value(game, node.state)
        else:
            logits, node.value = evaluate(game, node.state)
            node.edges = {action: PuctEdge(float(logits[action])) for action in legal}
            highest = max(edge.logit for edge in node.edges.values())
            weights = [math.exp(edge.logit - highest) for edge in node.edges.values()]
            for edge, weight in zip(node.edges.values(), weights, strict=True):
                edge.prior = single(weight / sum(weights))
    if node.proven is not None:
        value = node.proven
    elif node.visits == 0:
        value = node.value
    else:
        action = choose(node, is_root, simulation)
        edge = node.edges[action]
        if edge.child is None:
            after = node.state.copy()
            step(game, after, action)
            edge.child = PuctNode(after)
        value = puct_simulation(game, edge.child, choose, evaluate, simulation)
        opponents = num_players(game) == 2 and (
            player_to_move(node.state) != player_to_move(edge.child.state)
        )
        sign = -1.0 if opponents else 1.0
        value *= sign
        if edge.child.proven is not None:
            edge.exact = single(sign * edge.child.proven)
            known = [each.exact for each in node.edges.values() if each.exact is not None]
            if len(known) == len(node.edges) or max(known) == 1.0:
                node.proven = value = max(known)
        edge.visits += 1
        edge.total = single(edge.total + value)
    node.visits += 1
    node.total += value
    return value


def puct_choice(c, urgency=None):
    """AlphaZero's rule, with first-play urgency if given."""

    def choose(node, is_root, simulation):
        tried = sum(edge.prior for edge in node.edges.values() if edge.visits > 0)
        untried = 0.0
        if urgency is not None:
            untried = node.total / node.visits - urgency * math.sqrt(tried)

        def score(action):
            edge = node.edges[action]
            if edge.exact is not None:
                return edge.exact
            mean = edge.mean() if edge.visits > 0 else untried
            return mean + c * math.sqrt(node.visits) * edge.prior / (1 + edge.visits)

        return max(node.edges, key=score)

    return choose
