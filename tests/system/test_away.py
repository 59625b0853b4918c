"""The database is away while dpkg upgrades the package: the next version is migrated without a person, and clients get a status meanwhile."""
import pathlib

from host import PACKAGES, equal, expect, north, run, said, south, wait_until

STEP = "next_version"


def schema(instance):
    return int(said(f"mariadb -N -e 'SELECT MAX(number) FROM tradepost_{instance.name}.schema_migrations'"))


def put_back(instance):
    """Takes away the step of the next version."""
    run(f"mariadb tradepost_{instance.name} -e 'ALTER TABLE stock_items DROP COLUMN {STEP}; DELETE FROM schema_migrations ORDER BY number DESC LIMIT 1'")


def install_next(*others):
    done = run(f"dpkg --install {PACKAGES}/tradepost-next.deb {' '.join(others)} 2>&1", timeout=300)
    return [line for line in done.stdout.splitlines() if line.startswith("tradepost: ")]


def package_that_starts_the_database():
    """As mariadb-server is when dpkg upgrades it too: its server is down until dpkg configures it, after Tradepost."""
    folder = pathlib.Path("/run/zz-database")
    (folder / "DEBIAN").mkdir(parents=True)
    (folder / "DEBIAN/control").write_text("Package: zz-database\nVersion: 1\nArchitecture: all\nMaintainer: Check <check@example.org>\nDescription: starts the database\n")
    script = folder / "DEBIAN/postinst"
    script.write_text("#!/bin/sh\nsystemctl start mariadb\n")
    script.chmod(0o755)
    run(f"dpkg-deb --build {folder} /run/zz-database.deb")
    return "/run/zz-database.deb"


def answers_503(instance):
    answer = instance.get("/api/v1/jobs", timeout=30)
    equal((answer.status, answer.headers["Retry-After"] is not None), (503, True), "without a database")


def test_a_database_server_that_the_same_command_upgrades():
    before, workers, package = schema(north), north.workers(), package_that_starts_the_database()
    run("systemctl stop mariadb")
    equal(install_next(package), [], "what needs a person")
    for instance in (north, south):
        equal(schema(instance), before + 1, f"{instance.name}'s schema")
        instance.wait_ready()
    expect(not set(workers) & set(north.workers()), "every worker is new")


def test_a_database_that_stays_away():
    current, workers = schema(north), north.workers()
    run("systemctl stop tradepost@south.target")
    for instance in (north, south):
        put_back(instance)
    run("systemctl stop mariadb")
    equal(install_next(), [
        "tradepost: south does not run. It is migrated when it starts",
        "tradepost: north answers 503 until its database can be reached, and is migrated then by itself: start the database server; systemctl status "
        "tradepost-upgrade@north shows the result"], "what the operator is told")
    wait_until(lambda: north.workers() and not set(workers) & set(north.workers()), "new workers")
    answers_503(north)
    # As needrestart does.
    run("systemctl restart tradepost@north.service tradepost-auth@north.service tradepost-uploads@north.service")
    answers_503(north)
    run("systemctl start tradepost@south.target")
    answers_503(south)
    run("systemctl start mariadb")
    for instance in (north, south):
        wait_until(lambda: schema(instance) == current, f"{instance.name} is migrated")
        instance.wait_ready()
        equal(instance.get("/api/v1/me").status, 200, f"{instance.name}'s token")
