"""The slow twin of the encoding golois: boards as lists of rows, ladders by recursion."""

LONGEST = 100
OTHER = {"x": "o", "o": "x"}
NAMES = (
    "black",
    "lost",
    "next to lost",
    "catchable",
    "next to catchable",
    *("1", "2", "3", "4", "5", "6 or more"),
    *(f"{whose} {age}" for age in range(5) for whose in ("own", "other")),
)


def rows_of(text):
    return [list(row) for row in text.split("|")]


def neighbours(board, point):
    row, col = point
    around = ((row - 1, col), (row, col - 1), (row + 1, col), (row, col + 1))
    return [(r, c) for r, c in around if 0 <= r < len(board) and 0 <= c < len(board[0])]


def at(board, point):
    return board[point[0]][point[1]]


def group_of(board, point):
    """The stones connected with one, and their liberties."""
    stones, liberties, todo = {point}, set(), [point]
    while todo:
        for near in neighbours(board, todo.pop()):
            if at(board, near) == ".":
                liberties.add(near)
            elif near not in stones and at(board, near) == at(board, point):
                stones.add(near)
                todo.append(near)
    return stones, liberties


def groups_next_to(board, stones):
    """The stones of all enemy groups next to some, group by group."""
    colour = at(board, min(stones))
    near = {n for stone in stones for n in neighbours(board, stone)}
    while touching := {n for n in near if at(board, n) == OTHER[colour]}:
        group, liberties = group_of(board, min(touching))
        yield group, liberties
        near -= group


def place(board, point, colour):
    """The board after a move and the point of a ko, if there is one; None for suicide."""
    board = [list(row) for row in board]
    board[point[0]][point[1]] = colour
    taken = set()
    for near in neighbours(board, point):
        if at(board, near) == OTHER[colour]:
            stones, liberties = group_of(board, near)
            if not liberties:
                taken |= stones
                for row, col in stones:
                    board[row][col] = "."
    stones, liberties = group_of(board, point)
    if not liberties:
        return None
    is_ko = len(taken) == 1 and len(stones) == 1 and len(liberties) == 1
    return board, min(taken) if is_ko else None


def is_captured(board, stone, owner_moves, ko=None, ply=0):
    """Whether the group of a stone is captured in a ladder."""
    if ply > LONGEST:
        return False
    owner = at(board, stone)
    stones, liberties = group_of(board, stone)
    if not owner_moves and len(liberties) > 2:
        return False
    if not owner_moves and len(liberties) == 1:
        return ko not in liberties
    moves = set(liberties)
    if owner_moves:
        for _, their_liberties in groups_next_to(board, stones):
            if len(their_liberties) == 1:
                moves |= their_liberties
    for move in sorted(moves - {ko}):
        placed = place(board, move, owner if owner_moves else OTHER[owner])
        if placed is not None:
            after, next_ko = placed
            if is_captured(after, stone, not owner_moves, next_ko, ply + 1) != owner_moves:
                return not owner_moves
    return owner_moves


def ko_of(board, before, player):
    """Where the player to move may not retake at once."""
    points = [(r, c) for r, row in enumerate(board) for c in range(len(row))]
    taken = [p for p in points if at(before, p) == player and at(board, p) == "."]
    placed = [p for p in points if at(before, p) == "." and at(board, p) == OTHER[player]]
    if len(taken) != 1:
        return None
    stones, liberties = group_of(board, placed[0])
    return taken[0] if len(stones) == 1 and liberties == {taken[0]} else None


def golois_twin(texts, player):
    """All planes by name, drawn, from the last five boards, the latest first."""
    boards = [rows_of(text) for text in texts]
    board = boards[0]
    points = [(r, c) for r, row in enumerate(board) for c in range(len(row))]
    ko = ko_of(board, boards[1], player)
    marked = {name: set() for name in NAMES}
    if player == "x":
        marked["black"] = set(points)
    for age, earlier in enumerate(boards):
        marked[f"own {age}"] = {p for p in points if at(earlier, p) == player}
        marked[f"other {age}"] = {p for p in points if at(earlier, p) == OTHER[player]}
    for point in points:
        if at(board, point) == ".":
            continue
        stones, liberties = group_of(board, point)
        marked["6 or more" if len(liberties) > 5 else str(len(liberties))].add(point)
        if len(liberties) > 2 or point != min(stones):
            continue
        owner_moves = len(liberties) == 1
        is_to_move = (at(board, point) == player) == owner_moves
        if is_captured(board, point, owner_moves, ko if is_to_move else None):
            name = "lost" if owner_moves else "catchable"
            marked[name] |= stones
            for group, _ in groups_next_to(board, stones):
                marked[f"next to {name}"] |= group
    return {name: draw(board, cells) for name, cells in marked.items()}


def draw(board, cells):
    return "|".join(
        "".join(".1"[(r, c) in cells] for c in range(len(row))) for r, row in enumerate(board)
    )
