"""Architectures composed of a few parts, and those of the papers by name.

A network is a trunk, optional dense layers, and two heads. Names resolve to a
`Recipe`: the network and the loss that it is trained with in its paper.

| name                        | paper    | trunk                           | heads          |
| --------------------------- | -------- | ------------------------------- | -------------- |
| mlp, conv2d, resnet         | jans     | OpenSpiel's, width 128, depth 6 | dense, dense   |
| wang                        | wang     | 4 convolutions, 2 dense layers  | linear, linear |
| a0.small                    | cazenave | 10 residual blocks of 63        | dense, pooled  |
| a0.small.conv.bin           | cazenave | 13 Golois blocks of 64          | conv, pooled   |
| mobile.small                | cazenave | 25 mobile blocks of 64/200      | dense, pooled  |
| mobile.small.conv.bin       | cazenave | 33 mobile blocks of 64/200      | conv, pooled   |
| a0.tiny                     | ours     | 3 residual blocks of 32         | dense, pooled  |
| a0.tiny.conv.bin            | ours     | 4 Golois blocks of 31           | conv, pooled   |
| mobile.tiny                 | ours     | 7 mobile blocks of 32/96        | dense, pooled  |
| mobile.tiny.conv.bin        | ours     | 9 mobile blocks of 32/94        | conv, pooled   |
| a0.medium                   | ours     | 5 residual blocks of 64         | dense, pooled  |
| a0.medium.conv.bin          | ours     | 5 Golois blocks of 64           | conv, pooled   |
| mobile.medium               | ours     | 10 mobile blocks of 48/192      | dense, pooled  |
| mobile.medium.conv.bin      | ours     | 10 mobile blocks of 48/192      | conv, pooled   |
| a0.N                        | cazenave | N residual blocks of 256        | dense, pooled  |
| mobile.N, mobile.conv.bin.N | cazenave | N mobile blocks of 128/512      | as above       |
| zerolab                     | ours     | 4 residual blocks of 32         | conv, pooled   |
| zerolab.mobile              | ours     | 8 mobile blocks of 32/112       | conv, pooled   |

`conv.bin` may be followed by `.val4`: the value loss counts four times. The tiny networks are
cazenave's small ones made smaller: 71 to 72 thousand parameters on 9x9, equal to within 2 %. On
19x19 a dense policy head alone has 261 thousand. The medium ones stand for its unbounded networks,
where the mobile ones have far fewer parameters than the residual ones. `zerolab.mobile` has as many
parameters as `zerolab`, to within 2 %, on boards of any size.
"""

import re
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from zerolab.errors import UsageError
from zerolab.networks.losses import LossConfig

Positive = Annotated[int, Field(ge=1, le=100_000)]
Sizes = tuple[Positive, ...]


