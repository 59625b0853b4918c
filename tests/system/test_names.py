"""An instance gets another name, is removed, and is purged; each also interrupted."""
import pathlib
import subprocess

import host
from host import Instance, equal, expect, north, run, said, wait_until

ETC, STORE = pathlib.Path("/etc/tradepost"), pathlib.Path("/var/lib/tradepost")
EDIT = "systemd/system/tradepost@{}.service.d/override.conf"


def prepare():
    run("systemctl start mariadb nginx")
    host.install()
    host.add(north)
    north.wait_ready()
    extra = pathlib.Path("/etc/nginx/tradepost/north/extra")
    extra.mkdir(parents=True)
    (extra / "mine.conf").write_text("location = /mine { return 200 mine; }\n")
    edit = pathlib.Path("/etc") / EDIT.format("north")
    edit.parent.mkdir(parents=True)
    edit.write_text("[Service]\nEnvironment=WORKERS=3\n")
    with north.toml.open("a") as file:
        file.write(said("tradepostctl --instance north push key") + "\n")
    run("tradepost-instance nginx north && systemctl daemon-reload && systemctl restart tradepost@north.service")
    north.wait_ready()
    run("systemctl enable --now tradepost-backup@north.timer && touch -d 2026-01-31 /etc/tradepost/north.backed-up /etc/tradepost/north.rehearsed")


def traces(name):
    """What the host has of an instance."""
    found = [str(path) for folder in ("/etc", "/var/lib/tradepost", "/run/tradepost", "/var/log/nginx", "/var/lib/systemd/timers")
             for path in pathlib.Path(folder).rglob("*") if path.name.split(".")[0].replace("@", "-").split("-")[-1] == name and "private" not in str(path)]
    found += said(f"getent passwd tradepost-{name}; getent group tradepost-{name} tpfiles-{name}", check=False).splitlines()
    found += said(f"mariadb -N -e \"SHOW DATABASES LIKE 'tradepost_{name}'; SELECT user FROM mysql.user WHERE user = 'tradepost_{name}'\"").splitlines()
    return found


def interrupted(command):
    """Killed with all that it started, at later and later moments, and given once more after each."""
    for part in range(1, 8):
        process = subprocess.Popen(["setsid", "bash", "-c", command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(part * 0.3)
        except subprocess.TimeoutExpired:
            run(f"pkill -KILL -s {process.pid}", check=False)
            process.wait()
        else:
            return
        run("nginx -t")
    run(command)


def test_rename():
    url = north.upload_pdf()["url"].removeprefix(north.base)
    settings = north.toml.read_text()
    renamed = Instance("store")
    renamed.host, renamed.token = north.host, north.token
    interrupted("tradepost-instance rename north store")
    equal(traces("north"), [], "what is left of the old name")
    equal(renamed.toml.read_text(), settings.replace("north", "store").replace("store.test", "north.test"), "the settings")
    equal(renamed.active("tradepost@store.target"), "inactive", "before it is started")
    run("systemctl is-enabled tradepost@store.target && systemctl start tradepost@store.target")
    renamed.wait_ready()
    equal(renamed.get("/api/v1/me").data()["email"], "user@dealer.test", "whose token it is")
    equal(renamed.get(url).status, 200, "an upload")
    equal(renamed.get("/mine").body, b"mine", "what the administrator added to nginx")
    equal(len(renamed.workers()), 3, "workers, as systemctl edit said")
    expect((ETC / "store.push-key").exists(), "the key of push messages")
    equal(renamed.active("tradepost-backup@store.timer"), "active", "the timer of backups")
    equal(said("stat -c %y /etc/tradepost/store.backed-up /etc/tradepost/store.rehearsed | cut -c1-10"), "2026-01-31\n2026-01-31", "marks")
    refused = run("tradepost-instance rename store store", check=False)
    equal((refused.returncode, refused.stderr), (1, "tradepost-instance: there is an instance store, or what was left of it, already\n"), "a name that is taken")
    run("tradepost-instance rename store north && systemctl start tradepost@north.target")
    north.wait_ready()
    equal(north.toml.read_text(), settings, "the settings, with the old name again")


def test_remove_lists_what_it_keeps_and_add_takes_it_over():
    done = said("tradepost-instance remove north")
    kept = ["the database tradepost_north, and its user there", "/var/lib/tradepost/north", "/etc/tradepost/north.push-key",
            "/etc/systemd/system/tradepost@north.service.d", "/var/log/nginx/tradepost-north.log", "the user tradepost-north and the group tpfiles-north"]
    equal(done, "\n    ".join(["Kept, until tradepost-instance purge north:", *kept]), "what it says")
    expect(not pathlib.Path("/run/tradepost/north").exists(), "its sockets are gone")
    equal(said("systemctl is-enabled tradepost-backup@north.timer", check=False), "disabled", "the timer of backups")
    run("systemctl enable tradepost-backup@north.timer && touch /etc/tradepost/north.backed-up")
    done = said(f"tradepost-instance add north {north.host}")
    for line in ("Taking over the uploads in /var/lib/tradepost/north", "Taking over the database tradepost_north with the data that it has"):
        expect(line in done.splitlines(), done)
    run("systemctl enable --now tradepost@north.target")
    north.wait_ready()


def test_purge():
    before = traces("north")
    refused = run("tradepost-instance purge north", check=False, input="nort\n")
    equal((refused.returncode, refused.stderr), (1, "tradepost-instance: nothing was deleted\n"), "another answer than the name")
    equal(traces("north"), before, "what is there")
    interrupted("tradepost-instance purge north --yes || [[ ! -e /etc/tradepost/north.toml ]]")
    equal(traces("north"), [], "what is left")
    # systemd forgets a unit a moment after nothing refers to it.
    units = "systemctl list-units --all --no-legend 'tradepost*@north*'"
    try:
        wait_until(lambda: said(units) == "", "no units")
    except AssertionError as error:
        raise AssertionError(f"{error}: {said(f'{units}; systemctl list-jobs')}")
    refused = run("tradepost-instance purge north --yes", check=False)
    equal((refused.returncode, refused.stderr), (1, "tradepost-instance: there is nothing of an instance north\n"), "once more")
    done = said(f"tradepost-instance add north {north.host}")
    expect("Taking over" not in done and "Database tradepost_north" in done.splitlines(), done)


def test_usage():
    for arguments, code in (("--version", 0), ("--help", 0), ("", 2), ("add shop", 2), ("add shop h --listen", 2), ("add shop h --port 1", 2),
                            ("add shop h --admin a@b.example", 2), ("purge shop --no", 2), ("list shop", 2), ("rename shop", 2), ("remove Shop", 1),
                            ("remove shop", 1), ("rename shop store", 1), ("add shop h --listen 80", 1)):
        equal(run(f"tradepost-instance {arguments}", check=False).returncode, code, f"exit status of {arguments!r}")
    equal(said("tradepost-instance --version"), "tradepost-instance " + said("dpkg-query --show --showformat='${Version}' tradepost"), "its version")
