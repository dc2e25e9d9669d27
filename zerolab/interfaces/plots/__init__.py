"""Figures. Matplotlib is loaded only when one is drawn."""
