"""CPU per request, summed over all processes that take part."""
import os
import pathlib
import re
import statistics
import subprocess
import sys

from settings import CONNECTIONS, ROUNDS, SECONDS, STATE

TICK = os.sysconf("SC_CLK_TCK")


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


def cpu_seconds(pids):
    """Seconds spent so far by nginx, by the workers and by the database."""
    total = [0, 0, 0]
    for pid in pids:
        name, fields = pathlib.Path(f"/proc/{pid}/stat").read_text().split("(", 1)[1].rsplit(")", 1)
        fields = fields.split()
        total[{"nginx": 0, "mariadbd": 2}.get(name, 1)] += int(fields[11]) + int(fields[12])
    return [ticks / TICK for ticks in total]


def wrk(url, headers=(), strict=True, script=None, connections=CONNECTIONS):
    command = ["wrk", "--latency", "-t", "2", "-c", str(connections), "-d", f"{SECONDS}s"]
    if script:
        command += ["-s", script]
    for header in headers:
        command += ["-H", header]
    output = subprocess.run(command + [url], check=True, capture_output=True, text=True).stdout
    requests = int(re.search(r"(\d+) requests in", output)[1])
    if requests == 0 or (strict and "Non-2xx" in output):
        sys.exit(f"{url} did not answer 200:\n{output}")
    p99 = re.search(r"99%\s+([\d.]+)(us|ms|s)", output)
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1])
    return requests, rate, float(p99[1]) * {"us": 0.001, "ms": 1, "s": 1000}[p99[2]]


def resident_mb(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1]) / 1024


def measure(routes, base, rivals):
    """{name: [requests a second, p99 in ms, CPU µs a request, of nginx, of the application, of the database]}: medians of rounds in which
    all routes take their turns. `routes`: (name, path, headers, wrk's script or None)."""
    def everything():
        table = processes()
        roots = [pid for pid, (_, line) in table.items() if str(STATE) in line and ("runsvdir" in line or "multiwatch" in line)]
        return set().union(*(below(root, table) for root in [*roots, *(rival.pid() for rival in rivals)] if root in table))

    figures = {name: [] for name, *_ in routes}
    for round_number in range(ROUNDS + 1):
        for name, path, headers, script in routes:
            pids = everything()
            before = cpu_seconds(pids)
            # The first round warms up; nginx may still be turning to the new configuration.
            requests, rate, p99 = wrk(base + path, headers, round_number > 0, script)
            parts = [(after - earlier) / requests * 1e6 for after, earlier in zip(cpu_seconds(pids), before)]
            if round_number > 0:
                figures[name].append((rate, p99, sum(parts), *parts))
    return {name: [statistics.median(column) for column in zip(*rows)] for name, rows in figures.items()}
