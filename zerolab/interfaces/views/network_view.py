"""What `zerolab network` and `zerolab export` show."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pydantic import ValidationError

from zerolab.errors import UsageError
from zerolab.files import replacing
from zerolab.games.boards.stones import MAX_SIDE
from zerolab.games.catalogue import describe, make_game
from zerolab.games.notation import parse_size
from zerolab.interfaces.views.output import Output
from zerolab.networks.architectures import Recipe, make_recipe
from zerolab.networks.header import KEY, Header, read_header
from zerolab.networks.signature import Signature, cazenave_signature, signature_of
from zerolab.training.runs.logs import network_of

if TYPE_CHECKING:
    from zerolab.games.base import Game
    from zerolab.networks.summary import Layer, Summary

SUFFIX = ".safetensors"
GO = "go"


def show_network(
    out: Output,
    name: str,
    size: tuple[int | None, int | None],
    board: tuple[str, str | None, tuple[str, ...]],
    encoding: str | None,
    save: Path | None,
    seed: int,
) -> None:
    """Layers, parameters and work of a network by name.

    `size` is width and depth; `board` the game's name, size and options.
    """
    recipe = _recipe(name, *size)
    game, signature = _board(*board, encoding)
    if save is not None and game is None:
        raise UsageError(
            "the networks of cazenave for go have no pass and are not saved; with --encoding "
            "golois a network has one"
        )
    if save is not None and save.suffix != SUFFIX:
        raise UsageError(f"'{save}' is not possible; expected a name that ends in {SUFFIX}")
    from zerolab.networks.checkpoints import save_network
    from zerolab.networks.machine import seed_weights
    from zerolab.networks.summary import summarise
    from zerolab.networks.torch_network import build_network

    seed_weights(seed)
    network = build_network(recipe.network, signature)
    summary = summarise(network)
    where = f"go {signature.rows}x{signature.cols}" if game is None else describe(game)
    out.table(
        f"{name} for {where}: {signature.planes} planes, {signature.actions:,} actions",
        ("layers", "kind", "output", "parameters", "multiply-adds"),
        [_row(stretch) for stretch in _stretches(summary)],
        f"{summary.parameters:,} parameters as Keras counts, {summary.trainable:,} of them "
        f"trainable; {summary.multiply_adds:,} multiply-adds for a position",
    )
    if save is not None:
        save_network(save, network, Header.of(game, recipe.network, _encoding(board[0], encoding)))
        out.note(f"a network with random weights is in {save}")
    out.result(
        {
            "network": name,
            "game": where,
            "planes": signature.planes,
            "actions": signature.actions,
            "parameters": summary.parameters,
            "trainable": summary.trainable,
            "multiply_adds": summary.multiply_adds,
            "architecture": recipe.network.model_dump(),
            "loss": recipe.loss.model_dump(),
            "layers": [layer._asdict() for layer in summary.layers],
        }
    )


class Board(NamedTuple):
    """The game that a network is to be exported for; empty for its own."""

    name: str | None
    size: str | None
    options: tuple[str, ...]


def export(
    out: Output, source: Path, target: Path, board: Board, any_size: bool, int8: bool
) -> None:
    """A network in a file, or the last one of a run, as an ONNX model."""
    from zerolab.networks.checkpoints import load_network

    if target.suffix != ".onnx":
        raise UsageError(f"'{target}' is not possible; expected a name that ends in .onnx")
    source = network_of(source) if source.is_dir() else source
    game = None
    if board != Board(None, None, ()):
        name = board.name if board.name is not None else read_header(source).rules
        game = make_game(name, board.size, board.options)
    network, header = load_network(source, game)
    if game is not None:
        header = header.model_copy(update={"game": describe(game)})
    model = network.to_onnx({KEY: header.model_dump_json()}, any_size)
    if int8:
        from zerolab.benchmarks.inference_speed import CALIBRATION, random_batch
        from zerolab.networks.quantisation import quantise

        own = header.make_game() if game is None else game
        model = quantise(model, random_batch(own, CALIBRATION, header.encoding).planes)
    with replacing(target) as file:
        file.write(model)
    planes, rows, cols = network.signature.input_shape
    actions = network.signature.actions
    sides = "rows, columns" if any_size else f"{rows}, {cols}"
    out.line(
        f"{target}: {header.game}, input planes [batch, {planes}, {sides}], outputs logits "
        f"[batch, {'places' if any_size else actions}] and values [batch]"
    )
    out.result(
        {
            "model": str(target),
            "game": header.game,
            "encoding": header.encoding,
            "input_shape": [planes, None, None] if any_size else [planes, rows, cols],
            "actions": None if any_size else actions,
            "any_size": any_size,
            "int8": int8,
            "bytes": len(model),
        }
    )


def _recipe(name: str, width: int | None, depth: int | None) -> Recipe:
    try:
        return make_recipe(name, width, depth)
    except ValidationError as error:
        message = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise UsageError(f"{name}: {message}") from None


def _board(
    game: str, size: str | None, options: tuple[str, ...], encoding: str | None
) -> "tuple[Game | None, Signature]":
    if game.lower() == GO and not options and encoding is None:
        rows, cols = parse_size(size or "19x19")
        if not (1 <= rows <= MAX_SIDE and 1 <= cols <= MAX_SIDE):
            raise UsageError(f"go {size} is not possible; expected 1x1 to {MAX_SIDE}x{MAX_SIDE}")
        return None, cazenave_signature(rows, cols)
    record = make_game(game, size, options)
    return record, signature_of(record, _encoding(game, encoding))


def _encoding(game: str, encoding: str | None) -> str:
    return encoding or ("golois" if game.lower() == GO else "own")


Stretch = tuple[str, list["Layer"]]


def _stretches(summary: "Summary") -> list[Stretch]:
    """Merge the rows of identical blocks: trunk.1 to trunk.6."""
    rows: list[Stretch] = []
    for layer in summary.layers:
        key = re.sub(r"^trunk\.(\d+)\.", "trunk.#.", layer.name)
        alike = [
            row
            for row in rows
            if row[0] == key and row[1][0]._replace(name="") == layer._replace(name="")
        ]
        if alike:
            alike[0][1].append(layer)
        else:
            rows.append((key, [layer]))
    return rows


def _row(stretch: Stretch) -> tuple[str, ...]:
    _, layers = stretch
    first, last = layers[0], layers[-1]
    name = re.sub(r"\.(linear|layers|conv|norm)\b", "", first.name)
    if len(layers) > 1:
        numbers = [layer.name.split(".")[1] for layer in (first, last)]
        name = name.replace(f"trunk.{numbers[0]}", f"trunk.{numbers[0]}-{numbers[1]}", 1)
    times = f"{len(layers)} x " if len(layers) > 1 else ""
    return (
        name,
        first.kind,
        "x".join(str(side) for side in first.output),
        f"{times}{first.parameters:,}",
        f"{times}{first.multiply_adds:,}" if first.multiply_adds else "-",
    )
