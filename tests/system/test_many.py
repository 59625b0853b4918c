"""Twenty instances with the settings that they begin with share a MariaDB with the 151 connections that it begins with."""
import base64
import collections
import json
import pathlib
import subprocess

import host
from host import Instance, equal, expect, run, said, wait_until

INSTANCES = [Instance(f"shop{number}") for number in range(20)]
PDF = base64.b64encode(b"%PDF-1.4\n1 0 obj <</Pages 2 0 R>> endobj\n2 0 obj <</Kids [3 0 R]/Count 1>> endobj\n3 0 obj <</Type/Page>> endobj\ntrailer <</Root 1 0 R>>\n%%EOF\n").decode()


def prepare():
    # OPERATORS.md, "Installation": for more than some clients.
    run("sed -i 's/worker_connections 768;/worker_connections 4096;/' /etc/nginx/nginx.conf && systemctl start mariadb nginx")
    host.install()
    for instance in INSTANCES:
        host.add(instance)
    for instance in INSTANCES:
        instance.wait_ready(120)
        # It begins with the workers, and has connections of its own.
        host.finish_upgrade(instance)


def status(variable):
    return int(said(f"mariadb -N -e \"SHOW GLOBAL STATUS LIKE '{variable}'\"").split()[1])


def clients(instance, count, path, requests, body=None):
    """So many at once, each with a connection of its own, which print the status of each response, or why there was none."""
    command = ["curl", "--silent", "--no-progress-meter", "--cacert", f"/etc/tradepost/{instance.name}.crt", "--parallel", "--parallel-immediate", "--parallel-max", str(count),
               "--output", "/dev/null", "--write-out", "%{http_code} %{errormsg}\n", "--header", f"Authorization: Bearer {instance.token}"]
    if body:
        command += ["--header", "Content-Type: application/json", "--data", json.dumps(body)]
    return subprocess.Popen([*command, f"{instance.base}{path}#[1-{requests}]"], stdout=subprocess.PIPE, text=True)


def of_instances():
    return int(said("mariadb -N -e \"SELECT COUNT(*) FROM information_schema.processlist WHERE db LIKE 'tradepost%'\""))


def test_twenty_instances_under_32_clients_each_share_the_connections_of_one_server():
    equal(said("mariadb -N -e 'SELECT @@max_connections'"), "151", "connections of the server")
    sign_in = {"email": "sign-in@dealer.test", "password": "correct horse 9 battery"}
    upload = {"filename": "a.pdf", "contentType": "application/pdf", "data": PDF}
    # While one session has the tables, every statement waits, and each instance opens as many connections as it may.
    holder = subprocess.Popen(["mariadb", "-N", "--unbuffered"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    tables = ", ".join(f"tradepost_{instance.name}.{table} WRITE" for instance in INSTANCES for table in ("users", "api_tokens"))
    holder.stdin.write(f"LOCK TABLES {tables};\nSELECT 'locked';\n")
    holder.stdin.flush()
    equal(holder.stdout.readline().strip(), "locked", "the tables")
    wanted = {(instance, kind): arguments for instance in INSTANCES for kind, arguments in (
        ("me", (14, "/api/v1/me", 28)), ("stock", (14, "/api/v1/stock", 28)),
        ("auth", (2, "/api/v1/auth", 4, sign_in)), ("uploads", (2, "/api/v1/uploads", 4, upload)))}
    started = {key: clients(key[0], *arguments) for key, arguments in wanted.items()}
    wait_until(lambda: of_instances() >= 5 * len(INSTANCES), "connections of all instances", 120)
    for instance in INSTANCES[:3]:
        instance.tell_use("32 clients")
    holder.communicate("UNLOCK TABLES;\n")
    statuses = collections.Counter()
    for attempt in range(20):
        again = {}
        for (instance, kind), process in started.items():
            codes = collections.Counter(line.strip() for line in process.communicate(timeout=500)[0].splitlines())
            statuses.update({(kind, code): count for code, count in codes.items()})
            # A 503 asks the client to repeat the request.
            if codes["503"]:
                at_once, path, _, *body = wanted[instance, kind]
                again[instance, kind] = clients(instance, at_once, path, codes["503"], *body)
        started = again
    print(f"     {dict(statuses)}, at most {status('Max_used_connections')} connections")
    equal(status("Connection_errors_max_connections"), 0, "connections that the server refused")
    journal = said("journalctl -b --no-pager -o cat -u 'tradepost*'")
    equal(journal.count("(1040)"), 0, "error 1040 in the journal")
    equal({key: count for key, count in statuses.items() if key[1] != "503"}, {("me", "200"): 560, ("stock", "200"): 560, ("auth", "200"): 80, ("uploads", "201"): 80}, "answers")


def test_doctor_adds_up_the_connections_of_all():
    found = said(f"tradepostctl --instance {INSTANCES[0].name} doctor", check=False)
    expect("20 instances of this host may open 140 of 151 connections of the database server" in found, found)
