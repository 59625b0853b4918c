"""A new version of the package, with a migration, under load; and what installing, removing and purging leave."""
import pathlib
import time

import host
from host import PACKAGES, cursor, equal, expect, north, run, said, south, wait_until
from load import Load, describe


def schema():
    return int(said("mariadb -N -e 'SELECT MAX(number) FROM tradepost_north.schema_migrations'"))


def test_upgrade_with_a_migration_loses_nothing():
    before = schema()
    kept = {path: path.read_text() for path in pathlib.Path("/etc/tradepost").glob("*") if path.is_file()}
    workers = north.workers() + south.workers()
    with Load(north) as load:
        load.wait_for(50)
        since = time.monotonic()
        run(f"dpkg --install {PACKAGES}/tradepost-next.deb", timeout=300)
        load.wait_for(100)
    failed = load.report("upgrade of the package with a migration", since)
    expect(not failed, describe(failed))
    load.check_writes()
    equal(schema(), before + 1, "the schema's step")
    expect(not set(workers) & set(north.workers() + south.workers()), "every worker is new")
    for path, text in kept.items():
        equal(path.read_text(), text, str(path))


def test_a_downgrade_is_refused_in_one_line_and_harms_nobody_who_runs():
    host.run(f"dpkg --install {PACKAGES}/tradepost-next.deb", timeout=300)
    since = cursor()
    done = run(f"dpkg --install {PACKAGES}/tradepost.deb 2>&1", timeout=300)
    expect("north still runs the previous version" in done.stdout, done.stdout)
    equal(north.get("/api/v1/jobs").status, 200, "the old workers")
    run("systemctl restart --no-block tradepost@north.service")
    try:
        wait_until(lambda: "install the version that made it" in north.journal("tradepost@north.service", since), "the reason")
    finally:
        run(f"dpkg --install {PACKAGES}/tradepost-next.deb", timeout=300)
    # By itself: what was asked meanwhile waited in the socket.
    north.wait_ready()


def test_removing_the_package_stops_all_and_purging_leaves_what_users_entrusted():
    # /uploads/HH/HASH.pdf/NAME
    url = north.upload_pdf()["url"].split("/uploads/")[1]
    stored = pathlib.Path("/var/lib/tradepost/north", *url.split("/")[:2])
    expect(stored.is_file(), f"{stored} is stored")
    run("dpkg --remove tradepost", timeout=300)
    for unit in north.units("service socket"):
        expect(north.active(unit) in ("inactive", "unknown", "failed"), unit)
    equal(said("pgrep -c tradepost-worke", check=False), "0", "workers")
    expect(north.toml.is_file(), "removing leaves the configuration")
    run("dpkg --purge tradepost", timeout=300)
    expect(not pathlib.Path("/etc/tradepost").exists(), "purging takes the configuration")
    expect(stored.is_file(), "purging leaves uploads")
    expect(int(said("mariadb -N -e 'SELECT COUNT(*) FROM tradepost_north.users'")) >= 2, "purging leaves the database")
    run("nginx -t")
