"""The units by themselves: nothing before it is configured, the sandbox, secrets, what keeps a pool from starting, the timer."""
import os
import pathlib
import re
import signal
import socket
import struct
import time
import zlib

import host
from host import cursor, equal, expect, north, run, said, south, wait_until

UNITS = pathlib.Path("/lib/systemd/system")


def prepare():
    run("systemctl start mariadb nginx")
    host.install()
    nothing_runs()
    for instance in (north, south):
        host.add(instance)
    for instance in (north, south):
        instance.wait_ready()


def nothing_runs():
    """Before any instance is configured."""
    equal(said("systemctl list-units --all --no-legend 'tradepost*@*' | wc -l"), "0", "units after installing the package")
    run("systemctl start tradepost@nobody.target", check=False)
    for unit in ("tradepost@nobody.socket", "tradepost@nobody.service", "tradepost-prune@nobody.timer"):
        equal(said(f"systemctl is-active {unit}", check=False), "inactive", unit)
    equal(said("systemctl list-units --failed --no-legend 'tradepost*' | wc -l"), "0", "failed units")
    run("systemctl stop tradepost@nobody.target")


def test_systemd_finds_nothing_wrong_with_the_units():
    names = " ".join(f"{path.stem}north{path.suffix}" for path in UNITS.glob("tradepost*@.*"))
    found = run(f"systemd-analyze verify --man=no {names} 2>&1", check=False).stdout
    expect("tradepost" not in found, found)


def test_every_service_is_confined():
    for path in UNITS.glob("tradepost*@.service"):
        # The backup runs as root, and a rehearsal also mounts.
        threshold = {"tradepost-backup@": 31, "tradepost-rehearse@": 58}.get(path.stem, 19)
        done = run(f"systemd-analyze security --offline=true --threshold={threshold} {path}", check=False)
        expect(done.returncode == 0, f"{path.name}: {done.stdout.splitlines()[-1]}")


def test_memory_is_bounded_and_only_the_one_who_takes_too_much_ends():
    for unit in north.units("service"):
        shown = said(f"systemctl show --property=MemoryMax,OOMPolicy {unit}").splitlines()
        limit = 3 if "uploads" in unit else 1
        equal(sorted(shown), [f"MemoryMax={limit << 30}", "OOMPolicy=continue"], unit)


def test_what_is_wrong_with_the_configuration_is_in_the_journal():
    before = north.set("http", "deadline_s", '"soon"')
    since = cursor()
    try:
        refused = run("systemctl reload tradepost@north.service", check=False)
        expect(refused.returncode != 0, "a reload with a broken configuration is refused")
        equal(north.get("/api/v1/jobs").status, 200, "the workers that run")
        run("systemctl restart --no-block tradepost@north.service")
        wait_until(lambda: re.search(r"north\.toml:\d+: http\.deadline_s must be a whole number", north.journal("tradepost@north.service", since)),
                   "the reason in the journal")
        equal(south.get("/api/v1/jobs").status, 200, "the other instance")
    finally:
        north.toml.write_text(before)
    north.wait_ready()


def pool_workers():
    return {pid for pool in ("", "-auth", "-uploads") for pid in north.workers(pool)}


def test_a_reload_gives_new_settings_to_what_delivers_too():
    before, letter = north.toml.read_text(), {"email": "user@dealer.test"}
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(60)
        with north.toml.open("a") as file:
            file.write(f'[mail]\nsmtp = "smtp://127.0.0.1:{server.getsockname()[1]}"\nfrom = "post@trade.test"\n')
        try:
            # Only workers that know of the server queue a letter.
            old = pool_workers()
            run("systemctl reload tradepost@north.service")
            wait_until(lambda: pool_workers() and not old & pool_workers(), "new workers")
            equal(north.call("POST", "/dashboard/api/reset", letter, {"Authorization": None, "Origin": north.base}).status, 200, "the request")
            server.accept()[0].close()
        finally:
            north.toml.write_text(before)
            run("systemctl reload tradepost@north.service && tradepostctl --instance north outbox drop --all")


