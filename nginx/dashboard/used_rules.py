"""Leaves out of a style sheet what a page cannot use."""

import re

COMMENT = re.compile(r"/\*.*?\*/", re.S)
NEXT = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|[{};]', re.S)
# Classes, elements and Bootstrap's attributes in a selector. What it must not have, :not(…), is no condition on the page.
NAME = re.compile(r"(?<![\w:-])[.]?([A-Za-z][\w-]*)|\[(data-bs-[\w-]+)")
WORD = re.compile(r"[A-Za-z][\w-]*")
BEGINNING = re.compile(r"([A-Za-z][\w-]*-)\$\{")


class Words:
    """All words of the sources, whether they are classes or not: a rule too many costs some bytes, one too few is a page that looks wrong."""

    def __init__(self, texts):
        texts = list(texts)
        self.words = {word for text in texts for word in WORD.findall(text)}
        self.beginnings = {found for text in texts for found in BEGINNING.findall(text)}

    def __contains__(self, name):
        # A module may put a class together, `mark-${tone}`, also of a constant: tap-due-in of DUE_IN.
        ends = {name[len(each):] for each in self.beginnings if name.startswith(each)}
        return name in self.words or any(end in self.words or end.upper().replace("-", "_") in self.words for end in ends)


def blocks(text):
    """[(prelude, body)] of a sheet without comments; the body of a statement such as @charset is None."""
    found, begin, depth, opened = [], 0, 0, 0
    for token in NEXT.finditer(text):
        if token[0] == "{":
            depth += 1
            if depth == 1:
                opened = token.end()
        elif token[0] == "}":
            depth -= 1
            if depth == 0:
                found.append((text[begin:opened - 1].strip(), text[opened:token.start()]))
                begin = token.end()
        elif token[0] == ";" and depth == 0:
            found.append((text[begin:token.start()].strip(), None))
            begin = token.end()
    return found


def is_used(selector, words):
    selector = re.sub(r":not\([^)]*\)", "", selector)
    # What stands in brackets and pseudo-classes are states.
    plain = re.sub(r"\[(?!data-bs-)[^\]]*\]|::?[\w-]+(\([^)]*\))?", "", selector)
    return all((name or attribute) in words for name, attribute in NAME.findall(plain))


def keep(text, words):
    rules = []
    for prelude, body in blocks(text):
        if body is None:
            continue
        if prelude.startswith(("@media", "@supports")):
            inner = keep(body, words)
            if inner:
                rules.append((prelude, "\n".join(f"{each} {{{rule}}}" for each, rule in inner)))
        elif prelude.startswith("@"):
            rules.append((prelude, body))
        else:
            # A comma may stand in :is(…).
            used = [each.strip() for each in re.split(r",(?![^(]*\))", prelude) if is_used(each, words)]
            if used:
                rules.append((", ".join(used), body))
    return rules


def used_rules(sheet, words, own):
    """The rules of the sheet whose selectors have only words of the sources; without variables and animations that neither they nor `own`
    name. The sheet's notice of its licence stays."""
    notice = re.match(r'(@charset "[^"]*";)?\s*(/\*!.*?\*/)?', sheet, re.S)[2] or ""
    rules = keep(COMMENT.sub("", sheet), words)
    while True:
        text = "\n".join(f"{prelude} {{{body}}}" for prelude, body in rules)
        named = set(re.findall(r"var\(\s*(--[\w-]+)", text + own))
        # Also those of a variable that is left out only now.
        less = re.sub(r"(--[\w-]+)\s*:[^;{}]*(?:\"[^\"]*\"[^;{}]*)*;", lambda found: found[0] if found[1] in named else "", text)
        rules = [(prelude, body) for prelude, body in blocks(less) if body.strip() and not (
            prelude.startswith("@keyframes") and not re.search(rf"animation[^;]*\b{prelude.split()[1]}\b", less + own))]
        if less == text:
            return f"{notice}\n{text}\n"
