"""Two instances on one host: what happens to one, or is done by one, does not touch the other."""
import json
import os
import pathlib
import socket
import threading

import host
from host import Instance, equal, expect, north, run, said, south, wait_until
from load import Load, describe


def check_untouched(act):
    """South's clients notice nothing."""
    with Load(south, clients=2) as load:
        load.wait_for(20)
        act(load)
        load.wait_for(30)
    expect(not load.failed(), describe(load.failed()))
    load.check_writes()


def test_one_stopped_does_not_touch_the_other():
    def act(load):
        run("systemctl stop tradepost@north.target")
        expect(north.get("/api/v1/jobs").status == 502, "north is away")
        load.wait_for(20)
        run("systemctl start tradepost@north.target")
    check_untouched(act)
    north.wait_ready()


def test_one_broken_does_not_touch_the_other():
    before = north.toml.read_text()

    def act(load):
        north.toml.write_text("[database\n")
        run("systemctl restart --no-block tradepost@north.service")
        wait_until(lambda: north.active("tradepost@north.service") in ("activating", "failed"), "north does not start")
        load.wait_for(20)
    try:
        check_untouched(act)
    finally:
        north.toml.write_text(before)
    north.wait_ready()


def flood(stop, statuses):
    """Hundreds of requests at once on a connection, again and again; in the clear, which costs both sides least."""
    request = f"GET /.well-known/acme-challenge/none HTTP/1.1\r\nHost: {north.host}\r\n\r\n".encode() * 400
    while not stop.is_set():
        try:
            with socket.create_connection((north.host, 80), 20) as connection:
                connection.sendall(request)
                while not stop.is_set():
                    got = connection.recv(1 << 18)
                    if not got:
                        break
                    for status in (b"404", b"429"):
                        statuses[status] = statuses.get(status, 0) + got.count(b"HTTP/1.1 " + status)
                    if got.endswith(b"}") and b"429" in got:
                        connection.sendall(request)
        except OSError:
            pass


def test_one_flooded_does_not_touch_the_other():
    stop, statuses, refused = threading.Event(), {}, []

    def act(load):
        threads = [threading.Thread(target=flood, args=(stop, statuses), daemon=True) for _ in range(4)]
        for thread in threads:
            thread.start()
        try:
            wait_until(lambda: statuses.get(b"429", 0) > 100, "the flood limit", 120)
            refused.append(north.get("/api/v1/jobs"))
            # From the same address.
            load.wait_for(30)
        finally:
            stop.set()
            for thread in threads:
                thread.join(30)
    check_untouched(act)
    expect(refused[0].status in (200, 429), f"{refused[0].status}")
    if refused[0].status == 429:
        equal(refused[0].json(), {"error": "Too many requests. Please try again later."}, "body")
        equal(refused[0].headers["Retry-After"], "1", "Retry-After")
    wait_until(lambda: north.get("/api/v1/jobs").status == 200, "north after the flood")


def test_neither_can_reach_what_is_the_others():
    for path in ("/etc/tradepost/north.toml", "/etc/tradepost/north.password", "/etc/tradepost/north.key", "/var/lib/tradepost/north",
                 "/run/tradepost/north/shared"):
        expect(run(f"ls {path} >/dev/null && runuser -u tradepost-south -- test ! -r {path}", check=False).returncode == 0, f"south reads {path}")
    expect(run("runuser -u tradepost-south -- test ! -w /run/tradepost/north/api.sock").returncode == 0, "south connects to north")
    check_databases(south, "tradepost_north")


def check_databases(instance, *others):
    """Its user reaches its own, and none of the others."""
    password = pathlib.Path(f"/etc/tradepost/{instance.name}.password").read_text().strip()
    for database in (f"tradepost_{instance.name}", *others):
        reached = run(f"{host.sql_client} -u tradepost_{instance.name} -p{password} {database} -e 'SELECT 1'", check=False)
        equal((reached.returncode == 0, "1044" in reached.stderr), (database not in others, database in others), f"{database}: {reached.stderr}")


# In a GRANT, underscores stand for any character.
west = Instance("west_1")
west.host = "west.test"


