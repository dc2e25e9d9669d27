"""What `zerolab bench web` shows: how fast the page answers, and what it leaves behind."""

from zerolab.interfaces.views.output import Output


def show_page_speed(out: Output, clicks: int, pages: int) -> None:
    """Times from clicks to what they show, while a run trains and searches run."""
    from zerolab.benchmarks.page_speed import bench_page

    with out.progress("clicks", 2 * clicks, "clicks") as advance_to:
        found = bench_page(clicks, advance_to, pages)
    times = {
        "moves": (found.moves, "a move on the board"),
        "stones": (found.stones, "a stone set under analysis"),
        "crowd": (found.crowd, f"a click on each of {found.pages} pages"),
        "replies": (found.replies, "the reply of mcts:1000 on these"),
    }
    out.table(
        "Milliseconds from a click to what it shows, while a run trains and searches run",
        ("what", "clicks", "median", "95th percentile", "slowest"),
        [
            (
                *(words, f"{len(each.times)}"),
                *(f"{value:.0f}" for value in (each.median, each.most, max(each.times))),
            )
            for each, words in times.values()
        ],
    )
    idle = "not idle a minute" if found.idle_after is None else f"idle {found.idle_after:.0f} s"
    if found.workers is not None:
        out.line(
            f"{found.workers} worker processes on {found.cores} cores, {idle} after all pages were "
            f"closed; {found.left} processes left after the server was stopped."
        )
    out.line(f"The run made {found.steps} steps. Load before the start: {found.load:.1f}")
    out.result(
        {
            "clicks": {name: each.summary() for name, (each, _) in times.items()},
            "pages": found.pages,
            "workers": found.workers,
            "idle_after_seconds": found.idle_after,
            "processes_left": found.left,
            "steps": found.steps,
            "load": found.load,
            "cores": found.cores,
        }
    )
