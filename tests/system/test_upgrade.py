"""A new version of the package, with a migration, under load; and what installing, removing and purging leave."""
import pathlib
import time

import host
from host import PACKAGES, equal, expect, north, run, said, south
from load import Load, describe


def schema():
    return int(said("mariadb -N -e 'SELECT MAX(number) FROM tradepost_north.schema_migrations'"))


def test_upgrade_with_a_migration_loses_nothing():
    before = schema()
    run("mkdir -m 700 /var/backups/tradepost")
    host.backup = said("tradepost-instance backup north /var/backups/tradepost")
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


def test_settings_that_a_new_version_refuses_leave_the_workers_that_run():
    before, workers = north.set("http", "trusted_proxies", '["proxy.test"]'), north.workers()
    try:
        done = run(f"dpkg --install {PACKAGES}/tradepost-next.deb 2>&1", timeout=300)
        expect("http.trusted_proxies: proxy.test is no network such as 10.0.0.0/8\ntradepost: north still runs the previous version." in done.stdout, done.stdout)
        equal(north.workers(), workers, "workers")
    finally:
        north.toml.write_text(before)


def test_files_of_the_first_version_change_hands():
    """Its uploads pool was nginx's user, which was in the group of the workers."""
    url = north.upload_pdf()["url"]
    store = "/var/lib/tradepost/north"
    path = "/".join(url.split("/uploads/")[1].split("/")[:2])
    run("gpasswd --add www-data tradepost-north")
    run(f"chown -R www-data:tradepost-north {store} && find {store} -type d -exec chmod 2770 {{}} +")
    run("chown www-data:tradepost-north /run/tradepost/north/shared/* && chmod 660 /run/tradepost/north/shared/* && chmod 2770 /run/tradepost/north/shared")
    run("systemctl restart nginx")
    with Load(north) as load:
        load.wait_for(20)
        run("tradepost-instance upgrade north && systemctl restart tradepost@north.service")
        load.wait_for(50)
    expect(not load.failed(), describe(load.failed()))
    expect("tradepost-north" not in said("id -nG www-data").split(), "www-data is still in the group")
    equal(said(f"stat -c '%U %G %a' {store} {store}/incoming {store}/{path} $(dirname {store}/{path})").splitlines(),
          ["tradepost-north tpfiles-north 750", "www-data tradepost-north 770", "tradepost-north tpfiles-north 640",
           "tradepost-north tpfiles-north 750"], "owners and modes")
    equal(north.get(url.removeprefix(north.base)).status, 200, "a file from before")
    north.upload_pdf()


def test_a_folder_that_becomes_a_link_meanwhile_leads_root_nowhere():
    """Commands that put one there first, as whoever runs as the instance's user could."""
    store, programs = "/var/lib/tradepost/north", "/run/programs"
    victim = "stat -c '%n %U %G %a' /run/victim /run/victim/file"
    run(f"""install -d -m 700 /run/victim {store}/owned {store}/mode && touch /run/victim/file {store}/owned/file
        install -d {programs}
        echo 'case "$*" in *owned/file* | *./file*) mv {store}/owned {store}/owned.real; ln -s /run/victim {store}/owned ;; esac
            exec /usr/bin/chown "$@"' >{programs}/chown
        echo 'mv {store}/mode {store}/mode.real; ln -s /run/victim {store}/mode; exec /usr/bin/chmod "$@"' >{programs}/chmod
        sed -i '1i #!/bin/sh' {programs}/* && chmod 755 {programs}/*""")
    before = said(victim)
    run(f"PATH={programs}:$PATH tradepost-instance upgrade north", check=False)
    equal(said(f"readlink {store}/owned {store}/mode"), "/run/victim\n/run/victim", "links")
    equal(said(victim), before, "what lies elsewhere")
    run(f"rm -r {store}/owned* {store}/mode* && tradepost-instance upgrade north && systemctl start tradepost-uploads@north.service")


def test_a_downgrade_that_the_schema_does_not_allow_changes_nothing():
    host.run(f"dpkg --install {PACKAGES}/tradepost-next.deb", timeout=300)
    version = "dpkg-query --show --showformat='${Version}' tradepost"
    installed, workers = said(version), north.workers()
    done = run(f"dpkg --install {PACKAGES}/tradepost.deb 2>&1", check=False, timeout=300)
    equal(done.returncode, 1, "exit status of dpkg")
    why = (f"tradepost: version {installed.removesuffix('+next')} cannot use the schema of north: it has number {schema()}, and this version knows {schema() - 1}. "
           'Nothing was changed. To go back, restore a backup from before the upgrade: /usr/share/doc/tradepost/OPERATORS.md, "Going back"\n')
    expect(why in done.stdout, done.stdout)
    equal((said(version), north.workers()), (installed, workers), "version and workers")
    # Nobody can tell while the database is away.
    run("systemctl stop mariadb")
    try:
        done = run(f"dpkg --install {PACKAGES}/tradepost.deb 2>&1", check=False, timeout=300)
        expect(done.returncode == 1 and "the schema of north cannot be read" in done.stdout, done.stdout)
    finally:
        run("systemctl start mariadb")
    run("systemctl restart tradepost@north.service nginx")
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
    purged = said("dpkg --purge tradepost", timeout=300)
    for instance in (north, south):
        told = f"tradepost: kept: the database tradepost_{instance.name}, /var/lib/tradepost/{instance.name}/, the user tradepost-{instance.name}"
        expect(told in purged.splitlines(), purged)
    expect(not pathlib.Path("/etc/tradepost").exists(), "purging takes the configuration")
    expect(stored.is_file(), "purging leaves uploads")
    expect(int(said("mariadb -N -e 'SELECT COUNT(*) FROM tradepost_north.users'")) >= 2, "purging leaves the database")
    run("nginx -t")


def test_what_was_purged_is_added_again():
    run(f"dpkg --install {PACKAGES}/tradepost-next.deb", timeout=300)
    run(f"tradepost-instance add north {north.host} && systemctl start tradepost@north.target")
    north.wait_ready()
    equal(north.get("/api/v1/me").status, 200, "the token")


def test_going_back_by_the_manual():
    before = schema()
    lines = host.commands("Changes since the backup are lost:")
    example = next(line for line in lines.splitlines() if line.startswith("BACKUP="))
    run(lines.replace(example, f"BACKUP={host.backup}").replace("apt-get install", "apt-get install --yes").replace("./tradepost_OLDER.deb", f"{PACKAGES}/tradepost.deb"),
        input="north\n", timeout=300)
    north.wait_ready()
    equal(schema(), before - 1, "the schema's step")
    equal(north.get("/api/v1/me").status, 200, "the token")
