"""The slow, obvious twins of the searches: recursive, on objects, as one would write them on paper.

They draw from the same streams in the same order, so they agree with the fast ones to the visit.
"""

import math

import numpy as np

from zerolab.games.base import num_players, player_to_move, random_action, step, terminal_value
from zerolab.games.notation import legal_list, num_actions
from zerolab.kernels.rng import random_below


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


def gumbel_choice(draws, simulations, considered, c_visit, c_scale):
    """Danihelka et al. 2022: sequential halving at the root, the improved policy below it.

    `draws` has a Gumbel variable for each action of the root, `simulations` are those after the
    root's own evaluation.
    """
    schedule = halving_schedule(min(considered, len(draws)), simulations)

    def choose(node, is_root, simulation):
        if is_root:
            return gumbel_best(node, draws, schedule[simulation - 1], c_visit, c_scale)
        improved = gumbel_improved(node, c_visit, c_scale)
        visits = sum(edge.visits for edge in node.edges.values())

        def lag(action):
            return improved[action] - node.edges[action].visits / (1 + visits)

        return max(node.edges, key=lag)

    return choose


def halving_schedule(considered, simulations):
    """For each simulation the visits of the moves it may try: first all, then the better half."""
    if considered == 1:
        return list(range(simulations))
    phases = math.ceil(math.log2(considered))
    schedule, visits = [], 0
    while len(schedule) < simulations:
        for _ in range(max(1, simulations // (phases * considered))):
            schedule += [visits] * considered
            visits += 1
        considered = max(2, considered // 2)
    return schedule


def gumbel_best(root, draws, visits, c_visit, c_scale):
    """The best of the moves with these visits, or of the others if all of them are lost."""
    logits = gumbel_logits(root, c_visit, c_scale)
    open_moves = [action for action, edge in root.edges.items() if edge.exact != -1.0]
    in_race = [action for action in open_moves if root.edges[action].visits == visits]
    return max(in_race or open_moves, key=lambda action: draws[action] + logits[action])


def gumbel_move(root, draws, c_visit, c_scale):
    """The move to play: the best of those most visited, unless there is a proof."""
    if root.proven is not None:
        return max(root.edges, key=lambda action: proof_rank(root.edges[action]))
    most = max(edge.visits for edge in root.edges.values())
    return gumbel_best(root, draws, most, c_visit, c_scale)


def proof_rank(edge):
    """Proven wins before all else, proven losses last; then visits, then total."""
    rank = edge.exact if edge.exact in (1.0, -1.0) else 0.0
    return rank, edge.visits, edge.total


def gumbel_logits(node, c_visit, c_scale):
    """Logit plus sigma(completed Q), eq. 8 and 33, values being taken from 0 to 1."""
    scale = (c_visit + max(edge.visits for edge in node.edges.values())) * c_scale
    return {
        action: edge.logit + scale * (1 + completed_value(node, edge)) / 2
        for action, edge in node.edges.items()
    }


def completed_value(node, edge):
    """Of an edge without visits and proof, the mixed value of its node."""
    if edge.visits > 0 or edge.exact is not None:
        return edge.mean()
    tried = [each for each in node.edges.values() if each.visits > 0]
    if not tried:
        return node.value
    visits = sum(each.visits for each in tried)
    mean = sum(each.prior * each.mean() for each in tried) / sum(each.prior for each in tried)
    return (node.value + visits * mean) / (1 + visits)


def gumbel_improved(node, c_visit, c_scale):
    """The policy target: the softmax of the improved logits."""
    logits = gumbel_logits(node, c_visit, c_scale)
    highest = max(logits.values())
    weights = {action: math.exp(logit - highest) for action, logit in logits.items()}
    return {action: weight / sum(weights.values()) for action, weight in weights.items()}


def gumbel_value(root, improved):
    """What the root is worth if the improved policy plays; exact where that is known."""
    if root.proven is not None:
        return root.proven
    return sum(improved[action] * completed_value(root, root.edges[action]) for action in improved)