def test_secrets_stay_with_root():
    password = pathlib.Path("/etc/tradepost/north.password")
    equal(oct(password.stat().st_mode & 0o777), "0o600", "mode of the password's file")
    equal(password.stat().st_uid, 0, "its owner")
    equal(oct(pathlib.Path("/etc/tradepost/north.key").stat().st_mode & 0o777), "0o600", "mode of the key")
    secrets = [password.read_text().strip(), north.token, "correct horse 9 battery"]
    north.call("POST", "/api/v1/auth", {"email": "sign-in@dealer.test", "password": secrets[2]})
    journal = said("journalctl -b --no-pager")
    for secret in secrets:
        expect(secret not in journal, "a secret is in the journal")
    for worker in north.workers():
        expect(password.read_text().strip().encode() not in pathlib.Path(f"/proc/{worker}/environ").read_bytes(), "in the environment")
        expect(north.name.encode() in pathlib.Path(f"/proc/{worker}/cmdline").read_bytes(), "cmdline")


def fails(command, what):
    done = run(f"setpriv --reuid www-data --regid www-data --init-groups -- {command}", check=False)
    expect(done.returncode != 0, f"www-data can {what}: {command}: {done.stdout}")


def test_nginxs_user_reads_no_secret_and_writes_no_upload():
    # Whatever else runs as www-data on this host, a site in PHP for example.
    equal(said("id -nG www-data"), "www-data tpfiles-north tpfiles-south", "its groups")
    stored = pathlib.Path("/var/lib/tradepost/north", *north.upload_pdf()["url"].split("/uploads/")[1].split("/")[:2])
    run(f"setpriv --reuid www-data --regid www-data --init-groups -- cat {stored}")
    for secret in ("/etc/tradepost/north.toml", "/etc/tradepost/north.password", "/etc/tradepost/north.key"):
        fails(f"cat {secret}", "read the configuration")
    for unit in north.units() + ["tradepost-spool@north.service"]:
        fails(f"ls /run/credentials/{unit}", "read credentials")
    for folder in ("/run/tradepost/north/shared", "/run/tradepost/north/spool"):
        fails(f"ls {folder}", "see the counters")
    counters = list(pathlib.Path("/run/tradepost/north/shared").iterdir())
    expect(len(counters) >= 2, f"{counters}")
    for file in counters:
        equal((oct(file.stat().st_mode & 0o777), file.owner()), ("0o600", "tradepost-north"), str(file))
        for act in (f"cat {file}", f"truncate -s 0 {file}", f"rm {file}"):
            fails(act, "touch the counters")
    store = "/var/lib/tradepost/north"
    for act in (f"touch {store}/x", f"touch {stored.parent}/x", f"sh -c 'echo x >>{stored}'", f"rm {stored}", f"mv {stored.parent} {store}/x",
                f"ls {store}/work", f"chmod 666 {stored}"):
        fails(act, "change stored files")
    for worker in [pid for pool in ("", "-auth", "-uploads") for pid in north.workers(pool)]:
        equal(pathlib.Path(f"/proc/{worker}").owner(), "tradepost-north", "a worker's user")
        fails(f"cat /proc/{worker}/environ", "read a worker's environment")
        fails(f"cat /proc/{worker}/mem", "read a worker's memory")
    # What runs as www-data holds nothing.
    helper = said("systemctl show -P MainPID tradepost-spool@north.service")
    seen = pathlib.Path(f"/proc/{helper}/root")
    equal(sorted(os.listdir(seen / "var/lib/tradepost/north")), ["incoming"], "what tradepost-spool sees")
    equal(pathlib.Path(f"/proc/{helper}/environ").read_bytes().count(b"CREDENTIALS"), 0, "its credentials")
    expect(run(f"nsenter -t {helper} -m -- setpriv --reuid www-data --regid www-data --clear-groups cat /etc/tradepost/north.toml", check=False).returncode != 0,
           "tradepost-spool reads the configuration")