class NetworkConfig(BaseModel):
    """The parts of a network."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    trunk: Literal["mlp", "conv", "resnet", "golois", "mobile"] = "resnet"
    """Kind of blocks (jans: resnet)."""
    width: Positive = 128
    """Channels, or units of an mlp (jans: 128; wang: 512)."""
    depth: Annotated[int, Field(ge=1, le=1000)] = 6
    """Number of blocks (jans: 2 on small boards, about max(rows, cols) on large ones)."""
    inner: Positive | None = None
    """Channels inside a mobile block (cazenave: 200 and 512); None for three times the width."""
    stem: Literal[1, 3] = 3
    """Side of the first convolution, where blocks follow it (cazenave: 1)."""
    unpadded: Annotated[int, Field(ge=0)] = 0
    """Number of unpadded convolutions at the end of a `conv` trunk; each shrinks the board by two
    (wang: 2)."""
    context: Literal["none", "squeeze", "pooling"] = "none"
    """Global context in each block: squeeze-and-excitation (Hu et al. 2018), or biases from pooled
    channels (Wu 2019, section 3.3)."""
    dense: Sizes = ()
    """Dense layers between trunk and heads (wang: 1024, 512)."""
    policy: Literal["dense", "conv"] = "dense"
    """AlphaZero's head, or a plane for each kind of action, which fits boards of any size."""
    policy_hidden: Sizes = ()
    """Hidden layers of a dense policy head (OpenSpiel's mlp: the width)."""
    rectified: bool = False
    """Whether a convolutional head cuts off negative logits (cazenave's appendix does)."""
    value: Literal["dense", "pooled"] = "dense"
    """AlphaZero's head, or the mean of each channel, which fits boards of any size."""
    value_hidden: Sizes = ()
    """Hidden layers of the value head (jans: the width; cazenave: 50)."""
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.0
    """Share of units of dense layers that are dropped in training (wang: 0.3)."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.is_flat and (self.policy == "conv" or self.value == "pooled"):
            raise ValueError("after dense layers there is no board: heads must be dense")
        if self.trunk != "conv" and self.unpadded:
            raise ValueError("only a conv trunk can have unpadded convolutions")
        if self.unpadded > self.depth:
            raise ValueError(f"{self.unpadded} unpadded convolutions of {self.depth} is too many")
        if self.trunk in ("mlp", "conv") and (self.context != "none" or self.stem != 3):
            raise ValueError(f"a trunk of {self.trunk} takes neither context nor stem")
        if self.trunk != "mobile" and self.inner is not None:
            raise ValueError("only mobile blocks have inner channels")
        if self.policy == "conv" and self.policy_hidden:
            raise ValueError("a conv policy has no hidden layers")
        if self.policy == "dense" and self.rectified:
            raise ValueError("only a conv policy can be rectified")
        hidden = self.dense or self.policy_hidden or self.value_hidden or self.trunk == "mlp"
        if self.dropout and not hidden:
            raise ValueError("dropout needs dense layers")
        return self

    @property
    def is_flat(self) -> bool:
        """Whether the heads see a vector, not a board."""
        return self.trunk == "mlp" or bool(self.dense)

    @property
    def serves_any_size(self) -> bool:
        """Whether the same weights fit boards of any size."""
        convolutional = self.policy == "conv" and self.value == "pooled"
        return convolutional and not self.is_flat and not self.unpadded


class Recipe(NamedTuple):
    """A network and the loss it is trained with."""

    network: NetworkConfig
    loss: LossConfig


OPEN_SPIEL_WIDTH, OPEN_SPIEL_DEPTH = 128, 6
NAMES = (
    *("mlp", "conv2d", "resnet", "wang"),
    *("a0.small", "a0.small.conv.bin", "mobile.small", "mobile.small.conv.bin"),
    *("a0.tiny", "a0.tiny.conv.bin", "mobile.tiny", "mobile.tiny.conv.bin"),
    *("a0.medium", "a0.medium.conv.bin", "mobile.medium", "mobile.medium.conv.bin"),
    *("a0.N", "mobile.N", "mobile.conv.bin.N", "zerolab", "zerolab.mobile"),
)
_CAZENAVE = re.compile(
    r"(a0|mobile)(\.small|\.medium|\.tiny)?(\.conv\.bin)?(\.val4)?(\.[1-9][0-9]{0,2})?"
)
# Blocks, channels and, in mobile blocks, inner channels, by size, kind and whether heads are conv.
_SIZED = {
    (".small", "a0", False): (10, 63, None),
    (".small", "a0", True): (13, 64, None),
    (".small", "mobile", False): (25, 64, 200),
    (".small", "mobile", True): (33, 64, 200),
    (".tiny", "a0", False): (3, 32, None),
    (".tiny", "a0", True): (4, 31, None),
    (".tiny", "mobile", False): (7, 32, 96),
    (".tiny", "mobile", True): (9, 32, 94),
    (".medium", "a0", False): (5, 64, None),
    (".medium", "a0", True): (5, 64, None),
    (".medium", "mobile", False): (10, 48, 192),
    (".medium", "mobile", True): (10, 48, 192),
}
_OURS: dict[str, dict[str, object]] = {  # what differs; heads and loss are the same
    "zerolab": {"width": 32, "depth": 4},
    # Vector units take 16 channels at once: 112 is a multiple of that, and 8 blocks are as many
    # parameters as 4 residual ones.
    "zerolab.mobile": {"trunk": "mobile", "width": 32, "depth": 8, "inner": 112},
}


def make_recipe(name: str, width: int | None = None, depth: int | None = None) -> Recipe:
    """A network by its name; `width` and `depth`, if given, replace the paper's."""
    recipe = _recipe(name)
    changes: dict[str, object] = {}
    if width is not None:
        changes["width"] = width
        if name in ("mlp", "conv2d", "resnet"):  # OpenSpiel's nn_width is that of heads too
            changes["value_hidden"] = (width,)
            changes["policy_hidden"] = (width,) if name == "mlp" else ()
    if depth is not None:
        changes["depth"] = depth
    network = NetworkConfig.model_validate(recipe.network.model_dump() | changes)
    return recipe._replace(network=network)


