"""Debian's next release, in place: an instance of the one before, and its upgrade by apt while it serves. What the instance answered,
and a backup of it, are left for release_after.py."""
import base64
import json
import shutil

import host
import test_backups
from host import commands, equal, north, run, said, wait_until

RELEASED = "/check/next/tradepost.deb"


def prepare():
    run("systemctl start mariadb nginx")
    host.install()
    host.add(north)
    north.wait_ready()


def test_an_instance_is_filled_and_backed_up():
    document = test_backups.fill()
    run(commands("## Backup and restore"))
    shutil.copytree("/var/backups/tradepost", host.RESULTS / "backups")
    seen = test_backups.everything([document])
    kept = {path: [answer[0], base64.b64encode(answer[1]).decode(), answer[2]] for path, answer in seen.items() if path != "export"}
    (host.RESULTS / "before.json").write_text(json.dumps({"answers": kept, "export": seen["export"], "token": north.token}))


def test_apt_upgrades_release_and_product_at_once():
    release = said("cat /etc/debian_version")
    run(commands("the new release's package").replace("./tradepost_*.deb", RELEASED).replace("apt-get update", "true")
        .replace("full-upgrade", "full-upgrade --yes -o Dpkg::Options::=--force-confold"), timeout=800)
    host.expect(said("cat /etc/debian_version") > release, "a later release of Debian")
    equal(said("dpkg-query -W -f '${db:Status-Status}' tradepost"), "installed", "the package")


def test_the_instance_goes_on_without_a_start_by_hand():
    north.wait_ready()
    wait_until(lambda: north.get("/api/v1/me").status == 200, "the token")
