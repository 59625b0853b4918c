"""The lines of the operators' manual: back up, wipe, restore; every response is the same as before."""
import pathlib
import re

import host
from host import equal, expect, north, run, said, south


def commands(after):
    """The first indented block of the operators' manual below that text."""
    text = (host.CHECK / "OPERATORS.md").read_text()
    expect(after in text, f"the operators' manual has no line {after!r}")
    lines = text.split(after, 1)[1].splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("    "))
    block = []
    for line in lines[start:]:
        if not line.startswith("    "):
            break
        block.append(line[4:])
    block = "\n".join(block)
    block = block.replace("shop.example.com", north.host).replace("shop", "north")
    if host.sql_client == "mysql":
        dump = "mysqldump --set-gtid-purged=OFF"
        expect(f"`{dump}` takes the place of `mariadb-dump`" in text, "the operators' manual tells MySQL's command")
        block = block.replace("mariadb-dump", dump).replace("mariadb", "mysql")
    return "set -e\n" + block


LISTS = [f"/api/v1/{name}" for name in ("stock", "enquiries", "jobs", "events", "posts")]


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


FILES = ("/etc/tradepost/north.toml /etc/tradepost/north.push-key /etc/tradepost/north.password /etc/tradepost/north.crt /etc/tradepost/north.key "
         "/etc/nginx/tradepost/north/extra/mine.conf /etc/systemd/system/tradepost@north.service.d/override.conf")


def configuration():
    return said(f"sha256sum {FILES}; stat -L -c '%n %U %G %a' {FILES}").splitlines()


def fill():
    url = north.upload_pdf()["url"]
    for number in range(5):
        north.call("POST", "/api/v1/stock", {"reference": f"VAN-{number}", "title": f"Van {number}"}).data()
    from test_units import png
    import base64
    image = north.call("POST", "/api/v1/uploads", {"filename": "a.png", "contentType": "image/png",
                                                   "data": base64.b64encode(png(300, 200)).decode()}).data()
    north.call("POST", "/api/v1/stock", {"reference": "VAN-P", "title": "Van", "images": [{"uploadId": image["id"]}]}).data()
    return url.removeprefix(north.base)


def wipe():
    run("tradepost-instance remove north")
    run(f"{host.sql_client} -e 'DROP DATABASE tradepost_north; DROP USER tradepost_north@localhost'")
    group = said("getent group tradepost-north | cut -d: -f3")
    run("rm -rf /var/lib/tradepost/north /run/tradepost/north && userdel tradepost-north")
    run("rm -rf /etc/tradepost/north.* /etc/letsencrypt /etc/systemd/system/tradepost@north.service.d")
    # On another host the group has another number, and another group this one.
    run(f"groupadd --gid {group} others")
    expect(not north.toml.exists(), "the configuration is gone")


def check_restored(before):
    """All answers are those from before, and it goes on from there."""
    after = everything([path for path in before if path.startswith("/uploads")])
    equal(sorted(after), sorted(before), "what there is")
    for path, answer in before.items():
        if path == "/api/v1/enquiries" or path not in LISTS:
            equal(after[path], answer, path)
            continue
        # Versions come again, so that the tags of lists may not.
        equal(after[path][:2], answer[:2], path)
        expect(after[path][2] != answer[2], f"{path} has the tag that it had: {answer[2]}")
    north.call("POST", "/api/v1/stock", {"reference": "VAN-LATE", "title": "Late"}).data()
    north.upload_pdf()


def back_up_and_restore():
    configure()
    document = fill()
    before, files = everything([document]), configuration()
    expect(len(before) > 14, f"{sorted(before)}")
    run(commands("## Backup and restore"))
    # What came after the backup is not in it.
    north.call("POST", "/api/v1/stock", {"reference": "VAN-LATE", "title": "Late"}).data()
    wipe()
    run(commands("To restore it on this host"))
    north.wait_ready()
    check_restored(before)
    equal(configuration(), files, "configuration")
    equal(north.get("/mine").body, b"mine", "what the administrator added to nginx")
    equal(len(north.workers()), 3, "workers")


def test_what_was_backed_up_and_wiped_answers_as_before():
    back_up_and_restore()
    equal(south.get("/api/v1/jobs").status, 200, "the other instance")


def test_the_manual_installs_as_this_suite_does():
    text = commands("## Installation")
    for line in ("tradepost-instance add north north.test", "systemctl enable --now tradepost@north.target"):
        expect(line in text, line)
    expect(re.search(r"(?m)^tradepostctl --instance north user add --email \S+ --name \S+$", text), text)
