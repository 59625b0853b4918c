"""tradepost-instance rehearse: what a backup lacks, and what a new version answers otherwise, is found, and nobody else notices."""
import contextlib
import gzip
import hashlib
import pathlib
import re
import shutil
import subprocess
import threading
import time

from host import PACKAGES, cursor, equal, expect, north, run, said, south, wait_until
from test_backups import configure, fill
from waiting import limit

FOLDER = pathlib.Path("/var/backups/tradepost")
REHEARSED = pathlib.Path("/etc/tradepost/north.rehearsed")
ALL_IS_THERE = re.compile(r"north's backup of \S+ was restored in \d+ s: all is there")


class Watch:
    """Requests to both instances all the time, with what went wrong."""

    def __init__(self):
        self.failed, self.count, self._end = [], 0, threading.Event()
        self._thread = threading.Thread(target=self._ask, daemon=True)

    def _ask(self):
        while not self._end.wait(0.05):
            for instance, path in ((north, "/api/v1/stock"), (south, "/api/v1/jobs")):
                began = time.monotonic()
                try:
                    status = instance.get(path, timeout=10).status
                except OSError as error:
                    status = error
                self.count += 1
                if status != 200 or time.monotonic() - began > limit(5):
                    self.failed.append((instance.name, status, time.monotonic() - began))

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._end.set()
        self._thread.join(30)
        equal(self.failed, [], f"of {self.count} requests to the running instances")


def the_host():
    """What a rehearsal must leave as it was."""
    return set(said("find /etc -xdev -type f ! -name north.rehearsed -exec sha256sum {} +; "
                    "find /etc/nginx /var/lib/tradepost /run/tradepost -path '*/shared' -prune -o -printf '%p %u %g %m %i\n'; "
                    "systemctl show -P MainPID nginx").splitlines())


def nothing_left():
    equal(said("mariadb -N -e \"SHOW DATABASES LIKE 'tradepost\\_%north'; SELECT User FROM mysql.user WHERE User LIKE 'tradepost%north'\"").split(),
          ["tradepost_north", "tradepost_north"], "databases and users")
    expect(not pathlib.Path("/var/lib/tradepost-rehearsal").exists(), "the private folders")
    equal(said("pgrep -fa 'instance 0north|rehearse north'", check=False), "", "processes")


def rehearse(arguments="", code=0):
    """What it said. Whatever becomes of it, nothing is left."""
    REHEARSED.unlink(missing_ok=True)
    done = run(f"tradepost-instance rehearse north {arguments}", check=False, timeout=400)
    text = done.stdout + done.stderr
    equal(done.returncode, code, f"rehearse {arguments}: {text}")
    equal(REHEARSED.exists(), code == 0, f"the mark of a rehearsal: {text}")
    equal(bool(ALL_IS_THERE.search(text)), code == 0, text)
    nothing_left()
    return text


def refused(arguments, *reasons):
    text = rehearse(arguments, 1)
    for why in reasons:
        expect(why in text, f"no {why!r} in {text}")


def backup():
    return next(path for path in FOLDER.iterdir() if path.is_dir())


@contextlib.contextmanager
def damaged(change):
    """A copy of the backup whose dump, files and manifest are changed together, as by somebody who wrote them wrong."""
    bad = FOLDER / "bad"
    shutil.copytree(backup(), bad, symlinks=True)
    try:
        change(bad)
        sum_of_dump = hashlib.sha256((bad / "database.sql.gz").read_bytes()).hexdigest()
        run(f"sed -i 's/^sha256 .* database.sql.gz$/sha256 {sum_of_dump}  database.sql.gz/' {bad}/manifest")
        yield bad
    finally:
        shutil.rmtree(bad)


def change_dump(bad, change):
    dump = bad / "database.sql.gz"
    text = gzip.decompress(dump.read_bytes())
    changed = change(text)
    expect(changed != text, "the dump was changed")
    dump.write_bytes(gzip.compress(changed, 1))


