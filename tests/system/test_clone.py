"""tradepost-instance clone: a copy of an instance for tests, with invented names, from which nothing is sent."""
import base64
import fcntl
import json
import pathlib
import re
import shutil
import threading
import time

from host import Instance, equal, expect, north, prepare as prepare_instances, run, said, south, wait_until
from receivers import Receiver, Server, connect
from test_backups import nothing_of, refused
from test_units import png

stage = Instance("stage")
CLONE = "clone north stage stage.test --pseudonyms"
FOLDER = pathlib.Path("/run/clone")
# What tells who somebody is, in any column.
PERSONAL = ("Wilhelmina", "Featherstone", "wilhelmina@featherstone.example", "1632 960011", "0171/96001122", "Ludmilla", "ludmilla@dealer.test",
            "user@dealer.test", "sign-in@dealer.test", "Umbrella weather", "secret-of-hook")
known = {}


class Asking(threading.Thread):
    """Asks an instance all the time; `failures` is what did not answer."""

    def __init__(self, instance):
        super().__init__(daemon=True)
        self.instance, self.failures, self.asked, self.ended = instance, [], 0, False
        self.start()

    def run(self):
        while not self.ended:
            self.asked += 1
            try:
                status = self.instance.get("/api/v1/jobs", timeout=10).status
            except OSError as error:
                status = error
            if status != 200:
                self.failures.append(status)
            time.sleep(0.1)

    def end(self):
        self.ended = True
        self.join()
        equal(self.failures, [], f"answers of {self.instance.name}")
        expect(self.asked > 3, f"{self.asked} requests")


def image():
    return north.call("POST", "/api/v1/uploads", {"filename": "Ludmilla.png", "contentType": "image/png", "data": base64.b64encode(png(300, 200)).decode()}).data()


def prepare():
    prepare_instances()
    run("echo '127.0.0.1 stage.test' >>/etc/hosts")
    FOLDER.mkdir()
    known["pdf"] = north.upload_pdf()["url"].removeprefix(north.base)
    picture = image()
    for number in range(5):
        north.call("POST", "/api/v1/stock", {"reference": f"VAN-{number}", "title": f"Van {number}", "status": "PUBLISHED", "price": 100, "currency": "GBP",
                                             "description": "Ring 0171/96001122, or write to wilhelmina@featherstone.example.",
                                             "images": [{"uploadId": picture["id"]}]}).data()
    north.ctl("user add --email ludmilla@dealer.test --name 'Ludmilla Featherstone' --password-stdin", input="correct horse 9 battery\n")
    known["organisation"] = north.get("/api/v1/me").data()["organisations"][0]["id"]
    known["sender"] = said("tradepostctl --instance north token mint --email sign-in@dealer.test --name check")
    send_enquiry(north, known["sender"])
    north.call("POST", "/api/v1/webhooks", {"url": "https://dealer.example/secret-of-hook", "events": ["stock.changed"]}).data()
    # An attempt from an address, and a link for a password.
    north.call("POST", "/api/v1/auth", {"email": "wilhelmina@featherstone.example", "password": "Umbrella weather"})
    north.set("rate_limits", "write", '"999999/1m"')


def send_enquiry(instance, token):
    return instance.call("POST", "/api/v1/enquiries", {"organisationId": known["organisation"], "name": "Wilhelmina Featherstone", "phone": "+44 1632 960011",
                                                       "email": "wilhelmina@featherstone.example", "message": "Umbrella weather. Is it for sale?"},
                         {"Authorization": f"Bearer {token}"}).data()


def owners(folder):
    return set(said(f"find {folder}/[0-9a-f][0-9a-f] -type f -printf '%u:%g %m\\n'").splitlines())


def dump(name):
    return said(f"mariadb-dump --skip-extended-insert --hex-blob tradepost_{name}", timeout=60).lower()


