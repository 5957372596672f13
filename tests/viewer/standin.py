"""A stand-in for a browser: controls one can touch and a scene one can read, without a server."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any


class Control:
    """A control of a panel. Like viser's it reports its listeners of every change, whoever made it, and by whom."""

    def __init__(self, label: str, value: Any = None, **props: Any) -> None:
        self.__dict__.update(props, label=label, _value=value, _heard=[])

    @property
    def value(self) -> Any:
        """What it is set to."""
        return self._value

    @value.setter
    def value(self, value: Any) -> None:
        if value != self._value:
            self._set(value, None)

    def touch(self, value: Any = True) -> None:
        """What a user does."""
        self._set(value, object())

    def on_update(self, heard: Callable[[Any], None]) -> None:
        """Listen."""
        self._heard.append(heard)

    on_click = on_update

    def add_tab(self, label: str) -> "Control":
        """A tab of a group."""
        return Control(label)

    def __enter__(self) -> "Control":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def _set(self, value: Any, client: object) -> None:
        self.__dict__["_value"] = value
        for heard in list(self._heard):
            heard(SimpleNamespace(client=client, target=self))


class Gui:
    """A panel that remembers its controls by their labels."""

    def __init__(self) -> None:
        self.controls: dict[str, Control] = {}
        self.texts: list[Control] = []

    def add_slider(self, label: str, low: float, high: float, step: float, value: float, **props: Any) -> Control:
        assert low <= value <= high and 0.0 < step <= high - low, label
        return self._kept(Control(label, value, low=low, high=high, **props))

    def add_dropdown(self, label: str, options: tuple[str, ...], *, initial_value: str, **props: Any) -> Control:
        return self._kept(Control(label, initial_value, options=options, **props))

    def add_checkbox(self, label: str, value: bool, **props: Any) -> Control:
        return self._kept(Control(label, value, **props))

    def add_button(self, label: str, **props: Any) -> Control:
        return self._kept(Control(label, **props))

    def add_html(self, content: str) -> Control:
        self.texts.append(Control("", content=content))
        return self.texts[-1]

    def add_uplot(self, data: Any, series: Any, **props: Any) -> Control:
        return Control("plot", data=data, **props)

    def add_folder(self, label: str | None) -> Control:
        return Control(label or "")

    def add_tab_group(self) -> Control:
        return Control("")

    def _kept(self, control: Control) -> Control:
        self.controls[control.label] = control
        return control


class Scene:
    """A scene that remembers its nodes by their names."""

    def __init__(self) -> None:
        self.nodes: dict[str, SimpleNamespace] = {}

    def add_frame(self, name: str, **props: Any) -> SimpleNamespace:
        return self._kept(name, position=(0.0, 0.0, 0.0), **props)

    def add_mesh_simple(self, name: str, vertices: Any, faces: Any, **props: Any) -> SimpleNamespace:
        return self._kept(name, **{"visible": True, **props}, vertices=vertices, faces=faces)

    def add_label(self, name: str, text: str, **props: Any) -> SimpleNamespace:
        return self._kept(name, text=text, **props)

    def add_line_segments(self, name: str, points: Any, colors: Any, **props: Any) -> SimpleNamespace:
        return self._kept(name, points=points, **props)

    def _kept(self, name: str, **props: Any) -> SimpleNamespace:
        self.nodes[name] = SimpleNamespace(**props)
        return self.nodes[name]


class Client:
    """One browser."""

    def __init__(self) -> None:
        self.gui, self.scene = Gui(), Scene()
        self.asked = 0
        self.local_storage = SimpleNamespace(get_item=self._answer)
        self.notices: list[str] = []

    def _answer(self, key: str, timeout: float) -> None:
        self.asked += 1

    @contextmanager
    def atomic(self) -> Iterator[None]:
        yield

    def add_notification(self, title: str, body: str, **_: Any) -> None:
        self.notices.append(body)


class Wall:
    """A clock on the wall that goes when it is set."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now
