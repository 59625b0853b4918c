"""nginx's site as the Internet sees it."""
import json
import pathlib
import re
import socket
import ssl
import subprocess
import time

import host
from host import equal, expect, north, run, said, south, wait_until

PLAIN = f"http://{north.host}"


def curl(arguments):
    return said(f"curl --silent --show-error --cacert /etc/tradepost/north.crt {arguments}")


def test_port_80_leads_to_https_and_refuses_what_should_not_have_been_sent():
    answer = north.get("/api/v1/jobs?page=2", base=PLAIN, headers={"Authorization": None})
    equal((answer.status, answer.headers["Location"]), (301, f"{north.base}/api/v1/jobs?page=2"), "redirect")
    equal(list(answer.json()), ["error"], "its body")
    equal(answer.headers["Content-Type"], "application/json; charset=utf-8", "its type")
    expect(answer.headers["X-Request-Id"] and not answer.headers["Strict-Transport-Security"], "its headers")
    for refused in (north.get("/api/v1/me", base=PLAIN), north.call("POST", "/api/v1/auth", {}, {"Authorization": None}, base=PLAIN)):
        equal((refused.status, refused.json()), (403, {"error": "Forbidden"}), "a credential in the clear")


def test_port_80_revokes_a_token_in_a_header_and_in_an_address():
    email = "clear@dealer.example"
    run(f"echo correct horse battery | tradepostctl --instance north user add --email {email} --name Clear --password-stdin")
    for address, header in (("/api/v1/me", "Bearer {}"), ("/api/v1/jobs?token={}", None)):
        token = json.loads(north.ctl(f"token mint --email {email} --name x --json").stdout)["token"]
        sent = {"Authorization": f"Bearer {token}"}
        equal(north.get("/api/v1/me", headers=sent).status, 200, "a new token")
        answer = north.get(address.format(token), base=PLAIN, headers={"Authorization": header and header.format(token)})
        equal((answer.status, answer.json()), (403, {"error": "Forbidden"}), "a token in the clear")
        equal(north.get("/api/v1/me", headers=sent).status, 401, "the token afterwards")
        expect(token not in said("cat /var/log/nginx/*.log"), "the token is in a log of nginx")


def test_port_80_serves_the_proof_for_a_certificate():
    folder = pathlib.Path("/var/lib/tradepost-acme/.well-known/acme-challenge")
    folder.mkdir(parents=True)
    (folder / "token").write_text("token.thumbprint")
    answer = north.get("/.well-known/acme-challenge/token", base=PLAIN)
    equal((answer.status, answer.body), (200, b"token.thumbprint"), "the proof")
    equal(north.get("/.well-known/acme-challenge/other", base=PLAIN).json(), {"error": "Not found"}, "another")


def test_tls_1_2_and_1_3_only_with_hsts_and_http_2():
    for version, works in (("1.1", False), ("1.2", True), ("1.3", True)):
        done = run(f"curl --silent --output /dev/null --tlsv{version} --tls-max {version} --ciphers DEFAULT@SECLEVEL=0 "
                   f"--cacert /etc/tradepost/north.crt {north.base}/healthz", check=False)
        equal(done.returncode == 0, works, f"TLS {version}")
    equal(curl(f"--http2 --output /dev/null --write-out '%{{http_version}} %{{http_code}}' {north.base}/healthz"), "2 200", "HTTP/2")
    equal(north.get("/healthz").headers["Strict-Transport-Security"], "max-age=31536000", "HSTS")
    # The certificate is the instance's own.
    expect("south.test" in said("openssl s_client -connect south.test:443 -servername south.test </dev/null 2>/dev/null | openssl x509 -noout -subject"),
           "south's certificate")