def test_what_cannot_be_copied_leaves_nothing():
    for arguments, code, why in (("north stage stage.test", 2, "would have the names, passwords and secrets of north: add --pseudonyms"),
                                 ("north stage stage.test --as-it-is", 2, "add --pseudonyms"), ("north stage", 2, "needs LIVE, NAME and HOST"),
                                 ("west stage stage.test --pseudonyms", 1, "there is no instance west"),
                                 ("north north stage.test --pseudonyms", 1, "there is an instance north"),
                                 ("north south stage.test --pseudonyms", 1, "there is an instance south"),
                                 ("north stage north.test --pseudonyms", 1, "north has the host name north.test already"),
                                 ("north stage 'stage test' --pseudonyms", 1, "HOST is a host name"),
                                 (f"north {'s' * 21} stage.test --pseudonyms", 1, "at most 20"), ("North stage stage.test --pseudonyms", 1, "at most 20")):
        done = run(f"tradepost-instance clone {arguments}", check=False)
        expect(done.returncode == code and why in done.stderr, f"{arguments}: {done.returncode} {done.stderr}")
        equal(done.stderr.count("\n"), 1, done.stderr)
    nothing_of("stage")
    with open("/etc/tradepost/.restore.lock", "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        refused(CLONE, "another copy is being made on this host")
    run("mariadb -e 'CREATE DATABASE tradepost_stage; CREATE TABLE tradepost_stage.mine (id INT)'")
    refused(CLONE, "there is a database tradepost_stage")
    equal(said("mariadb -N -e 'SHOW TABLES IN tradepost_stage'"), "mine", "the table that was there")
    run("mariadb -e 'DROP DATABASE tradepost_stage'")
    nothing_of("stage")
    # The folder of the settings has room for one more file.
    pages = sum(-(-file.stat().st_size // 4096) for file in pathlib.Path("/etc/tradepost").rglob("*") if file.is_file())
    run(f"cp -a /etc/tradepost /run/settings && mount -t tmpfs -o size={4 * (pages + 1)}k tradepost /etc/tradepost")
    try:
        run("cp -a /run/settings/. /etc/tradepost")
        refused(CLONE, "nothing was copied", lines=0)
        nothing_of("stage")
    finally:
        run("umount /etc/tradepost")
        shutil.rmtree("/run/settings")
    equal(north.get("/api/v1/jobs").status, 200, "north")


def test_killed_at_any_moment_it_is_undone_by_the_next_run():
    asking = [Asking(north), Asking(south)]
    killed = 0
    for tenth in range(4, 600, 11):
        done = run(f"timeout --signal=KILL {tenth / 10} tradepost-instance {CLONE}", check=False)
        if done.returncode == 0:
            break
        expect(done.returncode in (137, -9), f"{done.stdout}{done.stderr}")
        killed += 1
        # The services need the settings, and those are there once the names are invented.
        if stage.toml.exists():
            expect("wilhelmina" not in dump("stage"), "real names beside the settings of the copy")
    expect(killed > 1, f"killed {killed} times")
    for each in asking:
        each.end()
    equal([path.name for path in pathlib.Path("/etc/tradepost").glob("stage.*") if path.suffix not in (".toml", ".password", ".crt", ".key")], [], "what is left")


def test_a_copy_has_no_name_and_no_secret_of_anybody():
    before, after = dump("north"), dump("stage")
    for each in PERSONAL:
        expect(each.lower() in before, f"north has {each}")
        for form in (each.lower(), each.lower().encode().hex()):
            expect(form not in after, f"the copy has {each}")
    for table in ("api_tokens", "sessions", "audit_log", "outbox_messages", "instance_keys", "idempotency_keys"):
        equal(said(f"mariadb -N -e 'SELECT COUNT(*) FROM tradepost_stage.{table}'"), "0", table)
    equal(said("mariadb -N -e 'SELECT COUNT(*) FROM tradepost_stage.users WHERE password_hash IS NOT NULL'"), "0", "passwords")
    equal(said("mariadb -N -e 'SELECT COUNT(*) FROM tradepost_north.webhook_secrets a JOIN tradepost_stage.webhook_secrets b USING (secret)'"), "0", "secrets")
    settings = stage.toml.read_text()
    expect('[copy]' in settings and 'of = "north"' in settings, settings)
    expect('write = "999999/1m"' in settings, f"limits of north: {settings}")
    equal(said("stat -c '%a %U:%G' /etc/tradepost/north.pseudonyms"), "600 root:root", "the key")
    expect(not any(pathlib.Path(file).exists() for file in ("/etc/tradepost/stage.pseudonyms", "/etc/tradepost/stage.push-key")), "keys of the copy")


def sign_in_to_stage():
    """With an invented address of an ADMIN, as the manual says."""
    users = json.loads(stage.ctl("--json user list").stdout)
    members = said("mariadb -N -e \"SELECT u.email FROM tradepost_stage.users u JOIN tradepost_stage.memberships m ON m.user_id = u.id WHERE m.role = 'ADMIN'\"").split()
    expect(members[0] in [user["email"] for user in users] and members[0].endswith("@example.invalid"), members)
    stage.ctl(f"user set-password --email {members[0]} --password-stdin", input="correct horse 9 battery\n")
    other = next(user["email"] for user in users if user["email"] not in members)
    known["other sender"] = said(f"tradepostctl --instance stage token mint --email {other} --name check")
    return members[0], stage.served("POST", "/api/v1/auth", {"email": members[0], "password": "correct horse 9 battery"}, {"Authorization": None}).data()["token"]


def test_a_copy_answers_and_shares_pictures_that_it_cannot_change():
    run("systemctl enable --now tradepost@stage.target")
    stage.wait_ready()
    known["email"], stage.token = sign_in_to_stage()
    for path in ("/api/v1/stock", "/api/v1/enquiries", "/api/v1/jobs"):
        got, wanted = stage.get(path).data(), north.get(path).data()
        equal(got["total"], wanted["total"], path)
    item = stage.get("/api/v1/stock").data()["stock"][0]
    expect(re.fullmatch(r"Ring 0999/\d+, or write to \S+@example\.invalid\.", item["description"]), item["description"])
    enquiry = stage.get("/api/v1/enquiries").data()["enquiries"][0]
    expect(re.fullmatch(r"[A-Z][a-z]{9} [A-Z][a-z]{11}", enquiry["name"]) and re.fullmatch(r"\+99 9\d{3} \d{6}", enquiry["phone"]), enquiry)
    equal(stage.get(f"/api/v1/enquiries?q={enquiry['message'].split('.')[0].replace(' ', '+')}").data()["total"], 1, "what the search finds")
    for path in (known["pdf"], item["images"][0]["url"].removeprefix(stage.base)):
        equal(stage.get(path).body, north.get(path).body, path)
    equal(run("tradepostctl --instance stage recount").stdout.splitlines()[-1], "totals that were wrong: 0", "recount")
    told = stage.ctl("doctor --cacert /etc/tradepost/stage.crt", check=False).stdout
    expect("WARN a copy of north of 20" in told and "nothing is sent from a copy" in told, told)
    equal([line for line in told.splitlines() if line.startswith("FAIL")], [], "doctor")
    # An upgrade gives no file of north to the copy.
    run("tradepost-instance upgrade", timeout=300)
    store = "/var/lib/tradepost/stage"
    equal(owners(store), {"tradepost-north:tpfiles-north 640"}, "files that are shared")
    file = pathlib.Path(said(f"find {store}/[0-9a-f][0-9a-f] -type f -name '*.pdf'"))
    equal(file.stat().st_ino, pathlib.Path("/var/lib/tradepost/north", *file.parts[-2:]).stat().st_ino, "one file")
    for command in (f"cat {file}", f": >{file}", f"truncate -s 0 {file}", f"chmod 666 {file}", f"touch {file}"):
        done = run(f"setpriv --reuid tradepost-stage --regid tradepost-stage --init-groups sh -c '{command}'", check=False)
        expect(done.returncode != 0, f"the copy's user may {command}")
    # The same bytes again, and the end of the copy's name of a file: north's file stays as it was.
    before = file.read_bytes()
    stage.upload_pdf()
    equal(pathlib.Path("/var/lib/tradepost/north", *file.parts[-2:]).read_bytes(), before, "north's file")
    equal(north.get(known["pdf"]).status, 200, "north's file")


def dead():
    return [each["kind"] for each in json.loads(stage.ctl("--json outbox list --state dead").stdout)]


def test_a_copy_sends_nothing_whatever_its_settings_say():
    receiver, post = Receiver(FOLDER), Server(FOLDER).start()
    # As somebody who copies the settings of north, too.
    connect(receiver, post, stage)
    secret = pathlib.Path("/etc/tradepost/stage.relay")
    secret.write_text("whsec_" + "QUFB" * 10 + "\n")
    run(f"chown root:tradepost-stage {secret} && chmod 640 {secret}")
    with stage.toml.open("a") as settings:
        settings.write(f'[push]\nrelay_url = "{receiver.url("relay")}"\nrelay_secret_file = "stage.relay"\nallow_networks = ["127.0.0.1"]\ntls_ca = "/etc/tradepost/receiver.pem"\n')
    run("systemctl restart tradepost@stage.target")
    stage.wait_ready()
    stage.call("POST", "/api/v1/webhooks", {"url": receiver.url("hook"), "events": ["stock.changed", "enquiry.created"]}).data()
    stage.call("POST", "/api/v1/notification_tokens", {"token": "a-telephone", "platform": "ANDROID"}).data()
    stage.call("PUT", "/api/v1/stock/by-reference/VAN-NEW", {"title": "Van", "images": [{"sourceUrl": receiver.url("van.png")}]}).data()
    stage.call("POST", "/dashboard/api/reset", {"email": known["email"]}, {"Authorization": None, "Origin": stage.base})
    send_enquiry(stage, known["other sender"])
    wanted = {"webhook", "mail reset", "mail enquiry", "push enquiry", "fetch image"}
    wait_until(lambda: wanted <= set(dead()), f"{wanted} are given up", 30)
    equal(json.loads(stage.ctl("--json outbox list --state waiting").stdout), [], "what waits")
    refused_mail = stage.ctl("mail test --to somebody@dealer.test", check=False)
    expect(refused_mail.returncode == 1 and "nothing is sent from a copy" in refused_mail.stderr, refused_mail.stderr)
    equal([receiver.received, post.letters], [[], []], "what was sent")
    lines = [line for line in stage.journal("tradepost-deliver@stage.service").splitlines() if "event=copy" in line or '"copy"' in line]
    expect(lines and all("nothing is sent from a copy" in line for line in lines), lines)
    # The same events without the section: the servers take what comes.
    text = stage.toml.read_text()
    stage.toml.write_text(re.sub(r"(?m)^\[copy\]\n(?!\[)(#.*\n|\w+ = .*\n)+", "", text))
    run("systemctl restart tradepost@stage.target")
    stage.wait_ready()
    send_enquiry(stage, known["other sender"])
    wait_until(lambda: post.letters and any(each.path == "/hook" for each in receiver.received), "they are sent", 30)
    stage.toml.write_text(text)
    post.stop()


def test_another_copy_has_the_same_names_and_what_is_shared_outlives_the_first():
    run("tradepost-instance rename stage stage2")
    other = Instance("stage2")
    expect('[copy]\n' in other.toml.read_text() and 'of = "north"' in other.toml.read_text(), "a copy stays one")
    equal(owners("/var/lib/tradepost/stage2") - {"tradepost-stage2:tpfiles-stage2 640"}, {"tradepost-north:tpfiles-north 640"}, "files")
    run("tradepost-instance purge stage2 --yes")
    nothing_of("stage2")
    run(f"tradepost-instance {CLONE}")
    emails = "mariadb -N -e 'SELECT email FROM tradepost_stage.users ORDER BY id'"
    expect(known["email"] in said(emails).split(), "the same invented address")
    # Another name for north, and its end: the copy's files are its own then.
    run("tradepost-instance rename north nord")
    equal(owners("/var/lib/tradepost/stage"), {"tradepost-nord:tpfiles-nord 640"}, "files")
    run("tradepost-instance rename nord north && tradepost-instance purge north --yes")
    equal(owners("/var/lib/tradepost/stage"), {"tradepost-stage:tpfiles-stage 640"}, "files")
    run("systemctl start tradepost@stage.target")
    stage.wait_ready()
    equal(stage.call("GET", known["pdf"], headers={"Authorization": None}).status, 200, "a file")
