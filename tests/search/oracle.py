"""What a search means, by the API rules alone: documents, queries as people write them, and which document matches which query."""
import random
import re
import unicodedata

WORDS = ["the", "a", "of", "VW", "3D", "C++", "golf", "Golfer", "van", "driver", "electric", "café", "CAFÉ", "naïve", "Łódź", "жук", "жуки",
         "日本", "本", "รถยนต์", "ยนต์", "แม่น้ำ", "ລົດ", "한국어", "O'Brien", "state-of-the-art", "a_b", "quiz", "Q", "queue", "x" * 45, "x" * 45 + "y", "tok",
         "квалифицированного", "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk"]
PREFIXES = ["t", "th", "v", "gol", "golfe", "c", "ca", "жу", "ж", "한", "q", "qu", "x" * 20, "x" * 44, "x" * 46, "кв", "квалифицирован",
            "donau", "donaudampfschifffahrtselektrizitaten", "el"]
SPELLED = {"ł": "l", "Ł": "l", "ß": "ss"}


def fold(text):
    text = "".join(SPELLED.get(c, c) for c in text)
    letters = unicodedata.normalize("NFKD", text)
    letters = "".join(c for c in letters if not (unicodedata.combining(c) and ord(c) < 0x370))
    return unicodedata.normalize("NFC", letters.casefold())


# A consonant of Thai or Lao with the vowel before it, and the vowels and marks behind it.
CLUSTER = "[\u0e40-\u0e44\u0ec0-\u0ec4]?[\u0e01-\u0e2e\u0e81-\u0eae][\u0e30-\u0e3a\u0e45\u0e47-\u0e4e\u0eb0-\u0ebd\u0ec8-\u0ecd]*"
WORD = re.compile(CLUSTER + r"|[\u3400-\u9fff]|(?:(?![\u0e00-\u0eff\u3400-\u9fff])[^\W_])+")


def is_ideograph(word):
    return "\u3400" <= word[0] <= "\u9fff" or "\u0e00" <= word[0] <= "\u0eff"


def words(text):
    """Each ideograph is a word, and so is each cluster of Thai or Lao; other letters and digits in a row are one."""
    return WORD.findall(fold(text))


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