def test_hosts_that_no_site_has_are_refused():
    refused = {"error": "Misdirected request"}
    equal(json.loads(curl(f"--header 'Host: {south.host}' {north.base}/api/v1/jobs")), refused, "south by north's certificate")
    for name in ("-servername other.test", "-noservername"):
        done = run(f"openssl s_client -connect {north.host}:443 {name} </dev/null 2>&1", check=False)
        expect("unrecognized name" in done.stdout, done.stdout)

    # Debian's own site listens on port 80: its requests stay its own.
    standard, kept = pathlib.Path("/etc/nginx/sites-enabled/default"), pathlib.Path("/etc/nginx/default-site")
    default = pathlib.Path("/etc/nginx/tradepost/in-use/default-80.conf")
    expect(standard.exists() and not default.exists(), "no default server beside that of another site")
    standard.rename(kept)
    try:
        run("tradepost-instance nginx north")
        # The workers that nginx had before the reload still answer for a moment.
        for host in ("other.test", "127.0.0.1"):
            ask = f"curl --silent --include --header 'Host: {host}' {PLAIN}/"
            body = json.dumps(refused, separators=(",", ":"))
            wait_until(lambda: re.fullmatch(rf"HTTP/1\.1 421 .*{re.escape(body)}", said(ask, check=False), re.DOTALL), f"421 for {host}", 20)
        equal(north.get("/jobs", base=PLAIN, headers={"Authorization": None}).status, 301, "north's own")
        # Another site that listens there, without being called default: unknown hosts are its own again.
        other = pathlib.Path("/etc/nginx/sites-enabled/other.conf")
        other.write_text("server { listen 80; listen 443 ssl; server_name php.test; ssl_certificate /etc/tradepost/south.crt;"
                         "ssl_certificate_key /etc/tradepost/south.key; return 204; }\n")
        try:
            run("tradepost-instance nginx south")
            expect(not list(default.parent.glob("default-*")), "no default server beside another site")
            equal(north.get("/healthz").status, 200, "north beside another site")
            # nginx 1.22 would make the other site speak it too.
            shared = said("nginx -v 2>&1 | grep -o '[0-9.]*$'").split(".") < ["1", "25", "1"]
            for site, version in (("north.test", "1.1" if shared else "2"), ("php.test", "1.1")):
                ask = f"curl --silent --insecure --http2 --resolve {site}:443:127.0.0.1 --output /dev/null --write-out '%{{http_version}}' https://{site}/"
                wait_until(lambda: said(ask, check=False) == version, f"HTTP {version} of {site}", 20)
        finally:
            other.unlink()
    finally:
        kept.rename(standard)
        run("tradepost-instance nginx north")
    expect(default.with_name("default-443.conf").exists() and not default.exists(), "as before")


def test_the_manuals_and_the_version_are_there_for_this_host():
    page = curl(f"{north.base}/docs/operators/")
    expect("<h1 id=\"operators-manual\">" in page, page[:400])
    for name in ("OPERATORS", "CLUSTER", "MONITORING", "DEALERS", "SECURITY", "CHANGELOG"):
        expect(said(f"zcat -f /usr/share/doc/tradepost/{name}.md*").startswith("# "), name)
    version = said("dpkg-query -W -f '${Version}' tradepost")
    expect(f'tradepost_build_info{{version="{version}",' in curl(f"{north.base}/metrics"), "the version in /metrics")


def test_long_json_is_compressed():
    headers = curl(f"--compressed --dump-header - --output /dev/null {north.base}/api/v1/openapi.yaml").lower()
    expect("content-encoding: gzip" in headers, headers)


def test_the_client_s_address_is_believed_of_configured_proxies_only():
    log = pathlib.Path("/var/log/nginx/tradepost-north.log")

    def seen(id):
        north.get("/healthz", headers={"X-Forwarded-For": "203.0.113.7", "X-Request-Id": id})
        return wait_until(lambda: re.search(rf"(?m)^(\S+) .* id={id}$", log.read_text()), "the log's line")[1]
    equal(seen("untrusted"), "127.0.0.1", "address without a proxy")
    before = north.set("http", "trusted_proxies", '["127.0.0.1", "10.0.0.0/8"]')
    try:
        run("tradepost-instance nginx north")
        wait_until(lambda: seen(f"trusted-{time.monotonic_ns()}") == "203.0.113.7", "the address that the proxy tells")
    finally:
        north.toml.write_text(before)
        run("tradepost-instance nginx north")
    wait_until(lambda: seen(f"again-{time.monotonic_ns()}") == "127.0.0.1", "the address without a proxy again")


