"""Beside Apache, which has ports 80 and 443: nothing of its sites changes, and it passes requests on."""
import pathlib
import re
import textwrap

import host
from host import expect, equal, north, run, said, south, wait_until

PLAIN = "curl --silent --show-error --max-time 20 --cacert /etc/ssl/other.crt"


def prepare():
    run("systemctl stop nginx && systemctl start mariadb")
    pathlib.Path("/etc/hosts").open("a").write(f"127.0.0.1 {north.host} {south.host} other.test\n")
    run("openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=other.test -addext subjectAltName=DNS:other.test "
        "-keyout /etc/ssl/private/other.key -out /etc/ssl/other.crt")
    for port, tls in ((80, ""), (443, "SSLEngine on\nSSLCertificateFile /etc/ssl/other.crt\nSSLCertificateKeyFile /etc/ssl/private/other.key\n")):
        pathlib.Path(f"/etc/apache2/sites-available/other-{port}.conf").write_text(
            f"<VirtualHost *:{port}>\nServerName other.test\n{tls}RedirectMatch 204 .*\n</VirtualHost>\n")
    run("a2enmod --quiet ssl proxy_http && a2ensite --quiet other-80 other-443 && a2dissite --quiet 000-default && systemctl restart apache2")
    host.install()
    check_apache()


def check_apache():
    for scheme in ("http", "https"):
        equal(said(f"{PLAIN} --output /dev/null --write-out '%{{http_code}}' {scheme}://other.test/"), "204", f"Apache's own site by {scheme}")


def refused(command, *words):
    done = run(command, check=False)
    expect(done.returncode == 1 and all(word in done.stderr for word in words), f"{done.returncode}: {done.stdout}{done.stderr}")
    run("nginx -t")
    expect(not list(pathlib.Path("/etc/nginx/sites-enabled").glob("tradepost-*")), "a site is left")
    check_apache()


def test_an_instance_on_apaches_ports_is_refused():
    # nginx does not run, and its own site has port 80 too.
    refused(f"tradepost-instance add north {north.host}", "nginx cannot use the new configuration; the previous one is in place again: ",
            "bind() to 0.0.0.0:", " failed (98: Address already in use)")
    # Without it nginx runs, and only the new site does not.
    run("rm /etc/nginx/sites-enabled/default && systemctl start nginx")
    refused(f"tradepost-instance add north {north.host}", "nginx does not answer at 127.0.0.1:443; who listens there: apache2", "--listen")
    equal(north.active("nginx"), "active", "nginx")


def test_a_port_of_its_own():
    run("tradepost-instance add south south.test --listen 127.0.0.1:8443")
    expect('base_url = "https://south.test:8443"\nlisten = ["127.0.0.1:8443"]\n' in south.toml.read_text(), south.toml.read_text())
    run("systemctl enable --now tradepost@south.target")
    wait_until(lambda: south.get("/readyz", base="https://south.test:8443").status == 200, "south")
    equal(said("ss -Hltn 'sport = :8443'").count("\n"), 0, "addresses with that port")
    check_apache()


def test_behind_apache():
    run("tradepost-instance purge north --yes", check=False)
    done = run(f"tradepost-instance add north {north.host} --behind-proxy --admin anna@dealer.test --organisation 'Ashford & Sons'",
               input="correct horse 9 battery\n")
    site = re.search(r"For Apache, in (\S+), with.*?\n\n(.*)</VirtualHost>\n", done.stdout, re.DOTALL)
    expect(site, done.stdout)
    pathlib.Path(site[1]).write_text(textwrap.dedent(site[2] + "    </VirtualHost>\n"))
    for rate in ("auth", "auth_address", "public", "write"):
        north.set("rate_limits", rate, '"1000000/1m"')
    run("a2ensite --quiet tradepost-north && systemctl reload apache2 && systemctl enable --now tradepost@north.target")
    wait_until(lambda: north.ready(), "north behind Apache")
    check_apache()

    jobs = north.get("/api/v1/jobs")
    equal((jobs.status, jobs.headers.get_all("Strict-Transport-Security")), (200, ["max-age=31536000"]), "a list")
    equal(north.get("/nothing").json(), {"error": "Not found"}, "an error of nginx")
    north.token = said("tradepostctl --instance north token mint --email anna@dealer.test --name check")
    equal(north.get("/api/v1/me").data()["organisations"][0]["role"], "ADMIN", "what --admin and --organisation made")
    north.call("PUT", "/api/v1/stock/by-reference/a%2Fb%20c", {"title": "A car"}).data()
    equal(north.get("/api/v1/stock/by-reference/a%2Fb%20c").data()["reference"], "a/b c", "an encoded slash")
    north.upload_pdf()
    session = north.call("POST", "/dashboard/api/session", {"email": "anna@dealer.test", "password": "correct horse 9 battery"},
                         {"Origin": north.base, "Authorization": None})
    expect(session.status == 201 and "__Host-session=" in session.headers["Set-Cookie"], f"a sign-in: {session.status} {session.body!r}")


def test_apaches_clients_are_told_apart():
    log = pathlib.Path("/var/log/nginx/tradepost-north.log")
    for sent, seen in ((None, "127.0.0.1"), ("203.0.113.7", "203.0.113.7")):
        id = f"told-{seen}"
        north.get("/healthz", headers={"X-Request-Id": id, "X-Forwarded-For": sent})
        equal(wait_until(lambda: re.search(rf"(?m)^(\S+) .* id={id}$", log.read_text()), "the log's line")[1], seen, "the client's address")


def test_figures_stay_on_the_host():
    equal(north.get("/metrics").status, 403, "figures by way of Apache")
    equal(said(f"curl --silent --output /dev/null --write-out '%{{http_code}}' --header 'Host: {north.host}' http://127.0.0.1:8080/metrics"), "200", "directly")
    equal(said("curl --silent http://127.0.0.1:8080/healthz"), '{"data":{"status":"ok"}}', "health without a host name")
    equal(said("curl --silent http://127.0.0.1:8080/api/v1/jobs"), '{"error":"Misdirected request"}', "anything else without it")
