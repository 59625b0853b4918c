"""What happens when an instance starts with a schema of another version, and what becomes of the lease of a process that was killed."""
import json
import os
import pathlib
import re
import signal
import subprocess
import time

from host import cursor, equal, expect, finish_upgrade, north, run, said, wait_until

HOST = os.uname().nodename


def steps():
    """Those that are pending after put_schema_back(), which takes away what the first one does. The others can be repeated."""
    return sorted(path.name for path in pathlib.Path("/usr/share/tradepost/sql").glob("*.sql") if int(path.name[:3]) >= 87)


def sql(statement, check=True):
    return said(f'mariadb tradepost_north -N -e "{statement}"', check=check)


def schema():
    return sql("SELECT COUNT(*), MAX(number) FROM schema_migrations")


PUT_BACK = ("ALTER TABLE idempotency_keys DROP COLUMN bytes, DROP INDEX idempotency_keys_user; DELETE FROM schema_migrations WHERE number >= 87; "
            "DELETE FROM list_counts WHERE measure = 255; DELETE FROM search_words")


def put_schema_back():
    """As an instance that was stopped during an upgrade has it: without the last steps, totals and words of this version."""
    sql(PUT_BACK)


def totals_and_words():
    return sql("SELECT COUNT(*) FROM list_counts WHERE measure = 255; SELECT COUNT(*) FROM search_words")


def state():
    """The schema, and totals and words, as they should be."""
    finish_upgrade(north)
    return schema(), totals_and_words()


def migrated(since):
    """How often units have applied the step that put_schema_back() takes away, since then: before they start, or while they run."""
    return said(f"journalctl --no-pager -o cat --since='{since}' -u 'tradepost*@north.service' | "
                f"grep -cE '(applied |event=migrated name=){steps()[0]}'", check=False)


def writes():
    """Keys of idempotency have the column that was taken away."""
    key = f"key-{time.monotonic_ns()}"
    return north.call("POST", "/api/v1/stock", {"reference": key, "title": "Van"}, {"Idempotency-Key": key}).status


def check_migrated(before, complete, what):
    """Without a person: tradepost-upgrade does it, again and again while the database is away."""
    wait_until(lambda: schema() == before, f"{what}: the schema")
    wait_until(lambda: writes() == 201, f"{what}: a worker looks at the schema once a second")
    wait_until(lambda: totals_and_words() == complete, f"{what}: totals and words that this version needs")
    wait_until(lambda: north.active("tradepost-upgrade@north.service") == "inactive", "the end of tradepost-upgrade")