def _recipe(name: str) -> Recipe:
    if name in ("mlp", "conv2d", "resnet"):
        return _open_spiel(name)
    if name == "wang":
        return Recipe(
            NetworkConfig(
                trunk="conv", width=512, depth=4, unpadded=2, dense=(1024, 512), dropout=0.3
            ),
            LossConfig(weight_decay=0.0),
        )
    if name in _OURS:
        return Recipe(
            NetworkConfig.model_validate(
                {"policy": "conv", "value": "pooled", "value_hidden": (50,)} | _OURS[name]
            ),
            LossConfig(decoupled=True),
        )
    match = _CAZENAVE.fullmatch(name)
    if match:
        kind, size, conv, val4, number = (part or "" for part in match.groups())
        known = bool(size) != bool(number) and (conv or not val4)
        if known and not (kind == "a0" and number and conv):
            if number:
                sizes = int(number[1:]), *((128, 512) if kind == "mobile" else (256, None))
            else:
                sizes = _SIZED[size, kind, bool(conv)]
            return _cazenave(kind, sizes, bool(conv), bool(val4))
    raise UsageError(
        f"'{name}' is not a network; expected {', '.join(NAMES)} with N from 1 to 999 blocks, "
        f"and .val4 after conv.bin if wanted"
    )


def _open_spiel(name: str) -> Recipe:
    """Heads as in AlphaGo Zero; those of an mlp have a hidden layer instead of a convolution."""
    width = OPEN_SPIEL_WIDTH
    config = NetworkConfig.model_validate(
        {
            "trunk": "conv" if name == "conv2d" else name,
            "width": width,
            "depth": OPEN_SPIEL_DEPTH,
            "policy_hidden": (width,) if name == "mlp" else (),
            "value_hidden": (width,),
        }
    )
    return Recipe(config, LossConfig(weight_decay=open_spiel_decay(1e-4)))


def open_spiel_decay(weight_decay: float) -> float:
    """OpenSpiel (1.x, which jans used) takes half the sum of squares; Keras and zerolab the sum."""
    return weight_decay / 2


def _cazenave(kind: str, sizes: tuple[int, int, int | None], conv: bool, val4: bool) -> Recipe:
    """`sizes` are blocks, channels and inner channels."""
    depth, width, inner = sizes
    trunk = "mobile" if kind == "mobile" else "golois" if conv else "resnet"
    network = NetworkConfig.model_validate(
        {
            "trunk": trunk,
            "width": width,
            "depth": depth,
            "inner": inner,
            "stem": 1,
            "policy": "conv" if conv else "dense",
            "rectified": conv,
            "value": "pooled",
            "value_hidden": (50,),
        }
    )
    if conv:
        return Recipe(network, LossConfig(value="bce", value_weight=4.0 if val4 else 1.0))
    # cazenave's values are between 0 and 1: their squared error is a quarter of ours.
    return Recipe(network, LossConfig(value="mse", value_weight=0.25))