def png(width, height):
    """A picture of one colour, larger than a thumbnail."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + b"\x40\x80\xc0" * width for _ in range(height))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + \
        chunk(b"IEND", b"")


def test_a_large_upload_passes_all_users_on_its_way():
    import hashlib
    picture = png(900, 700)
    made = north.call("POST", "/api/v1/uploads", {"filename": "a.png", "contentType": "image/png", "size": len(picture),
                                                  "sha256": hashlib.sha256(picture).hexdigest()}).data()
    path = made["uploadUrl"].removeprefix(north.base)
    done = north.call("PUT", path, picture, {"Content-Type": "image/png"}).data()
    equal(done["status"], "READY", "status")
    for key in ("url", "thumbnailUrl"):
        stored = north.get(done[key].removeprefix(north.base))
        equal((stored.status, stored.headers["X-Content-Type-Options"]), (200, "nosniff"), key)
    # The API's own pool deletes it.
    north.call("DELETE", f"/api/v1/uploads/{done['id']}").data()
    equal(north.get(done["url"].removeprefix(north.base)).status, 404, "after its deletion")


def test_the_timer_removes_what_nginx_left_behind():
    equal(north.active("tradepost-prune@north.timer"), "active", "the timer")
    left = pathlib.Path("/var/lib/tradepost/north/incoming/0000000099")
    left.write_bytes(b"rest")
    run(f"chown www-data {left} && chmod 600 {left}")
    os.utime(left, (time.time() - 86400,) * 2)
    run("systemctl start tradepost-prune@north.service")
    expect(not left.exists(), "an old file of nginx's is still there")


def test_stop_waits_for_the_workers_closes_the_sockets_and_start_opens_them():
    busy = north.workers("-auth")[0]
    os.kill(busy, signal.SIGSTOP)
    try:
        early = run("timeout 3 systemctl stop tradepost@north.target", check=False)
        equal(early.returncode, 124, "exit status of a stop that is given up while a worker is left")
    finally:
        os.kill(busy, signal.SIGCONT)
    run("systemctl stop tradepost@north.target")
    for unit in north.units() + ["tradepost-prune@north.service"]:
        expect(north.active(unit) in ("inactive", "failed"), f"{unit} is {north.active(unit)}")
    # systemd closes them after the target, and a stop of the target does not wait for what follows it.
    for unit in north.units("socket") + ["tradepost-prune@north.timer"]:
        wait_until(lambda: north.active(unit) == "inactive", f"{unit} is inactive")
    answer = north.get("/api/v1/jobs")
    equal((answer.status, answer.json()), (502, {"error": "Bad gateway"}), "without a pool")
    run("systemctl start tradepost@north.target")
    for unit in north.units("socket"):
        equal(north.active(unit), "active", unit)
    north.wait_ready()


def test_stop_of_a_starting_pool_repeats_the_signal():
    # ExecStop does it. systemd 252 leaves that out while a unit of type exec waits to hear that its main process runs.
    for pool in ("", "-auth", "-uploads"):
        equal(said(f"systemctl show -P Type tradepost{pool}@north.service"), "simple", f"type of the pool{pool}")


def test_stop_ends_a_worker_that_lost_the_first_signal():
    unit = "tradepost-auth@north.service"
    # Becomes a worker at the first signal, so that only a second one ends it.
    becomes_worker = 'trap "exec /usr/sbin/tradepost-worker --instance north" USR1; while :; do sleep 0.05; done'
    edit = pathlib.Path(f"/run/systemd/system/{unit}.d/lost.conf")
    edit.parent.mkdir(parents=True)
    edit.write_text(f"[Service]\nExecStart=\nExecStart=/usr/bin/multiwatch -f 1 -r 100000 -t 200 -- /bin/sh -c '{becomes_worker}'\n")
    try:
        run(f"systemctl daemon-reload && systemctl restart {unit}")
        wait_until(lambda: said(f"pgrep -P $(systemctl show -P MainPID {unit}) -x sh", check=False), "the process that loses a signal")
        run(f"systemctl stop {unit}")
        equal(said(f"systemctl show -P Result {unit}"), "success", "how the stop ended")
    finally:
        edit.unlink()
        run(f"systemctl daemon-reload && systemctl restart {unit}")


def test_sockets_are_for_nginx_only():
    for pool in ("api", "auth", "uploads"):
        path = pathlib.Path(f"/run/tradepost/north/{pool}.sock")
        equal((oct(path.stat().st_mode & 0o777), path.owner(), path.group()), ("0o660", "root", "www-data"), str(path))
        waiting = said(f"ss -xlH src {path}").split()
        equal(waiting[3], "1024", "backlog")
