"""What administrators do to the cluster while it serves: sections of the page, each a fault for faults.py."""
import json
import shutil
import time

from machines import wait_until

CERTIFICATES = "/etc/cluster-ca"
ROWS = 50_000


def copy_certificates(cluster):
    """As "Certificates" says, with tar and ssh."""
    for name, host in cluster.hosts.items():
        shutil.copytree(cluster.db1.root / CERTIFICATES.lstrip("/") / name, host.root / "etc/cluster", dirs_exist_ok=True)


def copies_of_key(cluster):
    """The hosts on which a file has the authority's key."""
    secret = cluster.db1.said(f"sed -n 2p {CERTIFICATES}/ca.key")
    return [host.name for host in cluster.hosts.values()
            if host.run("grep -rlFf /dev/stdin /etc /root /usr/local", check=False, input=secret).stdout.strip()]


def set_up_firewall(cluster, page, client):
    """The page's table, as rules of each host. `client`: the address of this process."""
    for host in cluster.hosts.values():
        rules = [f"ip saddr {client} tcp dport 443 accept"]
        for hosts, ports, sources in page.firewall():
            if host.name in hosts:
                allowed = ", ".join(cluster.hosts[source].address for source in sources)
                rules.append((f"ip saddr {{ {allowed} }} " if allowed else "") + f"tcp dport {{ {ports} }} accept")
        host.filter("firewall", "type filter hook input priority 10; policy drop;", "iif lo accept", "ct state established,related accept",
                    "icmp type echo-request accept", *rules)


def shown_certificates(cluster):
    """The numbers of those that the servers show, by name and port."""
    askers = {443: cluster.lb, 6379: cluster.api1, 3306: cluster.db1, 4567: cluster.db1}  # whom the firewall lets
    options = {443: "-servername shop.example.com", 6379: "", 3306: "-starttls mysql", 4567: ""}
    ports = {"lb": (443,), "api": (443,), "cache": (6379,), "db": (3306, 4567) if cluster.kind == "galera" else (3306,)}
    return {f"{name}:{port}": askers[port].said(
        f"openssl s_client -connect {name}:{port} {options[port]} </dev/null 2>/dev/null | openssl x509 -noout -serial", check=False)
        for name in cluster.hosts for port in ports[name.rstrip("0123456789")]}


def certificates_renewed(cluster):
    def doctor():
        lines = cluster.api1.run("tradepostctl --instance shop doctor", check=False).stdout.splitlines()
        return [line for line in lines if "certificate" in line and not line.startswith("ok ")]

    before = shown_certificates(cluster)
    for days in (10, 825):
        written = cluster.page([("cluster-certificate db3 db3\n", f"cluster-certificate db3 db3 {days}\n")])
        first, *others = range(len(written.blocks("Renewing certificates")))
        written.follow("Renewing certificates", numbers=[first])
        copy_certificates(cluster)
        written.follow("Renewing certificates", numbers=others)
        cluster.heal()
        found = doctor()
        print(f"  doctor, when the certificate of db3 ends in {days} days: {found}", flush=True)
        assert bool(found) == (days == 10) and all("db3" in line for line in found), found
    after = shown_certificates(cluster)
    same = [place for place in before if before[place] == after[place] or not after[place]]
    assert not same, f"an old certificate is shown by {same}"


def majority_lost(cluster):
    for host in (cluster.db2, cluster.db3):
        host.kill()
    begun = time.monotonic()
    wait_until(lambda: not any(cluster.is_ready(api) for api in cluster.apis), "the API hosts are not ready")
    cluster.page().follow("Loss of the majority")
    wait_until(lambda: all(cluster.is_ready(api) for api in cluster.apis), "the remaining node does not serve")
    print(f"  one node of three served {time.monotonic() - begun:.1f} s after two were lost", flush=True)
    time.sleep(5)
    for host in (cluster.db2, cluster.db3):
        host.boot()


def migrated(cluster):
    """A migration that copies a large table."""
    columns = cluster.sql(cluster.writer(), "SELECT column_name FROM information_schema.columns WHERE table_schema = 'tradepost_shop' "
                          "AND table_name = 'stock_items' AND COALESCE(generation_expression, '') = ''").split()
    own = {"id": "RANDOM_BYTES(16)", "reference": "CONCAT('ROW-', n, '-', batch)", "title": "'A row'"}
    for batch in range(ROWS // 1000):
        cluster.sql(cluster.writer(), f"""USE tradepost_shop; INSERT INTO stock_items ({', '.join(columns)})
            WITH RECURSIVE numbers AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000)
            SELECT {', '.join(own.get(name, f'one.{name}') for name in columns)} FROM numbers, (SELECT * FROM stock_items LIMIT 1) AS one,
            (SELECT {batch} AS batch) AS number""")
    script = """cp -r /usr/share/tradepost/sql /srv/sql
    echo 'ALTER TABLE stock_items ADD COLUMN migrated INT NULL, ALGORITHM=COPY' >/srv/sql/copy
    mv /srv/sql/copy /srv/sql/$(printf %03d $(($(ls /srv/sql/*.sql | wc -l) + 1)))_copy.sql"""
    cluster.api1.run(script)
    begun = time.monotonic()
    cluster.api1.run("tradepostctl --instance shop migrate --sql /srv/sql")
    print(f"  the migration of {ROWS} rows took {time.monotonic() - begun:.1f} s", flush=True)
    # No program would start with a schema that is newer than itself.
    cluster.sql(cluster.writer(), "DELETE FROM tradepost_shop.schema_migrations ORDER BY number DESC LIMIT 1")


def stock_titles(cluster):
    return {json.loads(line)["title"] for line in cluster.exported().splitlines()}


def back_in_time(cluster):
    section = "To a point in time"
    site = cluster.site(cluster.lb)

    def add(title):
        status, made = wait_until(lambda: (lambda answer: answer if answer[0] == 201 else None)(
            site.send("POST", "/api/v1/stock", {"reference": title, "title": title})), "a new item")
        return made["data"]["id"]

    cluster.page().follow(section, numbers=[0])
    cluster.heal()
    add("Before the dump")
    cluster.page().follow(section, numbers=[1])
    kept = add("After the dump")
    time.sleep(1.1)
    until = cluster.db3.said("date '+%F %T'")
    time.sleep(1.1)
    assert site.send("DELETE", f"/api/v1/stock/{kept}")[0] == 200
    add("After that time")
    written = cluster.page([("2026-11-28 12:00:00", until)])
    begun = time.monotonic()
    written.follow(section, numbers=range(2, len(written.blocks(section))))
    cluster.heal()
    print(f"  going back took {time.monotonic() - begun:.1f} s", flush=True)
    titles = stock_titles(cluster)
    assert {"Before the dump", "After the dump"} <= titles and "After that time" not in titles, "the state is not that of the time"


def metrics_read(cluster):
    cluster.page().follow("Prometheus")
    for api in cluster.apis:
        wait_until(lambda: "tradepost_requests_total" in cluster.lb.said(f"curl -s http://127.0.0.1:8405/{api.name}/metrics", check=False),
                   f"the metrics of {api.name}", 10)
    active = 'haproxy_backend_active_servers{proxy="shop"} '
    assert active + "2" in cluster.lb.said("curl -s http://127.0.0.1:8405/metrics")
    cluster.api1.run("systemctl stop nginx")
    wait_until(lambda: active + "1" in cluster.lb.said("curl -s http://127.0.0.1:8405/metrics", check=False), "HAProxy's metrics say that a host is away", 10)
    cluster.api1.run("systemctl start nginx")
