"""tradepost-instance backup and restore, and the lines of the operators' manual: what is restored answers as before, and what cannot be restored
leaves nothing."""
import base64
import pathlib
import shutil
import subprocess
import time

import host
from host import commands, cursor, equal, expect, north, run, said, south, wait_until
from test_units import png

FOLDER = pathlib.Path("/var/backups/tradepost")
LISTS = [f"/api/v1/{name}" for name in ("stock", "enquiries", "jobs", "events", "posts")]
FILES = ("/etc/tradepost/north.toml /etc/tradepost/north.push-key /etc/tradepost/north.password /etc/tradepost/north.crt /etc/tradepost/north.key "
         "/etc/nginx/tradepost/north/extra/mine.conf /etc/systemd/system/tradepost@north.service.d/override.conf")


def prepare():
    host.prepare()
    configure()
    host.document = fill()
    FOLDER.mkdir(mode=0o700)
    run("echo '127.0.0.1 east.test' >>/etc/hosts")


def everything(documents=()):
    """What a client sees of the instance and of these paths, but for what changes with each answer."""
    seen = {}
    paths = ["/api/v1/me", "/api/v1/accounts", *LISTS, *documents]
    for item in north.get("/api/v1/stock").data()["stock"]:
        paths.append(f"/api/v1/stock/{item['id']}")
        paths += [image["url"].removeprefix(north.base) for image in item["images"]]
    for path in paths:
        answer = north.get(path)
        seen[path] = answer.status, answer.body, answer.headers["ETag"]
    seen["export"] = said("tradepostctl --instance north export stock -")
    return seen


def configure():
    """What an instance may have besides its first files: a key of push messages, a certificate of certbot's, files for nginx and systemd."""
    with north.toml.open("a") as file:
        file.write(said("tradepostctl --instance north push key") + "\n")
    run("""mkdir -p /etc/letsencrypt/live/north.test /etc/nginx/tradepost/north/extra /etc/systemd/system/tradepost@north.service.d
        cd /etc/tradepost
        mv north.crt /etc/letsencrypt/live/north.test/fullchain.pem
        mv north.key /etc/letsencrypt/live/north.test/privkey.pem
        ln -s /etc/letsencrypt/live/north.test/fullchain.pem north.crt
        ln -s /etc/letsencrypt/live/north.test/privkey.pem north.key
        echo "location = /mine { return 200 mine; }" >/etc/nginx/tradepost/north/extra/mine.conf
        printf '[Service]\nEnvironment=WORKERS=3\n' >/etc/systemd/system/tradepost@north.service.d/override.conf
        tradepost-instance nginx north && systemctl restart tradepost@north.service""")
    north.wait_ready()


def configuration():
    return said(f"sha256sum {FILES}; stat -L -c '%n %U %G %a' {FILES}").splitlines()


def add_item(reference, **more):
    return north.call("POST", "/api/v1/stock", {"reference": reference, "title": "Van", **more}).data()


def upload_png(width):
    """Another width is another file of the store."""
    body = {"filename": "a.png", "contentType": "image/png", "data": base64.b64encode(png(width, 200)).decode()}
    return north.call("POST", "/api/v1/uploads", body).data()


def fill():
    url = north.upload_pdf()["url"]
    for number in range(5):
        add_item(f"VAN-{number}")
    add_item("VAN-P", images=[{"uploadId": upload_png(300)["id"]}])
    return url.removeprefix(north.base)


def add_late_item():
    add_item(f"LATE-{time.monotonic_ns()}")


def wipe():
    run("tradepost-instance remove north")
    run(f"{host.sql_client} -e 'DROP DATABASE tradepost_north; DROP USER tradepost_north@localhost'")
    group = said("getent group tradepost-north | cut -d: -f3")
    run("rm -rf /var/lib/tradepost/north /run/tradepost/north && userdel tradepost-north")
    run("rm -rf /etc/tradepost/north.* /etc/letsencrypt /etc/systemd/system/tradepost@north.service.d")
    # On another host the group has another number, and another group this one.
    run(f"groupadd --gid {group} others-{group}")
    expect(not north.toml.exists(), "the configuration is gone")


