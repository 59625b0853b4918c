"""Restarts, reloads and ends of everything under load: what is lost, and for how long."""
import os
import signal
import time

from host import cursor, equal, expect, kill, north, run, said, wait_until
from load import Load, describe
from waiting import limit


def under_load(fault, act, allowed=(), failures=0):
    """At most so many requests fail while `act` happens, and every write that was acknowledged is there."""
    north.wait_ready()
    with Load(north) as load:
        load.wait_for(50)
        since = time.monotonic()
        act(load)
        load.wait_for(100)
    failed = load.report(fault, since, allowed)
    expect(len(failed) <= failures, describe(failed))
    load.check_writes()
    return load


def test_restart_of_the_pools_loses_nothing():
    def act(load):
        for _ in range(3):
            before = north.workers()
            run("systemctl restart tradepost@north.service")
            wait_until(lambda: north.workers() and not set(before) & set(north.workers()), "new workers")
            load.wait_for(10)
    under_load("restart of the service, 3 times", act)


def test_restart_of_the_target_loses_nothing_while_the_sockets_stay():
    # systemd 257 closes the sockets too and opens them again, which costs the requests of that moment.
    sockets_stay = said("systemctl --version").startswith("systemd 252 ")
    load = under_load("restart of the target", lambda load: run("systemctl restart tradepost@north.target"), failures=0 if sockets_stay else 1000)
    equal({outcome.status for outcome in load.failed()} - {502}, set(), "how requests failed")


def test_reload_loses_nothing_and_takes_new_workers():
    pools = ("", "-auth", "-uploads")

    def act(load):
        main = said("systemctl show -P MainPID tradepost@north.service")
        wait_until(lambda: sum(len(north.workers(pool)) for pool in pools) == 20, "all workers")
        for _ in range(5):
            before = {pid for pool in pools for pid in north.workers(pool)}
            run("systemctl reload tradepost@north.service")
            wait_until(lambda: not before & {pid for pool in pools for pid in north.workers(pool)}, "new workers")
            wait_until(lambda: sum(len(north.workers(pool)) for pool in pools) == 20, "as many as before")
            load.wait_for(10)
        expect(main == said("systemctl show -P MainPID tradepost@north.service"), "the pool itself stayed")
    under_load("reload of the service, 5 times", act)


def test_reload_of_nginx_loses_nothing():
    def act(load):
        for _ in range(3):
            run("systemctl reload nginx")
            load.wait_for(10)
    under_load("reload of nginx, 3 times", act)


def test_a_killed_worker_loses_at_most_its_request():
    kills = []

    def act(load):
        for round in range(8):
            worker = north.workers()[round % 4]
            os.kill(worker, signal.SIGKILL)
            kills.append(worker)
            wait_until(lambda: len(north.workers()) == 4 and worker not in north.workers(), "a new worker")
            load.wait_for(5)
    under_load("SIGKILL of 8 workers", act, failures=8)


def test_a_killed_pool_comes_back():
    def act(load):
        main = said("systemctl show -P MainPID tradepost@north.service")
        kill("tradepost@north.service")
        wait_until(lambda: said("systemctl show -P MainPID tradepost@north.service") not in (main, "0"), "a new pool")
    under_load("SIGKILL of the whole API pool", act, failures=4)


def database_fault(fault, act):
    since = cursor()
    workers = north.workers()
    load = under_load(fault, act, allowed=(503,))
    # The two seconds of the API rules, and what a busy machine takes.
    expect(load.longest(503) < limit(15), f"a 503 took {load.longest(503):.1f} s")
    expect(set(workers) == set(north.workers()), "the workers are those from before")
    expect("Started" not in north.journal("tradepost@north.service", since), "nothing of ours was started again")


def test_a_restart_of_the_database_costs_503s_only():
    database_fault("restart of MariaDB", lambda load: run("systemctl restart mariadb"))


def test_a_killed_database_costs_503s_only():
    def act(load):
        kill("mariadb.service")
        wait_until(lambda: run("mariadb -e 'SELECT 1'", check=False).returncode == 0, "MariaDB")
    database_fault("SIGKILL of MariaDB", act)


def test_a_database_that_is_away_for_a_while_costs_503s_only():
    def act(load):
        run("systemctl stop mariadb")
        began = len(load.outcomes)
        wait_until(lambda: sum(outcome.status == 503 for outcome in load.outcomes[began:]) >= 50, "answers without a database")
        run("systemctl start mariadb")
    database_fault("MariaDB stopped and started", act)


def test_a_pool_started_without_its_database_answers_and_recovers():
    run("systemctl stop mariadb")
    try:
        run("systemctl restart tradepost@north.service")
        answer = north.get("/api/v1/jobs")
        expect(answer.status == 503 and answer.headers["Retry-After"], f"{answer.status}")
    finally:
        run("systemctl start mariadb")
    north.wait_ready()
