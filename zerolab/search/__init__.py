"""Playouts and search. Meets networks only through evaluate(planes) -> (logits, values)."""
