"""What requests cost on other database servers, as ratios to the installed one. The servers take turns: each round starts a new stack."""
import os
import pathlib
import statistics

import rivals
import stack
from measure import closed_loop, column, cpu_seconds, Row, stack_processes, wrk
from queries import JOBS, STOCK, listed, write_targets
from rows import add_rows, add_writers
from settings import ENVIRONMENT, ROUNDS, SERVERS
from sites import add_sites

WRITERS = 20
INSTALLED = "installed"
# A word that one job in ten has, and two that few have together.
WORD, WORDS = "service", "apprentice london"


def use(folder):
    """Programs of this folder come before the installed ones; a server of another folder brings its client along."""
    path = os.environ["PATH"]
    ENVIRONMENT["PATH"] = f"{folder}:{path}" if folder else path
    ENVIRONMENT["DATABASE"] = "mysql" if folder and (pathlib.Path(folder) / "mysqld").exists() else "mariadb" if folder else ""


def cost_of_post(site, tokens, pools):
    """CPU µs of a POST: of everything, and of the database."""
    pids = stack_processes(pools)
    before = cpu_seconds(pids)
    requests, _, _ = wrk(site.plain + STOCK, (), True, str(rivals.HERE / "post_stock.lua"), WRITERS, arguments=tokens)
    spent = [(after - earlier) / requests * 1e6 for after, earlier in zip(cpu_seconds(pids), before)]
    return sum(spent), spent[2]


def costs(size):
    """The server's version, and {kind: (CPU µs of a request, those of the database)}."""
    stack.start()
    pools = []
    try:
        token = add_rows(size)
        pools += [rivals.Ours(), rivals.Forgetful("cold", 0)]
        sites = add_sites(pools)
        hot, cold = sites["ours"].plain, sites["cold"].plain
        slug = stack.get(hot + listed(JOBS))[0].split(b'"slug":"', 1)[1].split(b'"')[0].decode()
        bearer = (f"Authorization: Bearer {token}",)
        asked = {"list, hot": (hot, listed(JOBS), ()), "list, cold": (cold, listed(JOBS), ()), "detail, cold": (cold, f"{JOBS}/{slug}", ()),
                 "stock, cold": (cold, listed(STOCK), bearer), f"search {WORD}": (cold, listed(JOBS, q=WORD), ()),
                 f"search {WORDS}": (cold, listed(JOBS, q=WORDS), ())}
        rows = [Row(kind, "ours", base, target, write_targets("kind", [target]), headers) for kind, (base, target, headers) in asked.items()]
        figures = closed_loop(rows, pools)
        found = {row.route: (column(figures, row, 1), column(figures, row, 4)) for row in rows if row in figures}
        found["POST /stock"] = cost_of_post(sites["ours"], add_writers(WRITERS), pools)
        return stack.sql("SELECT VERSION();")[0][0], found
    finally:
        for pool in pools:
            pool.stop()
        stack.stop()


def print_databases(size):
    servers = {INSTALLED: "", **dict(server.split("=", 1) for server in SERVERS)}
    versions, rounds = {}, {name: [] for name in servers}
    for _ in range(ROUNDS):
        for name, folder in servers.items():
            use(folder)
            versions[name], found = costs(size)
            rounds[name].append(found)
    use("")
    print(f"\nCPU µs a request (of the database), and × {versions[INSTALLED]}; medians of {ROUNDS} rounds of {size} rows\n")
    print(f"{'':<28}" + "".join(f"{versions[name][:28]:>32}" for name in servers))
    kinds = dict.fromkeys(kind for each in rounds.values() for found in each for kind in found)
    for kind in kinds:
        line = f"{kind:<28}"
        for name in servers:
            if any(kind not in found for found in rounds[name] + rounds[INSTALLED]):
                line += f"{'no answer in a second':>32}"
                continue
            whole, part = (statistics.median(found[kind][at] for found in rounds[name]) for at in (0, 1))
            against = statistics.median(found[kind][0] / base[kind][0] for found, base in zip(rounds[name], rounds[INSTALLED]))
            line += f"{f'{whole:.0f} ({part:.0f})  {against:.2f} ×':>32}"
        print(line, flush=True)
