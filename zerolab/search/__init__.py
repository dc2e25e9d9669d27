"""Playouts and search. Networks appear only as evaluate(planes) -> (logits, values)."""
