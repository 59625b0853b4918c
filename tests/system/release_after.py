"""The instance of release_before.py in Debian's next release: the upgraded system after a boot, or another one with the backup."""
import base64
import json
import os
import pathlib

import host
import test_backups
from host import commands, equal, north, run

FOLDER = pathlib.Path("/var/backups/tradepost")


def prepare():
    run("systemctl start mariadb nginx")
    if os.path.exists("/etc/tradepost/north.toml"):
        run(f"grep -q {north.host} /etc/hosts || echo '127.0.0.1 {north.host}' >>/etc/hosts")
    else:
        run(f"echo '127.0.0.1 {north.host}' >>/etc/hosts && dpkg --install /check/next/tradepost.deb", timeout=300)
        run(f"mkdir -p {FOLDER.parent} && cp -a /check/results/backups {FOLDER}")
        run(commands("To restore the newest backup"))
    kept = json.loads((host.RESULTS / "before.json").read_text())
    host.before = {path: (status, base64.b64decode(body), tag) for path, (status, body, tag) in kept["answers"].items()}
    host.before["export"] = kept["export"]
    north.token = kept["token"]
    north.wait_ready()


def test_doctor_finds_no_fault_of_the_database():
    lines = run("tradepostctl --instance north doctor", check=False).stdout.splitlines()
    host.expect_version("ok   server version MariaDB 11.8", lines)
    faults = [line for line in lines if line.startswith("FAIL") and ("database" in line or "schema" in line or "totals" in line)]
    equal(faults, [], "faults")


def test_every_answer_is_as_before():
    documents = [path for path in host.before if path.startswith("/uploads")]
    after = test_backups.everything(documents)
    equal(sorted(after), sorted(host.before), "what there is")
    for path, answer in host.before.items():
        if path == "export":
            equal(after[path], answer, path)
        else:
            equal(after[path][:2], answer[:2], path)


def test_it_can_be_written():
    made = north.call("POST", "/api/v1/stock", {"reference": "VAN-NEXT", "title": "Next"}).data()
    equal(north.get(f"/api/v1/stock/{made['id']}").data()["reference"], "VAN-NEXT", "what was written")
    north.upload_pdf()