def test_the_access_log_has_no_query_on_either_port():
    log = pathlib.Path("/var/log/nginx/tradepost-north.log")
    for base, path, written in ((north.base, "/api/v1/jobs?q=anna.smith%40example.com", "/api/v1/jobs?"), (PLAIN, "/api/v1/jobs?q=anna.smith%40example.com", "/api/v1/jobs?"),
                                (north.base, "/anna.smith%40example.com", "/-"), (PLAIN, "/anna.smith%40example.com", "/-")):
        id = f"logged-{time.monotonic_ns()}"
        north.get(path, base=base, headers={"Authorization": None, "X-Request-Id": id})
        equal(wait_until(lambda: re.search(rf'(?m)"(.*)" .* id={id}$', log.read_text()), "the log's line")[1], f"GET {written} HTTP/1.1", f"{base}{path}")
    expect("anna" not in said("cat /var/log/nginx/tradepost-*.log"), "what was searched for is in a site's access log")


def test_proxies_that_are_no_addresses_are_refused():
    before = north.set("http", "trusted_proxies", '["10.0.0.0/8", "proxy.test"]')
    site = "cat /etc/nginx/tradepost/in-use/north/*.conf"
    files = said(site)
    try:
        done = run("tradepost-instance nginx north", check=False)
        why = "tradepost-instance: [http] trusted_proxies must be addresses or networks: 10.0.0.0/8 proxy.test\n"
        equal((done.returncode, done.stdout, done.stderr), (1, "", why), "what is said")
        equal(run("tradepost-instance upgrade north", check=False).returncode, 1, "exit status of an upgrade")
        equal(said(site), files, "the site")
    finally:
        north.toml.write_text(before)


def test_a_site_that_nginx_refuses_leaves_the_one_before():
    extra = pathlib.Path("/etc/nginx/tradepost/north/extra")
    extra.mkdir(parents=True)
    (extra / "mine.conf").write_text("location = /mine { return 200 '{\"data\":1}'; }\n")
    run("tradepost-instance nginx north")
    wait_until(lambda: north.get("/mine").status == 200, "what the administrator added")
    (extra / "bad.conf").write_text("no such directive;\n")
    done = run("tradepost-instance nginx north", check=False)
    expect(done.returncode == 1 and "nginx cannot use the new configuration; the previous one is in place again" in done.stderr, done.stderr)
    (extra / "bad.conf").unlink()
    run("nginx -t && systemctl reload nginx")
    equal(north.get("/mine").status, 200, "what the administrator added, after a refusal")


def test_a_slow_client_is_let_go():
    # Half a header, and half a body.
    for half in ("GET / HTTP/1.1\r\nHost:", f"POST /api/v1/auth HTTP/1.1\r\nHost: {north.host}\r\nContent-Length: 10\r\n\r\n12345"):
        slow = north.tls().wrap_socket(socket.create_connection((north.host, 443)), server_hostname=north.host)
        slow.sendall(half.encode())
        slow.settimeout(50)
        try:
            while slow.recv(4096):
                pass
        except (ConnectionResetError, ssl.SSLError):
            pass
        finally:
            slow.close()


def test_one_address_has_so_many_requests_at_once():
    # A body that does not come keeps a request open.
    request = f"POST /api/v1/stock HTTP/1.1\r\nHost: {north.host}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n".encode()
    context, held = north.tls(), []
    try:
        for _ in range(400):
            held.append(context.wrap_socket(socket.create_connection((north.host, 443)), server_hostname=north.host))
            held[-1].sendall(request)
            # nginx closes a connection after 15 seconds without a byte of the body.
            if len(held) % 50 == 0:
                for each in held:
                    each.sendall(b" ")

        def refused():
            answer = north.get("/api/v1/jobs")
            return answer if answer.status == 429 else None
        answer = wait_until(refused, "the limit")
        equal(answer.json(), {"error": "Too many requests. Please try again later."}, "body")
        equal(answer.headers["Retry-After"], "1", "Retry-After")
        equal(south.get("/api/v1/jobs").status, 200, "the other instance")
    finally:
        for connection in held:
            connection.close()
    wait_until(lambda: north.get("/api/v1/jobs").status == 200, "north afterwards")


