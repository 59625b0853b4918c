"""Requests a second and CPU per request, summed over all processes that take part; latency at a fixed load."""
import dataclasses
import json
import os
import pathlib
import re
import statistics
import subprocess

from settings import BUILD, CONNECTIONS, OPEN_SECONDS, ROUNDS, SECONDS, STATE

# The last is a server that is started by another C library than the installed one.
PART_OF = {"nginx": 0, "mariadbd": 2, "mysqld": 2, "ld-linux-x86-64": 2}
WIDTH = 2 * CONNECTIONS  # connections of the open loop


def processes():
    """{pid: (parent, command line)} of everything that runs."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text().rsplit(")", 1)[1].split()
                found[int(entry.name)] = (int(stat[1]), (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace"))
            except OSError:
                pass
    return found


def below(root, table):
    """The processes whose ancestor is `root`, and itself."""
    family = {root}
    while True:
        more = {pid for pid, (parent, _) in table.items() if parent in family} - family
        if not more:
            return family
        family |= more


def stack_processes(pools=()):
    table = processes()
    roots = [pid for pid, (_, line) in table.items() if str(STATE) in line and "runsvdir" in line]
    roots += [pool.process.pid for pool in pools if pool.process]
    return set().union(*(below(root, table) for root in roots if root in table))


def cpu_seconds(pids):
    """Seconds spent so far by nginx, by the application and by the database; what has ended meanwhile does not count."""
    total = [0, 0, 0]
    for pid in pids:
        process = pathlib.Path(f"/proc/{pid}")
        try:
            part = PART_OF.get((process / "comm").read_text().strip(), 1)
            for thread in (process / "task").iterdir():
                total[part] += int((thread / "schedstat").read_text().split()[0])
        except (FileNotFoundError, ProcessLookupError):
            pass
    return [nanoseconds / 1e9 for nanoseconds in total]


def workers(pool):
    """The processes of one of the stack's own pools: api, auth or uploads."""
    leader = int((STATE / f"run/{pool}.pid").read_text().split()[0])
    return [pid for pid, (parent, _) in processes().items() if parent == leader]


def memory_mb(pid, field):
    return int(re.search(field + r":\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1]) / 1024


def wrk(url, headers=(), strict=True, script=None, connections=CONNECTIONS, seconds=SECONDS, arguments=(), least=1):
    """Requests, requests a second and p99 in ms of clients of whom each waits for its answer. Ends the benchmark when they get fewer than
    `least`."""
    command = ["wrk", "--latency", "--timeout", "30s", "-t", "2", "-c", str(connections), "-d", f"{seconds}s", *(["-s", script] if script else [])]
    for header in headers:
        command += ["-H", header]
    output = subprocess.run([*command, url, *(["--", *arguments] if arguments else [])], check=True, capture_output=True, text=True).stdout
    requests = int(re.search(r"(\d+) requests in", output)[1])
    if requests < least or (strict and "Non-2xx" in output):
        raise SystemExit(f"{url} did not answer 200:\n{output}")
    p99 = re.search(r"99%\s+([\d.]+)(us|ms|s|m)", output)
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1])
    return requests, rate, float(p99[1]) * {"us": 0.001, "ms": 1, "s": 1000, "m": 60000}[p99[2]]


@dataclasses.dataclass(frozen=True)
class Row:
    """One way to ask one competitor: for `target`, or in turn for all that `file` holds, one a line."""
    route: str
    who: str
    base: str
    target: str | None
    file: pathlib.Path
    headers: tuple = ()

    def closed(self, seconds=SECONDS, least=1):
        if self.target:
            return wrk(self.base + self.target, self.headers, seconds=seconds, least=least)
        script = pathlib.Path(__file__).with_name("targets.lua")
        return wrk(self.base, self.headers, script=str(script), seconds=seconds, arguments=[str(self.file)], least=least)

    def open(self, rate):
        return open_loop(self.base, rate, self.file, self.headers)


def await_queue(row):
    """Clients that stopped have left requests in the queue: this one is answered after them."""
    if row.target:
        subprocess.run(["curl", "-sk", "-o", os.devnull, *(word for header in row.headers for word in ("-H", header)), row.base + row.target], check=True)


def warm_up(row):
    """Until what compiles as it runs has had something to go by. False for who gave no answer at all: counting a million rows each time
    takes more than there is, and what was asked in vain goes on being counted."""
    await_queue(row)
    asked = 0
    for _ in range(4):
        asked += row.closed(1, least=0)[0]  # the first answer may need pages of the database that nobody has read yet
        if asked == 0 or asked >= 1000:
            break
    return asked > 0


def closed_loop(rows, pools):
    """{row: [(requests a second, CPU µs a request, of nginx, of the application, of the database) of each round]}, in which all rows take
    their turns; without those that answer nothing in a second."""
    figures = {row: [] for row in rows if warm_up(row)}
    for _ in range(ROUNDS):
        for row in figures:
            await_queue(row)
            pids = stack_processes(pools)
            before = cpu_seconds(pids)
            requests, rate, _ = row.closed()
            parts = [(after - earlier) / requests * 1e6 for after, earlier in zip(cpu_seconds(pids), before)]
            figures[row].append((rate, sum(parts), *parts))
    return figures


def open_loop(base, rate, file, headers=(), seconds=OPEN_SECONDS):
    """Latencies at `rate` requests a second, each from the moment that it was due; None when the rate is not kept up with."""
    output = subprocess.run([BUILD / "bench-open-loop", base.rsplit(":", 1)[1], str(rate), str(seconds), str(WIDTH), file, *headers],
                            check=True, capture_output=True, text=True).stdout
    found = json.loads(output)
    kept_up = found["answered"] == found["due"] and found["late"] < 0.5
    return found if kept_up else None


def column(figures, row, at):
    """The median of a row's rounds."""
    return statistics.median(round_figures[at] for round_figures in figures[row])


def ratio(figures, row, other):
    """Of CPU per request: the median of the rounds' ratios."""
    return statistics.median(a[1] / b[1] for a, b in zip(figures[row], figures[other]))
