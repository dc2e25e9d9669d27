"""A card that runs a command of zerolab in the background, says why it failed, and stops it."""

from abc import ABC, abstractmethod

from nicegui import ui

from zerolab.interfaces.web.command_process import CommandProcess
from zerolab.interfaces.web.site import Site


class CommandCard(ABC):
    """What is shown has a key, under which its process is kept."""

    error: ui.label
    stopping: ui.button

    def __init__(self, site: Site) -> None:
        self.site = site
        self.rules = site.rules

    @property
    @abstractmethod
    def key(self) -> str:
        """Of what is shown."""

    @property
    def child(self) -> CommandProcess | None:
        """The process of what is shown, if the page has started one."""
        return self.site.commands.get(self.key)

    def begin(self, arguments: list[str]) -> None:
        """Run a command, unless it runs already."""
        self.error.text = ""
        child = self.child
        if child is not None and child.is_alive:
            self.error.text = "it is running already"
            return
        self.site.commands[self.key] = CommandProcess(self.rules, self.key, arguments)

    def stop(self) -> None:
        """As Ctrl-C does."""
        if self.child is not None:
            self.child.stop()

    def look_at_process(self) -> bool:
        """Show whether it can be stopped and why it failed; return whether it is at work."""
        child = self.child
        is_alive = child is not None and child.is_alive
        self.stopping.set_visibility(is_alive)
        if child is not None and child.failure:
            self.error.text = self.rules.public(child.failure)
        return is_alive
