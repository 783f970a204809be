"""Whether a JSON value fits a type of a provider's client: a TypedDict, and what it is made of.

Stricter than pydantic would be: a key that the type does not name is a fault, and lists are looked at to their end.
"""

import collections.abc
import types
import typing

import typing_extensions

LISTS = (list, collections.abc.Iterable, collections.abc.Sequence, collections.abc.Collection)


def faults(value, hint, place="$"):
    """What is wrong, each as `place: why`; nothing when the value fits."""
    origin = typing_extensions.get_origin(hint)
    args = typing_extensions.get_args(hint)
    if isinstance(hint, typing_extensions.TypeAliasType):
        return faults(value, hint.__value__, place)
    if origin in (typing_extensions.Annotated, typing_extensions.Required, typing_extensions.NotRequired):
        return faults(value, args[0], place)
    if hint in (object, typing.Any):
        return []
    if origin in (typing.Union, types.UnionType):
        return nearest([faults(value, arg, place) for arg in args], f"{place}: fits nothing of {hint}")
    if origin is typing_extensions.Literal:
        return [] if value in args else [f"{place}: {value!r} is none of {args}"]
    if typing_extensions.is_typeddict(hint):
        return of_object(value, hint, place)
    if origin is dict or hint is dict:
        if not isinstance(value, dict):
            return [f"{place}: no object"]
        inner = args[1] if args else object
        return [fault for key, item in value.items() for fault in faults(item, inner, f"{place}.{key}")]
    if origin in LISTS or getattr(origin, "__name__", "") == "SequenceNotStr":
        if not isinstance(value, list):
            return [f"{place}: no list"]
        return [fault for at, item in enumerate(value) for fault in faults(item, args[0], f"{place}[{at}]")]
    return [] if is_plain(value, hint) else [f"{place}: {shown(value)} is no {getattr(hint, '__name__', hint)}"]


def of_object(value, hint, place):
    if not isinstance(value, dict):
        return [f"{place}: no object"]
    # The annotations are texts there, so only here is it known which keys are required.
    hints = typing_extensions.get_type_hints(hint, include_extras=True)
    found = [f"{place}.{key}: {hint.__name__} has no such key" for key in value if key not in hints]
    for key, inner in hints.items():
        if key in value:
            found += faults(value[key], inner, f"{place}.{key}")
        elif is_required(hint, key, inner):
            found.append(f"{place}.{key}: is missing in {hint.__name__}")
    return found


def is_required(hint, key, inner):
    origin = typing_extensions.get_origin(inner)
    if origin in (typing_extensions.Required, typing_extensions.NotRequired):
        return origin is typing_extensions.Required
    # It is said by the type that has the key first: those below it repeat all of its keys.
    for base in bases(hint):
        if key in base.__annotations__:
            return is_required(base, key, inner)
    return hint.__total__


def bases(hint):
    return [base for base in getattr(hint, "__orig_bases__", ()) if typing_extensions.is_typeddict(base)]


def is_plain(value, hint):
    if hint in (None, type(None)):
        return value is None
    if isinstance(value, bool):
        return hint is bool
    if hint is float:
        return isinstance(value, (int, float))
    return hint in (str, int) and isinstance(value, hint)


def nearest(branches, nothing):
    """The faults of the branch that came closest: the one whose first fault lies deepest."""
    if any(not branch for branch in branches):
        return []
    named = [branch for branch in branches if not any(".type: '" in fault for fault in branch)] or branches
    best = max(named, key=lambda branch: (max(fault.split(": ")[0].count(".") for fault in branch), -len(branch)))
    return best or [nothing]


def shown(value):
    text = repr(value)
    return text if len(text) < 60 else text[:57] + "..."
