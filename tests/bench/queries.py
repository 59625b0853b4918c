"""What is asked of the lists: kinds of queries, and two hundred of them as often as Zipf's law has it."""
import random
import urllib.parse

from settings import STATE
from stack import get, sql

JOBS, STOCK = "/api/v1/jobs", "/api/v1/stock"


def listed(path, **parameters):
    return path + ("?" + urllib.parse.urlencode(parameters) if parameters else "")


def commonest(column, count=6):
    """Values of jobs' column, most frequent first."""
    rows = sql(f"SELECT {column}, COUNT(*) n FROM jobs WHERE listed = 1 AND {column} IS NOT NULL GROUP BY 1 ORDER BY n DESC, 1 LIMIT {count};")
    return [row[0] for row in rows]


class Values:
    """Filter values that jobs have."""

    def __init__(self):
        self.category, self.department, self.city = (commonest(name, 12) for name in ("category", "department", "city"))
        self.contract_type = commonest("contract_type")
        self.organisation = [f"{h[:8]}-{h[8:12]}-{h[12:16]}-{h[16:20]}-{h[20:]}" for h in (text.lower() for text in commonest("HEX(organisation_id)", 12))]


def kinds(values, slug, total, stock_total):
    """{name: target} of what may be asked for; deep pages reach into the middle and to the end of `total` rows."""
    v = values
    last = -(-total // 20)
    filtered = {
        "category": {"category": v.category[0]},
        "department": {"department": v.department[0]},
        "contract type": {"contractType": v.contract_type[0]},
        "city": {"city": v.city[0]},
        "organisation": {"organisationId": v.organisation[0]},
        "salary from": {"salaryMin": 40000},
        "salary to": {"salaryMax": 30000},
        "salary range": {"salaryMin": 30000, "salaryMax": 40000},
        "category + city": {"category": v.category[0], "city": v.city[0]},
        "category + contract type": {"category": v.category[0], "contractType": v.contract_type[0]},
        "department + city": {"department": v.department[0], "city": v.city[0]},
        "contract type + city": {"contractType": v.contract_type[1], "city": v.city[1]},
        "organisation + category": {"organisationId": v.organisation[0], "category": v.category[0]},
        "city + salary range": {"city": v.city[0], "salaryMin": 30000, "salaryMax": 40000},
    }
    return {
        "no filter": listed(JOBS),
        **{name: listed(JOBS, **filters) for name, filters in filtered.items()},
        "page in the middle": listed(JOBS, page=max(1, last // 2)),
        "last page": listed(JOBS, page=last),
        "page past the end": listed(JOBS, page=last + 100),
        "contract type, page 100": listed(JOBS, contractType=v.contract_type[0], page=100),
        "detail": f"{JOBS}/{slug}",
        "stock": listed(STOCK),
        "stock, status": listed(STOCK, status="ARCHIVED"),
        "stock, page in the middle": listed(STOCK, page=max(1, stock_total // 40)),
        "stock, last page": listed(STOCK, page=-(-stock_total // 20)),
    }


def distinct(values, count=200):
    """So many different lists of jobs, most wanted first; the same for the same rows."""
    chance = random.Random(7)
    found = [listed(JOBS), *(listed(JOBS, page=page) for page in range(2, 6))]
    singles = [("category", values.category), ("department", values.department), ("city", values.city), ("contractType", values.contract_type),
               ("organisationId", values.organisation)]
    while len(found) < count:
        parameters = {name: chance.choice(choices) for name, choices in chance.sample(singles, chance.choice((1, 1, 2)))}
        if chance.random() < 0.2:
            bound = 1000 * chance.randrange(22, 60)
            parameters = {"salaryMin": bound, "salaryMax": bound + 10000}
        if chance.random() < 0.25:
            parameters["page"] = chance.randrange(2, 6)
        target = listed(JOBS, **parameters)
        if target not in found:
            found.append(target)
    return found


def write_targets(name, targets):
    """A file of one target a line, for wrk and bench-open-loop."""
    path = STATE / "tmp" / f"{name}.targets"
    path.write_text("".join(target + "\n" for target in targets))
    return path


def zipf(targets, draws=20000):
    """As many requests, in which the nth target is asked for 1/n times as often as the first."""
    return random.Random(11).choices(targets, [1 / rank for rank in range(1, len(targets) + 1)], k=draws)