def check_rights():
    """West's, also when an older version made it."""
    others = ("tradepost_west21", "tradepostxwest_1")
    sql = f"{host.sql_client} --raw -N -e"
    for database in others:
        run(f"{sql} 'CREATE DATABASE {database}'")
    host.add(west)
    for command in ("", "upgrade west_1", "upgrade west_1", "add west_1 west.test"):
        if command:
            run(f"tradepost-instance {command}")
        rights = said(f"{sql} 'SHOW GRANTS FOR tradepost_west_1@localhost'").splitlines()[1:]
        equal(rights, ["GRANT ALL PRIVILEGES ON `tradepost\\_west\\_1`.* TO `tradepost_west_1`@`localhost`"], f"rights after {command or 'add'}")
        check_databases(west, *others)
        if not command.startswith("upgrade"):
            run(f"{sql} 'GRANT ALL ON tradepost_west_1.* TO tradepost_west_1@localhost'")


def check_that_rights_stay_until_others_suffice():
    """Of west, which an older version made, on a server that lets no user in."""
    old = "GRANT ALL PRIVILEGES ON `tradepost_west_1`.* TO `tradepost_west_1`@`localhost`"
    new = old.replace("`tradepost_west_1`.*", "`tradepost\\_west\\_1`.*")

    def rights():
        return said(f"{host.sql_client} --raw -N -e 'SHOW GRANTS FOR tradepost_west_1@localhost'").splitlines()[1:]
    run(f"{host.sql_client} -e 'GRANT ALL ON tradepost_west_1.* TO tradepost_west_1@localhost; REVOKE ALL ON `tradepost\\_west\\_1`.* FROM tradepost_west_1@localhost'")
    run(f"{host.sql_client} -e \"SET GLOBAL init_connect = 'no statement'\"")
    try:
        done = run("tradepost-instance upgrade west_1", check=False)
        equal((done.returncode, rights()), (1, [old]), done.stderr)
        expect("tradepost-instance: the rights of west_1 stay as they are" in done.stderr, done.stderr)
    finally:
        run(f"{host.sql_client} -e \"SET GLOBAL init_connect = ''\"")
    run("tradepost-instance upgrade west_1")
    equal(rights(), [new], "rights that suffice")
    equal(said(f"{host.sql_client} -N -e \"SELECT COUNT(*) FROM mysql.user WHERE user LIKE 'tp%'\""), "0", "users that are left")


def remove_and_add():
    """West's database and its user stay, and the password is forgotten."""
    run("tradepost-instance remove west_1")
    run("tradepost-instance add west_1 west.test && systemctl start tradepost@west_1.target")
    west.wait_ready()
    equal(west.get("/api/v1/me").data()["email"], "user@dealer.test", "whose token it is")


def test_rights_end_with_the_database():
    check_rights()


def test_rights_stay_until_others_suffice():
    check_that_rights_stay_until_others_suffice()


def test_one_that_was_removed_can_be_added_again():
    remove_and_add()


def test_a_pool_sees_its_own_folders_only():
    for pool in ("", "-auth", "-uploads"):
        worker = wait_until(lambda: south.workers(pool), f"workers of {pool}")[0]
        seen = pathlib.Path(f"/proc/{worker}/root")
        equal(os.listdir(seen / "var/lib/tradepost"), ["south"], f"uploads that south{pool} sees")
        equal(os.listdir(seen / "run/tradepost"), ["south"], f"sockets that south{pool} sees")


def test_a_token_of_one_is_none_of_the_other():
    expect(north.get("/api/v1/me").status == 200, "north's token at north")
    expect(north.get("/api/v1/me", headers={"Authorization": f"Bearer {south.token}"}).status == 401, "south's token at north")


def test_each_has_its_own_log():
    for one, other in ((north, south), (south, north)):
        id = f"check-of-{one.name}"
        equal(one.get("/api/v1/jobs", headers={"X-Request-Id": id}).headers["X-Request-Id"], id, "id")
        wait_until(lambda: f"id={id}" in said(f"journalctl --no-pager -t tradepost-{one.name}"), f"{one.name}'s journal")
        expect(id not in said(f"journalctl --no-pager -t tradepost-{other.name}"), f"{other.name}'s journal")
        wait_until(lambda: f"id={id}" in pathlib.Path(f"/var/log/nginx/tradepost-{one.name}.log").read_text(), f"nginx's log of {one.name}")
        expect(id not in pathlib.Path(f"/var/log/nginx/tradepost-{other.name}.log").read_text(), f"nginx's log of {other.name}")


def test_what_a_command_did_is_in_the_journal():
    for one in (north, south):
        (added,) = json.loads(one.ctl("audit --event user_added --limit 1 --json").stdout)
        equal(added["actor"], "ctl:root", "actor")
        wait_until(lambda: f"event=audit.user_added actor=ctl:root user={added['userId']} " in said("journalctl --no-pager -t tradepostctl"), "the line")
