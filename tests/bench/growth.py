"""What an answer costs by kind of query, and how that grows with the rows."""
import http.client
import json

import goals
from measure import Row, closed_loop, column, cpu_seconds, stack_processes
from queries import JOBS, STOCK, write_targets

WRITES = 100


def after_writes(site, token, target, pools):
    """CPU µs of the read right after a write, which no worker remembers; the write's own is not counted."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    connection = http.client.HTTPConnection("localhost", site.port)

    def ask(method, path, body=None):
        connection.request(method, path, body and json.dumps(body), headers if body else {})
        answer = connection.getresponse()
        text = answer.read()
        if answer.status not in (200, 201):
            raise SystemExit(f"{method} {path}: {answer.status} {text.decode()}")
        return json.loads(text)["data"]

    job = f"{JOBS}/{ask('POST', JOBS, {'title': 'A job for the bench'})['id']}"
    pids = stack_processes(pools)
    spent = 0
    for number in range(WRITES):
        ask("PATCH", job, {"title": f"Job {number}"})
        before = sum(cpu_seconds(pids))
        ask("GET", target)
        spent += sum(cpu_seconds(pids)) - before
    return spent / WRITES * 1e6


def measure_kinds(sites, token, kinds, pools):
    """{kind: CPU µs a request} of which nothing is remembered."""
    bearer = (f"Authorization: Bearer {token}",)
    rows = [Row(name, "cold", sites["cold"].plain, target, write_targets("kind", [target]), bearer if target.startswith(STOCK) else ())
            for name, target in kinds.items()]
    figures = closed_loop(rows, pools)
    costs = {row.route: column(figures, row, 1) for row in rows}
    for name in ("no filter", "contract type + city"):
        costs[f"{name}, right after a write"] = after_writes(sites["ours"], token, kinds[name], pools)
    return costs


def print_growth(costs):
    """`costs`: {rows: {kind: CPU µs}}, with one size or several."""
    sizes = sorted(costs)
    least, most = sizes[0], sizes[-1]
    print("\nCPU µs of an answer by kind of query, nothing remembered\n")
    print(f"{'rows':<40}" + "".join(f"{size:>10}" for size in sizes) + (f"{'ratio':>9}  goal" if len(sizes) > 1 else ""))
    for kind in costs[least]:
        line = f"{kind:<40}" + "".join(f"{costs[size][kind]:>10.0f}" for size in sizes)
        if len(sizes) > 1:
            ratio = costs[most][kind] / costs[least][kind]
            line += f"{ratio:>9.2f}  ≤ {goals.GROWTH} {goals.verdict(ratio, goals.GROWTH)}"
        print(line, flush=True)
