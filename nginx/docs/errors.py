"""The texts that `error` may have, as readers write them: an ellipsis stands for what differs from case to case."""

import re

# What a pattern allows to differ. A lone dot at the end is the beginning of some text.
VARYING = re.compile(r"\[[^\]]+\][+*]?(?:\[[^\]]+\][+*]?)*|\.[+*]?")


def texts(schema):
    if "const" in schema:
        yield schema["const"]
    yield from schema.get("enum", [])
    if "pattern" in schema:
        for each in dict.fromkeys(_alternatives(schema["pattern"].removeprefix("^"))):
            yield VARYING.sub("…", each.removesuffix("$"))


def _alternatives(pattern):
    """The pattern, once for each choice that it leaves: a(b|c)d is abd and acd."""
    begin = pattern.find("(")
    if begin < 0:
        yield pattern
        return
    depth, parts, since = 0, [], begin + 1
    for at in range(begin, len(pattern)):
        depth += {"(": 1, ")": -1}.get(pattern[at], 0)
        if (depth == 1 and pattern[at] == "|") or depth == 0:
            parts.append(pattern[since:at])
            since = at + 1
        if depth == 0:
            break
    for part in parts:
        for each in _alternatives(part):
            for rest in _alternatives(pattern[since:]):
                yield pattern[:begin] + each + rest
