"""What `zerolab bench ray` shows: both engines, the pieces of their cost, and many actors."""

from zerolab.interfaces.views.output import Output


def show_ray_speed(out: Output, seconds: float) -> None:
    """Ray beside processes of this machine, and a forecast for a cluster."""
    from zerolab.benchmarks.cluster_model import ACTORS, forecast_cluster, saturation
    from zerolab.benchmarks.ray_speed import GAME, bench_ray
    from zerolab.games.catalogue import describe

    with out.progress("engines", None, "turns") as advance_to:
        bench = bench_ray(seconds, lambda done, total: advance_to(done))
    out.table(
        f"Positions a second that reach the learner, {describe(GAME)}, {bench.speeds[0].actors} "
        f"actors",
        ("engine", "positions a second", "ratio"),
        [
            (each.name, f"{each.states_per_second:,.0f}", f"{ratio:.2f}")
            for each, ratio in zip(bench.speeds, (1.0, bench.ratio), strict=True)
        ],
        f"by turns, {len(bench.turns)} each; ratios of turns from {min(bench.turns):.2f} to "
        f"{max(bench.turns):.2f}",
    )
    costs = bench.costs
    pieces = (
        ("a batch is learnt", costs.batch_seconds),
        (f"a step is learnt, {costs.batches_per_step} batches", costs.learning_seconds),
        ("a position joins the buffer", costs.sample_seconds),
        ("a position is received", costs.receive_seconds),
        ("a parcel of games is received", costs.parcel_seconds),
        (f"a network is given out, {costs.model_bytes / 1000:,.0f} kB", costs.model_seconds),
        ("and each actor told of it", costs.announce_seconds),
        ("until a worker has it", costs.arrival_seconds),
    )
    out.table(
        "What it costs the learner",
        ("piece", "ms"),
        [(name, f"{1000 * cost:,.3f}") for name, cost in pieces],
        f"one core; a step waits for {costs.states_per_step:,} positions of "
        f"{costs.state_bytes:,.0f} bytes",
    )
    forecasts = [forecast_cluster(costs, number) for number in ACTORS]
    waits = {f"{speedup}": saturation(costs, speedup) for speedup in (1, 4, 16)}
    in_words = [
        f"{name} times as fast: {'none' if number is None else f'{number:,}'}"
        for name, number in waits.items()
    ]
    out.table(
        "Many actors: computed, not measured",
        (
            *("actors", "played a second", "learnt a second", "learning", "receiving", "sending"),
            "MB a second",
        ),
        [
            (
                *(f"{each.actors}", f"{each.played:,.0f}", f"{each.learnt:,.0f}"),
                *(f"{share:.1%}" for share in (each.learning, each.receiving, each.sending)),
                f"{each.megabytes:.2f}",
            )
            for each in forecasts
        ],
        "shares of the learner's time, one core. Actors from which on they wait for a learner that "
        f"learns a batch {'; '.join(in_words)}",
    )
    out.result(
        {
            "ratios": {"ray": bench.ratio},
            "turns": bench.turns,
            "speeds": [each._asdict() | {"rate": each.states_per_second} for each in bench.speeds],
            "costs": costs._asdict(),
            "forecasts": [each._asdict() for each in forecasts],
            "saturation": waits,
        }
    )
