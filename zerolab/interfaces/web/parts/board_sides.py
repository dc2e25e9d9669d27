"""What stands beside a board: the players, and the bar with the value of the position."""

from html import escape


def player_line(colour: str, name: str, is_to_move: bool) -> str:
    """A stone, a name and whether that player is to move."""
    turn = '<span class="zl-toplay">to move</span>' if is_to_move else ""
    return (
        f'<div class="zl-player"><span class="zl-stone zl-{colour}"></span>'
        f"<span>{escape(name)}</span>{turn}</div>"
    )


def value_bar(value: float | None) -> str:
    """Black's chances, from the bottom; None if they are not known."""
    height = 0.0 if value is None else value
    unknown = " zl-unknown" if value is None else ""
    words = "not known" if value is None else f"{value:+.2f} for Black"
    return (
        f'<div class="zl-bar{unknown}" role="meter" aria-label="value" aria-valuemin="-1" '
        f'aria-valuemax="1" aria-valuenow="{height:.2f}" title="{words}">'
        f'<div style="height:{50 + 50 * height:.0f}%"></div></div>'
    )