def check_restored(before, files):
    """All answers are those from before, and it goes on from there."""
    north.wait_ready()
    after = everything([path for path in before if path.startswith("/uploads")])
    equal(sorted(after), sorted(before), "what there is")
    for path, answer in before.items():
        if path == "/api/v1/enquiries" or path not in LISTS:
            equal(after[path], answer, path)
            continue
        # Versions come again, so that the tags of lists may not.
        equal(after[path][:2], answer[:2], path)
        expect(after[path][2] != answer[2], f"{path} has the tag that it had: {answer[2]}")
    equal(configuration(), files, "configuration")
    equal(north.get("/mine").body, b"mine", "what the administrator added to nginx")
    equal(len(north.workers()), 3, "workers")
    add_late_item()
    north.upload_pdf()


def follow_manual(back_up, restore):
    before, files = everything([host.document]), configuration()
    expect(len(before) > 14, f"{sorted(before)}")
    run(commands(back_up))
    # What came after the backup is not in it.
    add_late_item()
    wipe()
    run(commands(restore))
    check_restored(before, files)


def follow_both():
    follow_manual("## Backup and restore", "To restore the newest backup")
    follow_manual("### A database on another host", "To restore it:")


def back_up(arguments=FOLDER):
    """The path of a new backup; the names of two tell the seconds apart."""
    time.sleep(1.1 - time.time() % 1)
    return pathlib.Path(said(f"tradepost-instance backup north {arguments}"))


def restore(backup, options=""):
    """As east, beside north: the same rows and files."""
    run(f"tradepost-instance restore east {backup} --host east.test {options}")
    equal(said("tradepostctl --instance east export stock -"), said("tradepostctl --instance north export stock -"), "what the copy has")
    north_has, east_has = (said(f"cd /var/lib/tradepost/{name} && find [0-9a-f][0-9a-f] -type f -exec stat -c '%n %s %a %Y' {{}} + | sort") for name in ("north", "east"))
    equal(east_has, north_has, "files of the copy")
    equal(said("find /etc/tradepost -name 'east.backed-up'"), "", "marks")
    run("tradepost-instance purge east --yes")
    nothing_of("east")


def refused(command, why, lines=1):
    done = run(f"tradepost-instance {command}", check=False)
    expect(done.returncode == 1 and why in done.stderr and (not lines or len(done.stderr.splitlines()) == lines),
           f"{command}: {done.returncode}: {done.stdout}{done.stderr}")


def nothing_of(name):
    left = [str(path) for path in [*pathlib.Path("/etc/tradepost").glob(f"{name}.*"), pathlib.Path(f"/var/lib/tradepost/{name}"),
                                   pathlib.Path(f"/etc/nginx/sites-enabled/tradepost-{name}.conf"), pathlib.Path(f"/etc/nginx/tradepost/{name}")] if path.exists()]
    equal(left, [], f"files of {name}")
    equal(said(f"{host.sql_client} -N -e \"SHOW DATABASES LIKE 'tradepost\\_{name}'; SELECT User FROM mysql.user WHERE User = 'tradepost_{name}'\""), "", "its database and user")
    equal(run(f"id tradepost-{name}", check=False).returncode, 1, "its user")
    run("nginx -t -q")


def folders(folder=FOLDER):
    return sorted(path.name for path in folder.iterdir() if path.is_dir())


def settings(*lines):
    """Writes [backup] of north."""
    text = north.toml.read_text().split("[backup]\n")[0]
    north.toml.write_text(text + "".join(f"{line}\n" for line in ("[backup]", *lines)) if lines else text)


def test_backups_share_their_files_and_old_ones_go():
    refused("backup north", "name DIR, or set directory of [backup] in /etc/tradepost/north.toml")
    settings(f'directory = "{FOLDER}/"', "keep = 2")
    first = back_up("")
    stored = pathlib.Path("/var/lib/tradepost/north", *host.document.split("/")[2:4])
    equal((first / "uploads" / stored.relative_to("/var/lib/tradepost/north")).stat().st_ino, stored.stat().st_ino, "a file of the uploads")
    equal(said(f"stat -c '%a %U' {first}"), "700 root", "who may read it")
    mark = pathlib.Path("/etc/tradepost/north.backed-up")
    expect(time.time() - 60 < mark.stat().st_mtime, "the time of the mark")
    second = back_up("")
    equal(stored.stat().st_nlink, 3, "links")
    expect("north.toml" in said(f"tar --list --file {second}/configuration.tar") and mark.name not in said(f"tar --list --file {second}/configuration.tar"), "marks")
    # keep holds for directory, and not for another one.
    third = back_up(f"{FOLDER}")
    equal(folders(), [first.name, second.name, third.name], "what was kept")
    fourth = back_up("")
    equal(folders(), [third.name, fourth.name], "what was kept")
    # One that is interrupted leaves what the next one removes.
    (FOLDER / "north-20200101T000000Z.part").mkdir()
    back_up("--keep 1")
    equal(len(folders()), 1, "what was kept")
    settings()
    refused("backup north /nowhere", "DIR must be the path of a folder that is there")
    refused(f"backup east {FOLDER}", "there is no /etc/tradepost/east.toml")
    lock = subprocess.Popen(["flock", FOLDER / ".north.lock", "sleep", "60"])
    try:
        wait_until(lambda: run(f"flock --nonblock {FOLDER}/.north.lock true", check=False).returncode != 0, "the lock")
        refused(f"backup north {FOLDER}", "another backup of north is being written")
    finally:
        lock.terminate()
        lock.wait()
        wait_until(lambda: run(f"flock --nonblock {FOLDER}/.north.lock true", check=False).returncode == 0, "the end of the lock")