def pictures(bad):
    return list((bad / "uploads").glob("*/*.png"))


def test_a_backup_is_rehearsed_and_nothing_else_changes():
    configure()
    fill()
    FOLDER.mkdir(mode=0o700)
    refused("", "name a backup, or set directory of [backup]")
    refused(f"{FOLDER}/none", "is no backup that tradepost-instance completed")
    run(f"tradepost-instance backup north {FOLDER}")
    before = the_host()
    with Watch():
        text = rehearse(backup())
    for line in ("tables have their", "the totals of lists", "schema ", "6 stock items answer", "lists answer", "upload"):
        expect(re.search(f"(?m)^ok .*{line}", text), f"no line {line!r} in {text}")
    expect("FAIL" not in text, text)
    equal(the_host() ^ before, set(), "what changed on the host")


def test_each_fault_of_a_backup_is_named():
    def row(text):
        return re.sub(rb"(INSERT INTO `stock_items` [^\n]*VALUES\n)\([^\n]*,\n", rb"\1", text, count=1)

    def total(text):
        return re.sub(rb"\('stock_items',([^\n]*),0,0,(\d+),(\d+)\)", rb"('stock_items',\1,0,0,\2,77)", text, count=1)

    def flip(bad):
        document = next((bad / "uploads").glob("*/*.pdf"))
        document.write_bytes(document.read_bytes()[:-1] + b"x")

    def remove(bad):
        pictures(bad)[0].unlink()
        count = int(said(f"sed -n 's/^uploads //p' {bad}/manifest"))
        run(f"sed -i 's/^uploads .*/uploads {count - 1}/' {bad}/manifest")

    def several(bad):
        change_dump(bad, total)
        remove(bad)
        flip(bad)

    with Watch():
        for change, reasons in ((lambda bad: change_dump(bad, row), ["rows stock_items"]),
                                (lambda bad: change_dump(bad, lambda text: text[:len(text) * 2 // 3]), ["nothing was restored"]),
                                (several, ["1 totals of lists are wrong", "the file's bytes are damaged", "the file is missing"]),
                                (lambda bad: pictures(bad)[0].unlink(), ["files of the uploads are missing"]),
                                (lambda bad: run(f"printf x >>{bad}/configuration.tar"), ["is damaged: its files are not those of its manifest"])):
            with damaged(change) as bad:
                refused(bad, *reasons)


def test_a_full_disk_and_a_second_rehearsal_are_told():
    run("mkdir -p /var/lib/tradepost-rehearsal && mount -t tmpfs -o size=256k tradepost /var/lib/tradepost-rehearsal")
    try:
        done = run(f"tradepost-instance rehearse north {backup()}", check=False, timeout=400)
        expect(done.returncode == 1 and "No space left" in done.stderr and not list(pathlib.Path("/var/lib/tradepost-rehearsal").iterdir()), done.stderr)
    finally:
        run("umount /var/lib/tradepost-rehearsal && rmdir /var/lib/tradepost-rehearsal")
    lock = subprocess.Popen(["flock", "/run/lock/tradepost-rehearsal-north", "sleep", "60"])
    try:
        wait_until(lambda: run("flock --nonblock /run/lock/tradepost-rehearsal-north true", check=False).returncode, "the lock")
        refused(backup(), "another rehearsal of north is running")
    finally:
        run(f"kill $(pgrep -P {lock.pid}) {lock.pid}", check=False)
        lock.wait()


def test_what_a_killed_rehearsal_leaves_goes_with_the_next():
    before, killed, seconds = the_host(), 0, 0.3
    with Watch():
        while killed < 12:
            done = run(f"timeout --signal=KILL {seconds} tradepost-instance rehearse north {backup()}", check=False, timeout=400)
            expect(done.returncode in (0, 137, -9), f"{done.returncode}: {done.stdout}{done.stderr}")
            wait_until(lambda: run("flock --nonblock /run/lock/tradepost-rehearsal-north true", check=False).returncode == 0, "the end of its processes", 30)
            if done.returncode == 0:
                break
            killed, seconds = killed + 1, seconds * 1.7
        expect(killed > 2, f"it was killed {killed} times")
        nothing_left()
        # By a signal that it can answer to.
        run(f"timeout {seconds / 1.7} tradepost-instance rehearse north {backup()}", check=False, timeout=400)
        nothing_left()
    equal(the_host() ^ before, set(), "what changed on the host")


def next_package(name, sql):
    """The next version with one more migration."""
    unpacked, made = pathlib.Path(f"/tmp/{name}"), pathlib.Path(f"/tmp/{name}.deb")
    run(f"dpkg-deb --raw-extract {PACKAGES}/tradepost-next.deb {unpacked}")
    number = len(list(unpacked.glob("usr/share/tradepost/sql/*.sql"))) + 1
    (unpacked / f"usr/share/tradepost/sql/{number:03}_{name}.sql").write_text(sql + "\n")
    run(f"dpkg-deb -Znone --root-owner-group --build {unpacked} {made} && rm -r {unpacked}")
    return made


def test_an_upgrade_is_rehearsed():
    for path in ("/api/v1/me", "/api/v1/stock?q=van", "/api/v1/jobs/no-such-job"):
        north.get(path)
    north.call("HEAD", "/api/v1/events/facets")
    installed, before = said("dpkg-query --show tradepost"), the_host()
    with Watch():
        text = rehearse(f"{backup()} --package {PACKAGES}/tradepost-next.deb")
        expect(re.search(r"(?m)^safe to upgrade: \d{2,} requests answered alike, migration took \d+ s$", text), text)
        expect(re.search(r"(?m)^ok   [1-9]\d* paths of the last hour's log", text), text)
        # Without a log the fixed paths are asked for.
        run("mv /var/log/nginx/tradepost-north.log /tmp")
        text = rehearse(f"{backup()} --package {next_package('titles', 'UPDATE stock_items SET title = UPPER(title);')}", 1)
        expect(re.search(r"(?m)^DIFFERS GET /api/v1/stock/[0-9a-f-]{36} \(dealer ADMIN\): status 200, /data/title has another value in the new version$", text), text)
        expect("only the fixed paths" in text and "safe to upgrade" not in text, text)
        run("mv /tmp/tradepost-north.log /var/log/nginx")
        refused(f"{backup()} --package {next_package('broken', 'ALTER TABLE no_such_table ADD COLUMN x INT NULL;')}", "the new version cannot migrate the database")
        refused(f"{backup()} --package /etc/passwd", "/etc/passwd is no package of tradepost")
        run("""mkdir -p /tmp/old/DEBIAN && printf 'Package: tradepost\\nVersion: 0.1\\nArchitecture: all\\nMaintainer: A <a@b.test>\\nDescription: old\\n' >/tmp/old/DEBIAN/control
            dpkg-deb --build /tmp/old""")
        refused(f"{backup()} --package /tmp/old.deb", "/tmp/old.deb has the version 0.1, and ")
    equal(said("dpkg-query --show tradepost"), installed, "the installed package")
    equal(the_host() ^ before, set(), "what changed on the host")


def test_a_nightly_backup_is_rehearsed_by_a_unit():
    REHEARSED.unlink(missing_ok=True)
    before, since = north.toml.read_text(), cursor()
    with north.toml.open("a") as file:
        file.write(f'\n[backup]\ndirectory = "{FOLDER}"\nkeep = 1\n')
    try:
        run("systemctl start tradepost-backup@north.service")
        wait_until(lambda: north.active("tradepost-rehearse@north.service") == "inactive" and REHEARSED.exists()
                   or north.active("tradepost-rehearse@north.service") == "failed", "the end of the rehearsal", 120)
        text = north.journal("tradepost-rehearse@north.service", since)
        expect(ALL_IS_THERE.search(text), text)
        nothing_left()
    finally:
        north.toml.write_text(before)
