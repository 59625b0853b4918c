"""Both search engines against an oracle, while rows are written, expire and are unpublished, and processes are killed: the same rows and the
same totals once the indexes have followed. TRADEPOST_TEST_STATE is the folder of a stack with SEARCH=sphinx."""
import os
import re
import signal
import subprocess
import sys
import time

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
# pylint: disable=wrong-import-position
from cases import LONG, SEED, TIMING, Tally  # noqa: E402
from engines import Api, Worker  # noqa: E402
from market import CODES, Market  # noqa: E402
from oracle import Query  # noqa: E402
from waiting import limit  # noqa: E402

STATE, BUILD = os.environ["TRADEPOST_TEST_STATE"], os.environ["BUILD"]
QUERIES = int(os.environ.get("TRADEPOST_TEST_QUERIES", "2000" if LONG else "800"))
QUERIES_A_ROUND, WRITES_A_ROUND = 200, 40
FOLLOWS_WITHIN = 60  # seconds. After a kill the lease of the index alone takes 10.
ANSWERS_WITHIN = 30  # seconds, in which a busy machine answers once within search.timeout_ms


def control(*arguments, text=None):
    done = subprocess.run([f"{BUILD}/tradepostctl", "--config", f"{STATE}/tradepost.toml", *arguments], input=text, text=True,
                          capture_output=True)
    if done.returncode:
        raise AssertionError(f"tradepostctl {' '.join(arguments)}: {done.stderr}")
    return done.stdout


def service_pid(name):
    with open(f"{STATE}/sv/{name}/supervise/pid", encoding="ascii") as file:
        return int(file.read())  # empty while the service is not running


def set_up():
    """A user and three organisations of this run. Those of earlier runs on the same stack are unpublished, so that searches find none of their rows."""
    for slug in set(re.findall(r"\boracle-[0-9a-z-]+", control("org", "list"))):
        control("org", "unpublish", "--org", slug)
    unique = f"{time.time_ns():x}"
    email = f"oracle-{unique}@dealer.example"
    control("user", "add", "--email", email, "--name", "Oracle", "--password-stdin", text="correct horse battery\n")
    token = control("token", "mint", "--email", email, "--name", "oracle").strip()
    with open(f"{STATE}/port", encoding="ascii") as file:
        api = Api(int(file.read()), token)
    for number, name in enumerate(("Golf & Sons", "Café Квартал", "Yard 3D")):
        slug = f"oracle-{unique}-{number}"
        control("org", "add", "--name", name, "--slug", slug, "--published")
        control("org", "add-member", "--org", slug, "--email", email, "--role", "ADMIN")
    organisations = {each["id"]: {"name": each["name"], "slug": each["slug"], "published": True}
                     for each in api.send("GET", "/me")["organisations"]}
    assert len(organisations) == 3, organisations
    config = f"{STATE}/mysql.toml"
    with open(f"{STATE}/tradepost.toml", encoding="utf-8") as file, open(config, "w", encoding="utf-8") as copy:
        copy.write(file.read().replace('engine = "sphinx"', 'engine = "mysql"').replace("/run/limits", "/run/mysql-limits"))
    return api, Worker(f"{BUILD}/tradepost-worker", config, f"{STATE}/run", token), organisations


def found(engine, path, parameters, bearer):
    """The total and the ids of all pages; None while the search is unavailable."""
    ids, page = [], 1
    while True:
        status, answer = engine.get(path, parameters + [("limit", 100), ("page", page)], bearer)
        if status == 503:
            return None
        if status != 200:
            raise AssertionError(f"{path} {parameters}: {status} {answer}")
        data = answer["data"]
        ids += [row["id"] for row in data[path[1:]]]
        if page >= data["pages"]:
            return data["total"], ids
        page += 1


