"""What an instance holds that nobody uses: few connections, little memory, and pools that the next request starts again."""
import pathlib
import time

import host
from host import equal, expect, north, run, said, wait_until

POOLS = ("tradepost-auth@north.service", "tradepost-uploads@north.service")
# In place of five minutes.
SECONDS = {"tradepost@north.service": "END_IDLE_AFTER=2", POOLS[0]: "END_IDLE_POOL_AFTER=2", POOLS[1]: "END_IDLE_POOL_AFTER=2"}


def prepare():
    run("systemctl start mariadb nginx")
    host.install()
    host.add(north)
    north.wait_ready()
    for unit, setting in SECONDS.items():
        edit = pathlib.Path(f"/run/systemd/system/{unit}.d/idle.conf")
        edit.parent.mkdir(parents=True)
        edit.write_text(f"[Service]\nEnvironment={setting}\n")
    run("systemctl daemon-reload && systemctl restart tradepost@north.service")


def sign_in():
    return north.call("POST", "/api/v1/auth", {"email": "sign-in@dealer.test", "password": "correct horse 9 battery"}).status


def use():
    for _ in range(20):
        equal(north.get("/api/v1/stock?q=van").status, 200, "a search")
        equal(north.get("/api/v1/me").status, 200, "a read")
    equal(sign_in(), 200, "a sign-in")
    north.upload_pdf()


def wait_idle():
    for unit in POOLS:
        wait_until(lambda: north.active(unit) == "inactive", f"{unit} has not ended")


def test_idle_pools_end_and_the_next_request_starts_them():
    use()
    wait_idle()
    for unit in POOLS:
        equal((said(f"systemctl show -P Result {unit}"), north.active(unit.replace(".service", ".socket"))), ("success", "active"), unit)
    began = time.monotonic()
    equal(sign_in(), 200, "a sign-in that starts its pool")
    print(f"     a sign-in that starts its pool takes {time.monotonic() - began:.2f} s")
    equal(north.active(POOLS[0]), "active", "the pool that was needed")
    equal(north.active(POOLS[1]), "inactive", "the pool that was not")
    equal(north.upload_pdf()["status"], "READY", "an upload that starts its pool")
    equal(said("systemctl list-units --failed --no-legend 'tradepost*' | wc -l"), "0", "failed units")


def test_an_idle_instance_can_be_reloaded_and_restarted():
    wait_idle()
    run("systemctl reload tradepost@north")
    run("systemctl restart tradepost@north.service")
    equal(sign_in(), 200, "a sign-in")


def test_an_idle_instance_holds_three_connections_and_25_megabytes_at_most():
    use()
    north.tell_use("used a moment ago")
    wait_idle()
    # New workers of the API have taken the place of those that have served.
    wait_until(lambda: "why=idle" in north.journal("tradepost@north.service"), "a worker that has served ends")
    wait_until(lambda: north.connections() <= 3, "connections are given back", 60)
    wait_until(lambda: len(north.workers()) == 4, "new workers")
    total = north.tell_use("idle")
    expect(total * 1.048576 <= 25, f"an idle instance holds {total:.1f} MiB")
