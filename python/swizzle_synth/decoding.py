"""JSON to dataclasses, by their annotations."""

from __future__ import annotations

import dataclasses
import functools
import types
import typing
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


@functools.lru_cache(maxsize=None)
def _hints(cls: Any) -> dict[str, Any]:
    return typing.get_type_hints(cls)


def decode(cls: Callable[..., T], json: dict[str, Any]) -> T:
    """An instance of the dataclass `cls` of a JSON object.

    Keys that the class does not know are left out; where a key is missing, the field has its default, or None. A class
    with a method ``from_json`` decodes itself.

    Examples
    --------
    >>> @dataclasses.dataclass
    ... class Size:
    ...     rows: int
    ...     columns: int = 1
    >>> decode(Size, {"rows": 4, "more": 5})
    Size(rows=4, columns=1)
    """
    values: dict[str, Any] = {}
    for field in dataclasses.fields(cls):  # type: ignore[arg-type]
        if field.name in json:
            values[field.name] = _value(_hints(cls)[field.name], json[field.name])
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            values[field.name] = None
    return cls(**values)


def _value(hint: Any, json: Any) -> Any:
    if json is None:
        return None
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        return _value(next(each for each in arguments if each is not type(None)), json)
    if origin is tuple:
        return tuple(_value(arguments[0], each) for each in json)
    if hasattr(hint, "from_json"):
        return hint.from_json(json)
    if dataclasses.is_dataclass(hint):
        return decode(hint, json)  # type: ignore[arg-type]
    return json