def test_a_full_disk_leaves_no_backup():
    run("mkdir -p /small && mount -t tmpfs -o size=16k tradepost /small")
    mark = pathlib.Path("/etc/tradepost/north.backed-up")
    before = mark.stat().st_mtime
    try:
        refused("backup north /small", "nothing was backed up", lines=0)
        equal([path.name for path in pathlib.Path("/small").iterdir()], [".north.lock"], "what is left")
        equal(mark.stat().st_mtime, before, "the time of the mark")
    finally:
        run("umount /small")


def test_another_file_system_gets_copies_and_links():
    other = pathlib.Path("/other")
    run(f"mkdir -p {other} && mount -t tmpfs -o size=50m tradepost {other}")
    try:
        first = back_up(other)
        name = "uploads/" + "/".join(host.document.split("/")[2:4])
        upload_png(301)
        north.upload_pdf()
        (first / name).with_name("gone").write_text("as one that was deleted since")
        second = back_up(other)
        equal((second / name).stat().st_ino, (first / name).stat().st_ino, "a file of both")
        equal((second / name).with_name("gone").exists(), False, "a file that was deleted")
        restore(second)
    finally:
        run(f"umount {other}")


def encrypted(backup, suffix):
    """Nobody reads more of the backup than its manifest, which has no row."""
    files = [path for path in backup.rglob("*") if path.is_file() and path.name != "manifest"]
    equal([path.name for path in files if path.suffix != suffix], [], "files that are not encrypted")
    expect(len(files) > 3, f"{files}")
    begin = {".age": (b"age-encryption.org/v1\n",), ".gpg": (b"\x84", b"\x85")}[suffix]
    equal([path.name for path in files if not path.read_bytes().startswith(begin)], [], f"files that are not of {suffix}")
    expect("VAN" not in (backup / "manifest").read_text() and "dealer" not in (backup / "manifest").read_text(), "texts in the manifest")


def check_encryption(suffix, key, other, options, without):
    """`without` are options of a restore that cannot decrypt, and why."""
    folder = pathlib.Path("/var/backups/encrypted")
    folder.mkdir(mode=0o700)
    settings(f'directory = "{folder}"', f'encrypt_to = "{key}"')
    first = back_up("")
    encrypted(first, suffix)
    name = "uploads/" + "/".join(host.document.split("/")[2:4]) + suffix
    upload_png(302 if suffix == ".age" else 303)
    second = back_up("")
    encrypted(second, suffix)
    equal((second / name).stat().st_ino, (first / name).stat().st_ino, "a file of both")
    for arguments, why in without:
        refused(f"restore east {second} --host east.test {arguments}", why)
        nothing_of("east")
    restore(second, options)
    refused("backup north --encrypt-to no-key", "gpg cannot encrypt to no-key: it is no recipient of age, and no key that root's keyring has")
    refused("backup north --encrypt-to age1no", "age cannot encrypt to age1no: it is no recipient of age, and no key that root's keyring has")
    # The files of a backup are for its key alone.
    third = back_up(f"--encrypt-to {other}")
    equal((third / name).stat().st_nlink, 1, "a file for another key")
    settings()
    shutil.rmtree(folder)


def test_encrypted_by_age():
    def new_key(name):
        run(f"age-keygen -o /etc/{name}")
        return said(f"age-keygen -y /etc/{name}")

    key, other = new_key("key"), new_key("other")
    check_encryption(".age", key, other, "--identity /etc/key", [("", "the backup is encrypted: --identity FILE names the key"),
                                                                  ("--identity /etc/none", "the backup is encrypted: --identity FILE names the key"),
                                                                  ("--identity /etc/other", "is encrypted for a key that /etc/other does not have")])


