"""A market in memory beside the one of the API: what it holds, and what a search of it has to find."""
import random
import time
from datetime import datetime, timedelta, timezone

from oracle import WORDS, Document, fold

CITIES = ["Leeds", "LEEDS", "York", "Łódź"]
CATEGORIES = ["Workshop", "Café", "Cafe", "Sales"]
KINDS = ["PERMANENT", "TEMPORARY"]
CODES = ["AB-12 CDE", "AM 004/b", "VEH-20391", "yk19 abc", "Q-1"]


def stamp(seconds):
    return (datetime.now(timezone.utc) + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


def text(rng, most):
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, most)))


def title(rng):
    """Up to four words that fit into a title, which may have 150 characters."""
    found = text(rng, 4)
    while len(found) > 150:
        found = found.rpartition(" ")[0]
    return found


class Market:
    def __init__(self, api, organisations, seed):
        self.api, self.rng = api, random.Random(seed)
        self.organisations = organisations  # id: {"name", "published"}
        self.rows = {"jobs": {}, "stock": {}}

    def write(self):
        """One random change through the API."""
        collection = self.rng.choice(["jobs", "jobs", "stock"])
        rows = self.rows[collection]
        chance = self.rng.random()
        if len(rows) < 60 or chance < 0.35:
            body = self.job() if collection == "jobs" else self.item()
            row = self.api.send("POST", f"/{collection}", {**body, "organisationId": self.rng.choice(list(self.organisations))})
            rows[row["id"]] = row
        elif chance < 0.8:
            row = rows[self.rng.choice(list(rows))]
            body = self.job() if collection == "jobs" else self.item()
            body.pop("status")
            body.pop("reference", None)
            rows[row["id"]] = self.api.send("PATCH", f"/{collection}/{row['id']}", body)
        else:
            row = rows.pop(self.rng.choice(list(rows)))
            self.api.send("DELETE", f"/{collection}/{row['id']}")

    def job(self):
        rng = self.rng
        return {"title": title(rng), "summary": text(rng, 4), "description": text(rng, 12), "category": rng.choice(CATEGORIES),
                "department": text(rng, 1), "city": rng.choice(CITIES), "contractType": rng.choice(KINDS),
                "salaryMin": rng.choice([None, 20000, 30000]), "salaryMax": rng.choice([None, 40000]),
                "salaryCurrency": "GBP", "salaryPeriod": "YEAR", "expiresAt": rng.choice([None] * 8 + [stamp(3600), stamp(4)]),
                "status": rng.choice(["DRAFT", "PUBLISHED", "PUBLISHED", "PUBLISHED"])}

    def item(self):
        rng = self.rng
        return {"reference": f"{rng.choice(CODES)} {rng.getrandbits(40):x}", "title": title(rng), "description": text(rng, 12),
                "make": rng.choice(["Ford", "VW", "Škoda"]), "model": rng.choice(["Golf", "Transit"]),
                "year": rng.choice([None, 2015, 2020]), "price": rng.choice([100, 200]), "currency": "GBP",
                "attributes": rng.choice([{}, {"registration": rng.choice(CODES)}, {"fuel": "electric"}]),
                "status": rng.choice(["DRAFT", "PUBLISHED"])}

    def document(self, collection, row):
        if collection == "jobs":
            name = self.organisations[row["organisation"]["id"]]["name"]
            return Document([row["title"], row["summary"], row["description"], row["category"], row["department"], row["city"], name])
        attributes = row["attributes"]
        texts = [f"{key} {value}" for key, value in attributes.items()]
        codes = [row["reference"]] + [value for key, value in attributes.items() if key == "registration"]
        return Document([row["title"], row["reference"], row["make"], row["model"], row["description"], *texts], codes)

    def await_quiet_clock(self):
        """Until no job expires within the next or the last second."""
        while any(abs(seconds) < 1 for seconds in self.until_expiry()):
            time.sleep(0.1)

    def until_expiry(self):
        now = datetime.now(timezone.utc)
        for row in self.rows["jobs"].values():
            if row["expiresAt"]:
                yield (datetime.fromisoformat(row["expiresAt"].replace("Z", "+00:00")) - now).total_seconds()

    def visible(self, collection, owner):
        """What a caller may find: their stock, all of an organisation's jobs as its member, or public jobs."""
        if collection == "stock":
            return lambda row: True
        if owner:
            return lambda row: row["organisation"]["id"] == owner
        now = stamp(0)
        return lambda row: (row["status"] == "PUBLISHED" and self.organisations[row["organisation"]["id"]]["published"] and
                            (not row["expiresAt"] or row["expiresAt"] > now))

    def filters(self, collection, owner):
        """Random filters as parameters, and what they let through."""
        rng, chosen, checks = self.rng, [], []
        if collection == "jobs":
            if rng.random() < 0.3:
                values = rng.sample(CITIES, rng.randint(1, 2))
                chosen += [("city", value) for value in values]
                keys = {fold(value) for value in values}
                checks.append(lambda row: fold(row["city"]) in keys)
            if rng.random() < 0.2:
                category = rng.choice(CATEGORIES)
                chosen.append(("category", category))
                checks.append(lambda row: fold(row["category"]) == fold(category))
            if rng.random() < 0.2:
                least = rng.choice([25000, 45000])
                chosen.append(("salaryMin", least))
                checks.append(lambda row: (row["salaryMin"] or row["salaryMax"]) is not None and
                              (row["salaryMax"] is None or row["salaryMax"] >= least))
            if owner and rng.random() < 0.2:
                chosen.append(("expiresFrom", "2026-01-01"))
                checks.append(lambda row: row["expiresAt"] is not None)
        else:
            if rng.random() < 0.3:
                make = rng.choice(["ford", "SKODA"])
                chosen.append(("make", make))
                checks.append(lambda row: fold(row["make"]) == fold(make))
            if rng.random() < 0.2:
                chosen.append(("yearMax", 2016))
                checks.append(lambda row: row["year"] is not None and row["year"] <= 2016)
            if rng.random() < 0.2:
                chosen.append(("sort", rng.choice(["price", "-year", "newest"])))
        return chosen, lambda row: all(check(row) for check in checks)