class Blocker:
    """A session of the database that holds locks until end()."""
    def __init__(self, statement):
        self.session = subprocess.Popen(["mariadb", "-n", "-N", "tradepost_north"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.session.stdin.write(f"{statement}; SELECT 'held';\n")
        self.session.stdin.flush()
        equal(self.session.stdout.readline(), "held\n", statement)

    def end(self):
        self.session.communicate("", timeout=60)


def holder(name):
    """Who has the lease."""
    return sql(f"SELECT holder FROM leases WHERE name = '{name}' AND expires_at > UTC_TIMESTAMP(3)")


def test_an_instance_that_was_stopped_during_an_upgrade_is_migrated_when_it_starts():
    before, complete = state()
    for starts in ("start tradepost@north.target", "start tradepost@north.service"):
        run("systemctl stop tradepost@north.target")
        put_schema_back()
        since = cursor()
        run(f"systemctl {starts}")
        wait_until(lambda: schema() == before, f"{starts} migrates")
        run("systemctl start tradepost@north.target")  # all of the instance
        check_migrated(before, complete, starts)
        equal(migrated(since), "1", f"{starts}: how often the step was applied")
    put_schema_back()
    run("systemctl restart tradepost@north.service")
    check_migrated(before, complete, "restart")


def test_clients_get_an_answer_while_an_instance_that_starts_is_migrated():
    before, complete = state()
    run("systemctl stop tradepost@north.target")
    put_schema_back()
    blocker = Blocker("LOCK TABLES idempotency_keys READ")
    try:
        run("systemctl start tradepost@north.target")
        wait_until(lambda: holder("migrate"), "the lease")
        sign_in = ("POST", "/api/v1/auth", {"email": "sign-in@dealer.test", "password": "correct horse 9 battery"})
        for call in (("GET", "/api/v1/jobs"), ("GET", "/readyz"), sign_in, ("GET", "/api/v1/uploads"), ("GET", "/api/v1/jobs")):
            answer = north.call(*call)
            equal((answer.status, answer.headers["Retry-After"] is not None, answer.json()), (503, True, {"error": "Service unavailable"}), f"{call[1]}")
        equal(north.get("/healthz").status, 200, "a worker answers")
        equal({north.active(unit) for unit in north.units()}, {"active"}, "the pools")
        wait_until(lambda: "event=waits_for_migration" in north.journal("tradepost@north.service"), "the line for the operator")
    finally:
        blocker.end()
    check_migrated(before, complete, "afterwards")


def test_a_schema_that_is_newer_than_the_program_keeps_the_instance_away():
    known = sql("SELECT MAX(number) FROM schema_migrations")
    sql("INSERT INTO schema_migrations VALUES (999, '999_next.sql', REPEAT('0', 64), UTC_TIMESTAMP(3))")
    since = cursor()
    line = (f"tradepostctl: the database's schema is at number 999, newer than this program's {known}: "
            "install the version that made it, or a later one")
    try:
        run("systemctl restart --no-block tradepost@north.service")
        for pool in ("", "-auth", "-uploads", "-deliver"):
            wait_until(lambda: line in north.journal(f"tradepost{pool}@north.service", since).splitlines(), f"the reason in the journal of {pool}")
        equal(north.workers(), [], "workers")
        done = run("systemctl reload tradepost@north.service", check=False)
        expect(done.returncode != 0, "a reload is refused")
    finally:
        sql("DELETE FROM schema_migrations WHERE number = 999")
    north.wait_ready()


def test_a_database_that_comes_back_with_an_old_schema_is_migrated_before_anything_runs_on_it():
    before, complete = state()
    run("systemctl stop tradepost@north.target")
    put_schema_back()
    run("systemctl stop mariadb")
    run("systemctl start tradepost@north.target")
    wait_until(lambda: len(north.workers()) == 4, "workers")
    equal(north.get("/api/v1/jobs").status, 503, "without a database")
    equal(north.get("/healthz").status, 200, "a worker answers")
    run("systemctl start mariadb")
    seen = set()
    wait_until(lambda: seen.add(north.get("/api/v1/me").status) or 200 in seen, "an answer")
    expect(seen <= {200, 503}, f"statuses {seen}")
    check_migrated(before, complete, "afterwards")


def test_a_worker_that_starts_during_a_migration_waits_and_the_others_serve():
    """As during an upgrade of the package: the program is new, the schema still old, and somebody migrates."""
    before, complete = state()
    # Workers that have seen the schema as it should be.
    since = cursor()
    run("systemctl restart tradepost@north.service")
    wait_until(lambda: north.journal("tradepost@north.service", since).count("event=start ") == 4, "new workers")
    old, since_old = north.workers(), cursor()
    # A process that runs looks at the schema, too: it sees the old one only when the step has to wait.
    written = "schema_migrations WRITE, list_counts WRITE, search_words WRITE"
    blocker = Blocker(f"LOCK TABLES idempotency_keys WRITE, {written}; {PUT_BACK}; LOCK TABLES idempotency_keys READ")
    try:
        migrates = subprocess.Popen(["tradepostctl", "--instance", "north", "migrate"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        wait_until(lambda: holder("migrate"), "the lease")
        since = cursor()
        os.kill(old[0], signal.SIGKILL)
        wait_until(lambda: "waits_for_migration" in north.journal("tradepost@north.service", since), "the new worker waits")
        for _ in range(20):
            equal(north.get("/api/v1/me").status, 200, "the other workers")
        waits = subprocess.Popen(["tradepostctl", "--instance", "north", "migrate"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        told = waits.stderr.readline()
        equal(told, f"tradepostctl: waits for {holder('migrate')}, which migrates the schema\n", "a second one")
    finally:
        blocker.end()
    printed = migrates.communicate(timeout=60)[0] + waits.communicate(timeout=60)[0]
    equal((migrates.returncode, waits.returncode, schema()), (0, 0, before), "both")
    # A unit that starts again on its own may have been first, and its line comes into the journal a moment later.
    applied = lambda: printed.count(f"applied {steps()[0]}\n") + int(migrated(since_old))
    wait_until(lambda: applied() > 0, "somebody says that the step is applied")
    finish_upgrade(north)
    check_migrated(before, complete, "afterwards")
    equal(applied(), 1, "how often the step was applied")


def test_all_instances_are_migrated_by_one_command():
    (before, complete), broken = state(), pathlib.Path("/etc/tradepost/broken.toml")
    number = before.split()[1]
    equal(said("tradepostctl migrate --all-instances"), f"north: the schema is current ({number})\nsouth: the schema is current ({number})", "nothing to do")
    # A process that runs looks at the schema, too, and could be first.
    run("systemctl stop tradepost@north.target")
    put_schema_back()
    broken.write_text('[http]\ndeadline_s = "soon"\n')
    try:
        done = run("tradepostctl migrate --all-instances", check=False)
        equal(done.returncode, 1, "exit status")
        equal(done.stdout, "".join(f"north: applied {step}\n" for step in steps()) + f"south: the schema is current ({number})\n", "what it did")
        equal(done.stderr, f"tradepostctl: broken: {broken}:2: http.deadline_s must be a whole number\n", "what it could not")
        done = run("tradepostctl --json migrate --all-instances 2>/dev/null", check=False)
        equal(json.loads(done.stdout), [{"instance": "broken", "error": f"{broken}:2: http.deadline_s must be a whole number"},
                                        {"instance": "north", "applied": [], "schema": int(number)},
                                        {"instance": "south", "applied": [], "schema": int(number)}], "as JSON")
    finally:
        broken.unlink()
    for named in ("--instance north", "--config /etc/tradepost/north.toml"):
        done = run(f"tradepostctl {named} migrate --all-instances", check=False)
        equal(done.returncode, 2, named)
    run("systemctl start tradepost@north.target")
    north.wait_ready()
    finish_upgrade(north)
    check_migrated(before, complete, "afterwards")


def test_the_lease_of_a_process_that_was_killed_is_free_at_once():
    blocker = Blocker("LOCK TABLES list_counts READ")
    try:
        killed = subprocess.Popen(["tradepostctl", "--instance", "north", "recount", "--totals"], stderr=subprocess.DEVNULL)
        wait_until(lambda: holder("recount"), "the lease")
        other = north.ctl("recount --totals", check=False)
        equal((other.returncode, other.stdout), (1, f"nothing done: recount is running on {HOST}, process {killed.pid}\n"), "while it runs")
        killed.kill()
        killed.wait()
    finally:
        blocker.end()
    expect(holder("recount"), "the lease of the process that was killed")
    equal(said("tradepostctl --instance north recount --totals"), "totals that were wrong: 0", "another one, at once")


def test_a_service_sees_whether_the_process_that_has_a_lease_still_runs():
    """In its sandbox, in which it does not see the processes of others."""
    unit = "tradepost-prune@north.service"
    blocker = Blocker("LOCK TABLES api_tokens READ")
    try:
        by_root = subprocess.Popen(["tradepostctl", "--instance", "north", "prune"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(lambda: holder("prune"), "the lease")
        since = cursor()
        run(f"systemctl start {unit}")
        equal(north.journal(unit, since).splitlines().count(f"nothing done: prune is running on {HOST}, process {by_root.pid}"), 1, "in the journal")
        by_root.kill()
        by_root.wait()
        since = cursor()
        run(f"systemctl start --no-block {unit}")
        wait_until(lambda: holder("prune") == f"{HOST}, process {said(f'systemctl show -P MainPID {unit}')}", "the service takes the lease")
        # And root sees that the service runs, and that it has ended.
        running = f"nothing done: prune is running on {holder('prune')}"
        equal(said("tradepostctl --instance north prune"), running, "while the service does")
        run(f"systemctl kill -s KILL {unit}")
        wait_until(lambda: north.active(unit) == "failed", "its end")
        run(f"systemctl start --no-block {unit}")
        wait_until(lambda: holder("prune") and f"process {said(f'systemctl show -P MainPID {unit}')}" in holder("prune"), "the next one takes it")
    finally:
        blocker.end()
    wait_until(lambda: re.search(r"(?m)^removed \d+ tokens", north.journal(unit, since)), "what it removed")


def test_a_recount_that_loses_its_lease_ends_before_it_writes():
    blocker = Blocker("LOCK TABLES list_counts READ")
    try:
        loses = subprocess.Popen(["tradepostctl", "--instance", "north", "recount", "--totals"], stderr=subprocess.PIPE, text=True)
        wait_until(lambda: holder("recount"), "the lease")
        sql("UPDATE leases SET token = REPEAT('x', 16), holder = 'other, process 1' WHERE name = 'recount'")
        equal(loses.communicate(timeout=60)[1],
              "tradepostctl: recount has lost its lease, and another process may have it: run the command again\n", "what it says")
        equal(loses.returncode, 1, "exit status")
    finally:
        blocker.end()
    other = north.ctl("recount --totals", check=False)
    equal((other.returncode, other.stdout), (1, "nothing done: recount is running on other, process 1\n"), "the lease of another host")
    sql("UPDATE leases SET expires_at = UTC_TIMESTAMP(3) WHERE name = 'recount'")
    equal(said("tradepostctl --instance north recount --totals"), "totals that were wrong: 0", "after its end")
