"""Agents that come with the package."""
