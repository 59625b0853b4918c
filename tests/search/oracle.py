"""What a search means, by the API rules alone: documents, queries as people write them, and which document matches which query."""
import random
import unicodedata

WORDS = ["the", "a", "of", "VW", "3D", "C++", "golf", "Golfer", "van", "driver", "electric", "café", "CAFÉ", "naïve", "Łódź", "жук", "жуки",
         "日本", "本", "한국어", "O'Brien", "state-of-the-art", "a_b", "quiz", "Q", "queue", "x" * 45, "x" * 45 + "y", "tok",
         "квалифицированного", "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk"]
PREFIXES = ["t", "th", "v", "gol", "golfe", "c", "ca", "жу", "ж", "한", "q", "qu", "x" * 20, "x" * 44, "x" * 46, "кв", "квалифицирован",
            "donau", "donaudampfschifffahrtselektrizitaten", "el"]
SPELLED = {"ł": "l", "Ł": "l", "ß": "ss"}


def fold(text):
    text = "".join(SPELLED.get(c, c) for c in text)
    letters = unicodedata.normalize("NFKD", text)
    letters = "".join(c for c in letters if not (unicodedata.combining(c) and ord(c) < 0x370))
    return unicodedata.normalize("NFC", letters.casefold())


def is_ideograph(c):
    return "\u3400" <= c <= "\u9fff"


def words(text):
    """Each ideograph is a word; other letters and digits in a row are one."""
    found, word = [], ""
    for c in fold(text) + " ":
        if is_ideograph(c) or not c.isalnum():
            if word:
                found.append(word)
            word = ""
            if is_ideograph(c):
                found.append(c)
        else:
            word += c
    return found


class Document:
    def __init__(self, fields, codes=()):
        self.fields = [words(field) for field in fields if field]
        self.beginnings = set()
        for code in codes:
            parts = words(code)
            for part in parts + ["".join(parts)]:
                self.beginnings |= {part[:n] for n in range(1, len(part) + 1)}

    def holds(self, term):
        kind, wanted = term
        if kind == "prefix":
            return any(word.startswith(wanted) for field in self.fields for word in field) or any(
                beginning.startswith(wanted) for beginning in self.beginnings)
        if len(wanted) == 1 and wanted[0] in self.beginnings:
            return True
        return any(field[i:i + len(wanted)] == wanted for field in self.fields for i in range(len(field) - len(wanted) + 1))

    def matches(self, query):
        return all(self.holds(term) for term in query.required) and not any(
            all(self.holds(term) for term in group) for group in query.excluded)


LONGEST_Q = 200  # characters


class Query:
    """A random q, and what it asks for."""

    def __init__(self, rng: random.Random, codes):
        self.text = ""
        while not self.text or len(self.text) > LONGEST_Q:
            self.draw(rng, codes)

    def draw(self, rng, codes):
        self.required, self.excluded, texts = [], [], []
        for _ in range(rng.choice([1, 1, 1, 2, 2, 3])):
            text, terms = self.term(rng, codes)
            texts.append(text)
            self.required += terms
        for _ in range(rng.choice([0, 0, 0, 1, 2])):
            text, terms = self.term(rng, codes)
            texts.append("-" + text)
            self.excluded.append(terms)
        self.text = " ".join(texts)

    @staticmethod
    def term(rng, codes):
        kind = rng.random()
        if kind < 0.15:
            code = rng.choice(codes)
            code = code[:rng.randint(1, len(code))]
            if words(code):
                return code.replace(" ", ""), Query.each(code.replace(" ", ""))
        if kind < 0.55:
            text = rng.choice(WORDS)
            return text, Query.each(text)
        if kind < 0.8:
            text = " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 3)))
            return f'"{text}"', [("words", words(text))]
        prefix = rng.choice(PREFIXES)
        return prefix + "*", [("prefix", prefix)]

    @staticmethod
    def each(text):
        """Words outside of quotes are required one by one, but ideographs in a row are a phrase."""
        found = words(text)
        if all(is_ideograph(word) for word in found):
            return [("words", found)]
        return [("words", [word]) for word in found]