def test_a_certificate_with_an_ocsp_responder_is_stapled():
    folder = pathlib.Path("/tmp/ca")
    folder.mkdir()
    (folder / "openssl.cnf").write_text("[v]\nsubjectAltName=DNS:south.test\nauthorityInfoAccess=OCSP;URI:http://127.0.0.1:8888\n"
                                        "basicConstraints=critical,CA:FALSE\n")
    run("""cd /tmp/ca
        openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=CA -keyout ca.key -out ca.crt
        openssl req -newkey rsa:2048 -nodes -subj /CN=south.test -keyout south.key -out south.csr
        openssl x509 -req -in south.csr -CA ca.crt -CAkey ca.key -set_serial 4096 -days 2 -extfile openssl.cnf -extensions v -out south.crt
        printf 'V\\t%s\\t\\t1000\\tunknown\\t/CN=south.test\\n' "$(date -u -d +1day +%y%m%d%H%M%SZ)" >index.txt
        mkdir before; cp -a /etc/tradepost/south.* before/
        cat south.crt ca.crt >/etc/tradepost/south.crt
        cp south.key /etc/tradepost/south.key""")
    responder = subprocess.Popen("exec openssl ocsp -index index.txt -port 8888 -rsigner ca.crt -rkey ca.key -CA ca.crt -ndays 1", shell=True,
                                 cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        run("tradepost-instance nginx south")
        # The first handshake makes nginx ask.
        wait_until(lambda: "OCSP Response Status: successful" in said(
            "openssl s_client -connect south.test:443 -servername south.test -status </dev/null 2>&1", check=False), "a stapled answer")
    finally:
        responder.terminate()
        responder.wait()
        run("cp -a /tmp/ca/before/south.crt /tmp/ca/before/south.key /etc/tradepost/ && tradepost-instance nginx south")


def test_testssl_finds_nothing_above_low():
    report = pathlib.Path("/tmp/testssl.json")
    run(f"testssl --quiet --color 0 --warnings off --add-ca /etc/tradepost/north.crt --jsonfile {report} -p -s -f -P -S -h -U --ip 127.0.0.1 {north.host}:443",
        check=False, timeout=600)
    (host.RESULTS / "testssl.json").write_text(report.read_text())
    findings = json.loads(report.read_text())
    expect(len(findings) > 30, f"testssl looked at {len(findings)} things")
    # Of a certificate that no authority made, and that is here alone. (WARN is what testssl could not look at.)
    own = re.compile("cert_(chain_of_trust|trust|revocation|expirationStatus|extlifeSpan|validityPeriod)|OCSP|certificate_transparency|DNS_CAA|cert_crl")
    found = [f for f in findings if f["severity"] in ("MEDIUM", "HIGH", "CRITICAL", "FATAL") and not own.match(f["id"])]
    # A later testssl may rate by other rules, and find less serious faults in what was well before.
    moves = [f for f in found if f["severity"] == "MEDIUM" or re.match("overall_grade|grade_|rating_|final_score", f["id"])]
    for f in moves:
        print(f"WARNING testssl: {f['id']}: {f['finding']}")
    bad = [f"{f['id']}: {f['finding']}" for f in found if f not in moves]
    expect(not bad, "; ".join(bad))


def test_a_load_balancer_asks_for_health_without_a_name():
    """At a port that one instance has alone; elsewhere nobody knows which is meant."""
    before = north.set("http", "listen", '["127.0.0.2:8443"]')
    try:
        run("tradepost-instance nginx north")
        ask = "curl --silent --insecure --max-time 10 --header 'Host: 10.0.0.1'"
        wait_until(lambda: run(f"{ask} --resolve north.test:8443:127.0.0.2 https://north.test:8443/healthz", check=False).stdout == '{"data":{"status":"ok"}}',
                   "health by another Host", 20)
        equal(said(f"{ask} --resolve north.test:8443:127.0.0.2 https://north.test:8443/api/v1/jobs"), '{"error":"Misdirected request"}', "a list")
    finally:
        north.toml.write_text(before)
        run("tradepost-instance nginx north")


def test_a_monitoring_host_reads_the_figures():
    ask = "curl --silent --cacert /etc/tradepost/north.crt --interface 127.0.0.7 --output /dev/null --write-out '%{http_code}' https://north.test/metrics"
    equal(said(ask), "403", "another address")
    before = north.set("http", "metrics_from", '["127.0.0.7"]')
    try:
        run("tradepost-instance nginx north")
        wait_until(lambda: all(said(ask, check=False) == "200" for _ in range(20)), "the figures", 20)
        equal(said(ask.replace("127.0.0.7", "127.0.0.8")), "403", "a third address")
        # The monitoring host may have a proxy of its own; a client of one on this host may not.
        equal(said(ask.replace("--silent", "--silent --header 'Via: 1.1 x'")), "200", "forwarded by it")
        equal(said(ask.replace("--silent", "--silent --header 'Via: 1.1 x'").replace("127.0.0.7", "127.0.0.1")), "403", "forwarded on this host")
    finally:
        north.toml.write_text(before)
        run("tradepost-instance nginx north")


def test_no_stranger_reads_the_log_of_requests():
    for instance in (north, south):
        equal(said(f"stat -c '%a %U %G' /var/log/nginx/tradepost-{instance.name}.log"), "640 www-data adm", "mode of nginx's log")


def closed(command, state):
    return said(f"tradepost-instance {command} north {state}").strip()


def test_maintenance_answers_everybody_with_503():
    equal(closed("maintenance", "on"), "north is in maintenance", "what it says")
    try:
        # The workers that nginx had before the reload still answer for a moment.
        wait_until(lambda: all(north.get("/api/v1/jobs").status == 503 for _ in range(20)), "maintenance", 20)
        for method, path in (("GET", "/api/v1/jobs"), ("GET", "/readyz"), ("POST", "/api/v1/auth"), ("GET", "/docs/"), ("GET", "/uploads/x")):
            answer = north.call(method, path, {} if method == "POST" else None)
            equal((answer.status, answer.json()), (503, {"error": "Service unavailable"}), f"{method} {path}")
            equal((answer.headers["Retry-After"], answer.headers["Content-Type"]), ("60", "application/json; charset=utf-8"), path)
        problem = north.get("/api/v1/jobs", headers={"Accept": "application/problem+json"})
        equal((problem.status, problem.json()["code"], problem.headers["Retry-After"]), (503, "service_unavailable", "60"), "a problem")
        for method, path in (("GET", "/dashboard/"), ("POST", "/dashboard/api/session"), ("GET", "/")):
            page = north.call(method, path, {} if method == "POST" else None, {"Accept": "text/html,*/*;q=0.8"})
            equal((page.status, page.headers["Content-Type"], page.headers["Retry-After"]), (503, "text/html; charset=utf-8", "60"), path)
            equal((page.headers["Cache-Control"], b"Maintenance" in page.body), ("no-store", True), path)
        equal(north.get("/healthz").status, 200, "the processes")
        equal(north.get("/metrics").status, 200, "the figures")
        equal(south.get("/api/v1/jobs").status, 200, "the other instance")
        # It stays when the sites are written anew.
        run("tradepost-instance nginx")
        equal(north.get("/api/v1/jobs").status, 503, "after another change")
    finally:
        equal(closed("maintenance", "off"), "north is open", "what it says")
    wait_until(lambda: north.get("/api/v1/jobs").status == 200, "the end", 20)


def test_a_read_only_instance_refuses_writes():
    equal(closed("read-only", "on"), "north is read-only", "what it says")
    try:
        write = lambda: north.call("POST", "/api/v1/stock", {"title": "Van"}).status
        wait_until(lambda: all(write() == 503 for _ in range(20)), "read-only", 20)
        for method, path in (("PATCH", "/api/v1/accounts"), ("PUT", "/api/v1/stock/feed"), ("DELETE", "/api/v1/stock/x"), ("PUT", "/dashboard/api/password"),
                             ("POST", "/api/v1/uploads"), ("PUT", "/upload/" + "a" * 64), ("POST", "/unsubscribe/x")):
            answer = north.call(method, path, {})
            equal((answer.status, answer.json(), answer.headers["Retry-After"]), (503, {"error": "Service unavailable"}, "60"), f"{method} {path}")
        for path in ("/api/v1/jobs", "/api/v1/events", "/dashboard/", "/docs/", "/readyz"):
            equal(north.get(path).status, 200, path)
        equal(north.call("OPTIONS", "/api/v1/jobs").status, 200, "what is allowed")
        # A wrong password is looked at.
        equal(north.call("POST", "/api/v1/auth", {"email": "a@b.example", "password": "wrong horse battery"}, {"Authorization": None}).status, 401, "signing in")
        equal(closed("maintenance", "on"), "north is in maintenance", "both")
        equal(closed("maintenance", "off"), "north is read-only", "the one that is left")
    finally:
        equal(closed("read-only", "off"), "north is open", "what it says")
    wait_until(lambda: write() != 503, "the end", 20)
    equal(run("tradepost-instance maintenance north maybe", check=False).returncode, 2, "another word")
    equal(run("tradepost-instance read-only east on", check=False).returncode, 1, "no such instance")