def test_encrypted_by_gpg_and_from_within_the_unit():
    key, other = "backup@north.test", "other@north.test"
    for each in (key, other):
        run(f"gpg --batch --quiet --passphrase '' --quick-generate-key {each} default default never")
    check_encryption(".gpg", key, other, "", [])
    settings(f'directory = "{FOLDER}"', f'encrypt_to = "{key}"')
    since = cursor()
    run("systemctl enable --now tradepost-backup@north.timer && systemctl start tradepost-backup@north.service")
    made = pathlib.Path(next(line for line in north.journal("tradepost-backup@north.service", since).splitlines() if line.startswith(f"{FOLDER}/north-")))
    encrypted(made, ".gpg")
    restore(made)
    run("mv /root/.gnupg /root/.gnupg.away")
    refused(f"restore east {made} --host east.test", "is encrypted for a key that the keyring of root does not have")
    nothing_of("east")
    run("gpgconf --kill all; rm -r /root/.gnupg; mv /root/.gnupg.away /root/.gnupg")
    # It is one of the instance's units, once it is enabled.
    for act, state in (("stop", "inactive"), ("start", "active")):
        run(f"systemctl {act} tradepost@north.target")
        wait_until(lambda: north.active("tradepost-backup@north.timer") == state, f"the timer is {state}")
    run("systemctl disable --now tradepost-backup@north.timer")
    settings()
    shutil.rmtree(made)
    north.wait_ready()


def test_what_is_no_whole_backup_is_refused():
    good = back_up(f"{FOLDER} --keep 1")
    refused(f"restore north {good}", "there is an instance north")
    refused(f"restore east {good}/none", "is no backup that tradepost-instance completed")
    refused(f"restore east {good}", "north has the same host name", lines=2)
    run("mariadb -e 'CREATE DATABASE tradepost_east; CREATE TABLE tradepost_east.kept (id INT)'")
    refused(f"restore east {good} --host east.test", "there is a database tradepost_east: drop it, or choose another name")
    run("mariadb -e 'SELECT * FROM tradepost_east.kept; DROP DATABASE tradepost_east'")
    nothing_of("east")
    for file, change, why in (("database.sql.gz", "truncate -s -1 {}", "is damaged"), ("configuration.tar", "printf x >>{}", "is damaged"),
                              ("manifest", "sed -i 's/^schema .*/schema 9999/' {}", "this version knows"),
                              ("manifest", "sed -i 's/^tradepost-backup 1/tradepost-backup 2/' {}", "by a newer version"),
                              ("manifest", "sed -i 's/^rows jobs /rows jobs 9/;s/^rows stock_items /rows stock_items 9/' {}", "nothing was restored"),
                              ("manifest", "sed -i 's/^uploads .*/uploads 77/' {}", "files of the uploads are missing")):
        bad = FOLDER / "bad"
        shutil.copytree(good, bad, symlinks=True)
        run(change.format(bad / file))
        refused(f"restore east {bad} --host east.test", why, lines=0)
        nothing_of("east")
        shutil.rmtree(bad)
    equal(south.get("/api/v1/jobs").status, 200, "the other instance")


def test_a_restored_instance_answers_as_before():
    before, files = everything([host.document]), configuration()
    backup = back_up(f"{FOLDER} --keep 1")
    restore(backup)
    # What came after the backup is not in it.
    add_late_item()
    run("tradepost-instance purge north --yes")
    # Killed at later and later moments, until it is done before.
    for tenth in range(3, 600, 7):
        done = run(f"timeout --signal=KILL {tenth / 10} tradepost-instance restore north {backup}", check=False)
        if done.returncode == 0:
            break
        expect(done.returncode in (137, -9), f"{done.stdout}{done.stderr}")
        equal(south.get("/api/v1/jobs").status, 200, "the other instance")
        # It may have been killed after its last step.
        if north.toml.exists() and not pathlib.Path("/etc/tradepost/north.restoring").exists():
            break
    expect(tenth > 3, "it was killed")
    run("systemctl enable --now tradepost@north.target")
    check_restored(before, files)


def test_the_manual_backs_up_and_restores():
    follow_both()
    equal(south.get("/api/v1/jobs").status, 200, "the other instance")