class Round:
    def __init__(self, api, worker, market):
        self.api, self.worker, self.market, self.compared, self.hits = api, worker, market, 0, 0

    def disturb(self):
        rng, market = self.market.rng, self.market
        for _ in range(WRITES_A_ROUND):
            market.write()
        chance = rng.random()
        if chance < 0.2:
            organisation = rng.choice(list(market.organisations.values()))
            organisation["published"] = not organisation["published"]
            control("org", "publish" if organisation["published"] else "unpublish", "--org", organisation["slug"])
        elif chance < 0.5:
            try:
                os.kill(service_pid(rng.choice(["index", "searchd"])), signal.SIGKILL)
            except ValueError:
                pass  # it is dead already
        elif chance < 0.55:
            control("reindex")

    def compare(self, query):
        rng, market = self.market.rng, self.market
        collection = rng.choice(["jobs", "jobs", "stock"])
        owner = rng.choice([None, *market.organisations]) if collection == "jobs" else None
        bearer = collection == "stock" or owner is not None
        parameters, fits = market.filters(collection, owner)
        parameters = [("q", query.text), *parameters] + ([("organisationId", owner)] if owner else [])

        def wanted():
            market.await_quiet_clock()
            visible = market.visible(collection, owner)
            return {id for id, row in market.rows[collection].items()
                    if visible(row) and fits(row) and market.document(collection, row).matches(query)}

        self.compared += 1
        self.hits += self.expect(self.worker, "MySQL", collection, parameters, bearer, wanted, ANSWERS_WITHIN)
        self.expect(self.api, "Sphinx", collection, parameters, bearer, wanted, FOLLOWS_WITHIN)

    @staticmethod
    def expect(engine, name, collection, parameters, bearer, wanted, patience):
        """Jobs may expire meanwhile, so what is wanted is asked anew. Returns how many rows it is."""
        rows = wanted()  # it may wait for jobs that expire
        deadline = time.monotonic() + limit(patience)
        while True:
            got = found(engine, f"/{collection}", parameters, bearer)
            if got is not None and got[0] == len(rows) and len(got[1]) == len(rows) and set(got[1]) == rows:
                return len(rows)
            if time.monotonic() > deadline:
                break
            time.sleep(0.05)
            rows = wanted()
        got = got or (None, [])
        raise AssertionError(f"seed {SEED}: {name} finds {got[0]} {collection}, {len(got[1])} listed, not {len(rows)}, for {parameters}: "
                             f"missing {sorted(rows - set(got[1]))[:3]}, wrong {sorted(set(got[1]) - rows)[:3]}")


def check_away(api):
    """A server that stands still costs the searches, and nothing else."""
    searchd = service_pid("searchd")
    os.kill(searchd, signal.SIGSTOP)
    try:
        begun = time.monotonic()
        # Nobody has asked for it, so no cache answers.
        status, answer = api.get("/jobs", [("q", "standstill")], False)
        assert (status, answer) == (503, {"error": "Search unavailable"}), (status, answer)
        # search.timeout_ms is 10 s in tests.
        assert not TIMING or time.monotonic() - begun < 25, "a search waits for long"
        for path, bearer in (("/jobs", False), ("/stock", True), ("/enquiries", True)):
            status, answer = api.get(path, [("limit", 1)], bearer)
            assert status == 200, (path, status, answer)
    finally:
        os.kill(searchd, signal.SIGCONT)


def check_market(api, worker, organisations):
    market = Market(api, organisations, SEED)
    for _ in range(250):
        market.write()
    state = Round(api, worker, market)
    while state.compared < QUERIES:
        state.disturb()
        for _ in range(QUERIES_A_ROUND):
            state.compare(Query(market.rng, CODES))
    assert state.hits > state.compared, "hardly anything was found, so little was compared"
    print(f"{state.compared} queries, {state.hits} matches")


def main():
    print(f"seed {SEED}", flush=True)
    tally = Tally()
    api, worker, organisations = set_up()
    try:
        tally.run("both engines find what the oracle finds", lambda: check_market(api, worker, organisations))
        tally.run("a search server that stands still costs searches only", lambda: check_away(api))
    finally:
        worker.stop()
    return tally.finish()


sys.exit(main())
