"""What else happens while others read: writes, a storm of wrong passwords; and what a worker's memory comes to."""
import pathlib
import random
import statistics
import subprocess
import threading

import goals
from measure import memory_mb, open_loop, workers, wrk
from queries import JOBS, listed, write_targets
from rivals import single_row_commits
from settings import OPEN_SECONDS, ROUNDS

HERE = pathlib.Path(__file__).parent
WRITERS = 20
TRIERS = 8


def print_writes(site, tokens):
    """Writes a second of 20 clients of as many organisations at once, beside what the database commits by itself; in turns, as both depend on the disk."""
    ratios, rates = [], []
    for _ in range(3):
        alone = single_row_commits(WRITERS, 4000)
        _, rate, p99 = wrk(site.secure + "/api/v1/stock", (), True, str(HERE / "post_stock.lua"), WRITERS, arguments=tokens)
        ratios.append(rate / alone)
        rates.append((rate, alone, p99))
    rate, alone, p99 = sorted(rates)[1]
    print(f"\nPOST /stock, {WRITERS} writers: {rate:.0f} a second without an error, p99 {p99:.0f} ms; "
          f"{sorted(ratios)[1]:.2f} × the single-row commits of mariadb-slap ({alone:.0f} a second)", flush=True)


def print_storm(site, rate):
    """p99 of reads while eight clients try wrong passwords without a pause, and while they do not, in turns."""
    file = write_targets("list", [listed(JOBS)])
    idle, stormy, tries = [], [], []
    for _ in range(ROUNDS):
        idle.append(open_loop(site.plain, rate, file))
        storm = threading.Thread(target=lambda: tries.append(
            wrk(site.plain + "/api/v1/auth", (), False, str(HERE / "wrong_passwords.lua"), TRIERS, int(OPEN_SECONDS) + 2, least=0)[1]))
        storm.start()
        stormy.append(open_loop(site.plain, rate, file))
        storm.join()
    if None in idle or None in stormy:
        print(f"\nreads' p99 under a storm of wrong passwords: {rate} reads a second are not kept up with (≤ {goals.STORM}) MISS")
        return
    if statistics.median(tries) == 0:
        print("\nreads' p99 under a storm of wrong passwords: not seen, as other programs left no time for it")
        return
    before, during = (statistics.median(found["p99"] for found in rounds) for rounds in (idle, stormy))
    print(f"\nreads' p99 under a storm of wrong passwords ({TRIERS} clients, {statistics.median(tries):.0f} tries a second), {rate} reads a second: "
          f"{during:.2f} ms, {during / before:.2f} × {before:.2f} ms (≤ {goals.STORM}) {goals.verdict(during / before, goals.STORM)}", flush=True)


def print_memory(site, total, values):
    """Of the workers once each was asked for many more answers than it can remember, large and small."""
    chance = random.Random(3)
    targets = [listed(JOBS, page=page) for page in range(1, min(2000, total // 20))]
    targets += [listed(JOBS, page=page, limit=100) for page in range(1, min(200, total // 100))]
    targets += [listed(JOBS, city=city, page=page, limit=limit) for city in values.city for page in range(1, 20) for limit in (1, 5, 50)]
    chance.shuffle(targets)
    file = write_targets("memory", targets)
    requests, _, _ = wrk(site.plain, script=str(HERE / "targets.lua"), arguments=[str(file)], seconds=10)
    sizes = sorted(memory_mb(pid, "VmRSS") for pid in workers("api"))
    print(f"workers' RSS after {requests} requests for {len(targets)} distinct lists, MB: " + ", ".join(f"{size:.1f}" for size in sizes)
          + f" (≤ {goals.RESIDENT_MB}) {goals.verdict(max(sizes), goals.RESIDENT_MB)}", flush=True)
