"""Letters through a real SMTP server: their headers and both parts, what an operator is told of one that cannot be used, and that the links in
them work."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
# pylint: disable=wrong-import-position
from cases import Tally  # noqa: E402
from isolated import with_system_certificate  # noqa: E402
from server import PASSWORD, Server  # noqa: E402
from stack import Stack  # noqa: E402
from waiting import limit, wait_for  # noqa: E402

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
FOLDER = tempfile.mkdtemp(prefix="tradepost-mail.")
UUID = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"


def write(name, text):
    with open(f"{FOLDER}/{name}", "w", encoding="utf-8") as file:
        file.write(text)
    return f"{FOLDER}/{name}"


def settings(server, **changes):
    values = {"smtp": f"smtp://localhost:{server.port}", "from": "Größe & Söhne <post@trade.example>", "user": "post",
              "password_file": f"{FOLDER}/secret", "tls": "required", "tls_ca": server.certificate, **changes}
    return "[mail]\n" + "".join(f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in values.items() if value is not None)


def control(config, *arguments, isolate=lambda command: command):
    return subprocess.run(isolate([f"{BUILD}/tradepostctl", "--config", config, *arguments]), text=True, capture_output=True, check=False)


def a_letter_has_its_headers_and_both_parts(server):
    done = control(write("shop.toml", settings(server)), "mail", "test", "--to", "ada@dealer.example")
    assert (done.returncode, done.stdout) == (0, "sent to ada@dealer.example\n"), done
    letter = server.letter("ada@dealer.example", 1)
    message = letter.message
    assert letter.sender == "post@trade.example" and letter.receivers == ["ada@dealer.example"]
    assert message.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in message.iter_parts()] == ["text/plain", "text/html"]
    assert message["From"] == "Größe & Söhne <post@trade.example>", message["From"]
    assert message["To"] == "ada@dealer.example" and message["Subject"] == "A test from Größe & Söhne"
    assert re.fullmatch(f"<{UUID}@trade.example>", message["Message-ID"]), message["Message-ID"]
    assert message["Auto-Submitted"] == "auto-generated" and message["Date"].datetime.tzinfo and message["Mime-Version"] == "1.0"
    assert letter.part("text/plain") == "This letter shows that Größe & Söhne can send mail.\n\nNobody needs to do anything.\n"
    assert "<p>This letter shows that Größe &amp; Söhne can send mail.</p>" in letter.part("text/html")
    head = letter.raw.split(b"\r\n\r\n")[0]
    assert head.isascii() and max(len(line) for line in head.split(b"\r\n")) <= 100, head


def own_template(server, text):
    """The configuration of an operator with a template of their own."""
    os.makedirs(f"{FOLDER}/own.mail", exist_ok=True)
    write("own.mail/test.txt", text)
    return write("own.toml", settings(server))


def an_operators_template_wins(server):
    config = own_template(server, "Mine\n\n.\nA line with a single dot, from {{service}}\n")
    assert control(config, "mail", "test", "--to", "ada@dealer.example").returncode == 0
    letter = server.letter("ada@dealer.example", 1)
    assert letter.message["Subject"] == "Mine" and letter.part("text/plain").startswith(".\nA line with"), letter.raw
    done = control(own_template(server, "Mine\n\n{{nobody}}\n"), "mail", "test", "--to", "ada@dealer.example")
    assert done.returncode == 1 and "own.mail/test.txt: this letter has no {{nobody}}; correct the name" in done.stderr, done


def what_is_wrong_is_told(server):
    def failure(**changes):
        done = control(write("bad.toml", settings(server, **changes)), "mail", "test", "--to", "ada@dealer.example")
        assert done.returncode == 1 and done.stderr.count("\n") == 1, done
        return done.stderr

    write("wrong", "another\n")
    assert "correct user and password_file of [mail]" in failure(password_file=f"{FOLDER}/wrong")
    assert "or name the CA's with [mail] tls_ca" in failure(tls_ca=None)
    assert f"{FOLDER}/none: cannot be read" in failure(password_file=f"{FOLDER}/none")
    assert "start the server, or correct [mail] smtp" in failure(smtp="smtp://localhost:9")
    assert failure(password_file=f"{FOLDER}/wrong").endswith(
        "the mail server did not take the letter: AUTH: 535 5.7.8 Authentication credentials invalid; correct user and password_file of [mail]\n")
    server.refuse = "550 5.7.1 sender rejected"
    assert failure().endswith("the mail server did not take the letter: RCPT: 550 5.7.1 sender rejected\n")
    for sender in ("Tradepost a@b.example", "a@b.example, c@d.example"):
        line = failure(**{"from": sender})
        assert line.endswith('bad.toml:3: mail.from must be one address, as "post@your.example" or "Name <post@your.example>"\n'), line
    server.refuse = None
    assert not server.letters
    done = control(write("none.toml", ""), "mail", "test", "--to", "ada@dealer.example")
    assert done.returncode == 1 and "set smtp and from of [mail]" in done.stderr, done
    done = control(write("shop.toml", settings(server)), "mail", "test", "--to", "ada@dealer.example>\r\nRCPT TO:<eve@dealer.example")
    assert done.returncode == 2 and not server.letters, done


def only_the_named_ca_is_trusted(server):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=Another CA", "-keyout",
                    f"{FOLDER}/another.key", "-out", f"{FOLDER}/another.pem"], check=True, capture_output=True)

    def send(config):
        return control(config, "mail", "test", "--to", "ada@dealer.example",
                       isolate=lambda command: with_system_certificate(FOLDER, server.certificate, command))

    done = send(write("another.toml", settings(server, tls_ca=f"{FOLDER}/another.pem")))
    assert done.returncode == 1 and "name the CA's with [mail] tls_ca" in done.stderr and not server.letters, done
    assert send(write("system.toml", settings(server, tls_ca=None))).returncode == 0
    server.letter("ada@dealer.example", 1)


def a_server_without_tls_gets_no_letter_that_needs_it(_server):
    plain = Server(FOLDER, tls=False).start()
    try:
        open_settings = settings(plain, user=None, password_file=None, tls=None, tls_ca=None)
        assert control(write("plain.toml", open_settings), "mail", "test", "--to", "ada@dealer.example").returncode == 0
        plain.letter("ada@dealer.example", 1)
        strict = write("strict.toml", settings(plain))
        done = control(strict, "mail", "test", "--to", "ada@dealer.example")
        assert done.returncode == 1 and "the server offers no TLS" in done.stderr and not plain.letters, done
    finally:
        plain.stop()


def addresses_go_out_in_ascii(server):
    config = write("international.toml", settings(server, **{"from": "Shop <post@bücher.example>"}))
    for written, sent in (("ada@müller.example", "ada@xn--mller-kva.example"), (" a..b@docomo.ne.jp ", '"a..b"@docomo.ne.jp'),
                          ("a(b)@ｍüller。example", '"a(b)"@xn--mller-kva.example')):
        done = control(config, "mail", "test", "--to", written)
        assert (done.returncode, done.stdout) == (0, f"sent to {written.strip()}\n"), done
        letter = server.letter(sent, 1)
        assert (letter.sender, letter.receivers, letter.smtputf8) == ("post@xn--bcher-kva.example", [sent], False), letter.raw
        assert (letter.header("To"), letter.header("From")) == (sent, "Shop <post@xn--bcher-kva.example>"), letter.raw
        assert re.fullmatch(f"<{UUID}@xn--bcher-kva.example>", letter.header("Message-ID")), letter.raw
    done = control(config, "mail", "test", "--to", "ada@☕.example")
    assert done.returncode == 2 and "is no email address" in done.stderr and not server.letters, done


def other_characters_before_the_at_need_smtputf8(server):
    done = control(write("shop.toml", settings(server)), "mail", "test", "--to", "jürgen@müller.example")
    assert done.returncode == 0, done
    letter = server.letter("jürgen@xn--mller-kva.example", 1)
    assert letter.smtputf8 and letter.header("To") == "jürgen@xn--mller-kva.example", letter.raw

    refusal = ("the receiver's address has other characters than ASCII before the @, and the mail server does not offer SMTPUTF8: enable it "
               "there, or name another server in [mail] smtp")
    plain = Server(FOLDER, tls=False, smtputf8=False).start()
    stack = Stack(f"{FOLDER}/utf8", f'[mail]\nsmtp = "smtp://localhost:{plain.port}"\nfrom = "Shop <post@trade.example>"\n')
    try:
        done = control(f"{stack.state}/tradepost.toml", "mail", "test", "--to", "jürgen@müller.example")
        assert (done.returncode, done.stderr.count("\n")) == (1, 1) and done.stderr.endswith(f": {refusal}\n") and not plain.letters, done

        stack.control("org", "add", "--name", "Birch", "--slug", "birch", "--published")
        for email in ("bea@dealer.example", "björn@dealer.example"):
            stack.add_user(email, "Bea Birch", "correct horse battery")
            stack.control("org", "add-member", "--org", "birch", "--email", email, "--role", "ADMIN")
        stack.add_user("sam@buyer.example", "Sam Solo", "correct horse battery")
        bearer = {"Authorization": "Bearer " + stack.token("bea@dealer.example", "correct horse battery")}
        organisation = stack.send("GET", "/api/v1/accounts", headers=bearer)[2]["id"]
        sender = {"Authorization": "Bearer " + stack.token("sam@buyer.example", "correct horse battery")}

        def enquire(email):
            body = {"organisationId": organisation, "name": "Jürgen", "email": email, "message": "Is it there?"}
            status, _, enquiry = stack.send("POST", "/api/v1/enquiries", body, sender)
            assert status == 201 and enquiry["email"] == email.strip(), enquiry

        def dead():
            return json.loads(stack.control("outbox", "list", "--json", "--state", "dead"))

        # Nobody can reply to a letter whose Reply-To the server cannot take, so it stands in the text.
        enquire("jürgen@müller.example")
        letter = plain.letter("bea@dealer.example")
        assert letter.header("Reply-To") is None and not letter.smtputf8 and "Email: jürgen@müller.example\n" in letter.part("text/plain"), letter.raw
        assert "jürgen@müller.example" in letter.part("text/html") and letter.raw.isascii(), letter.raw
        enquire(" a..b@bücher.example")
        letter = plain.letter("bea@dealer.example")
        assert letter.header("Reply-To") == '=?UTF-8?Q?J=C3=BCrgen?= <"a..b"@xn--bcher-kva.example>', letter.raw
        # A receiver's address that it cannot take is told to the operator once.
        end = time.monotonic() + limit(120)
        while len(dead()) < 2:
            assert time.monotonic() < end, dead()
            time.sleep(0.1)
        assert {(each["kind"], each["attempts"], each["result"]) for each in dead()} == {("mail enquiry", 1, refusal)}, dead()
        with open(f"{stack.state}/log/deliver.log", encoding="utf-8") as log:
            lines = [line for line in log if "undeliverable" in line]
        assert len(lines) == 2 and all(f'why="{refusal}"' in line and "björn" not in line for line in lines), lines

        # The operator enables it.
        plain.stop()
        capable = Server(FOLDER, port=plain.port, tls=False).start()
        try:
            stack.control("outbox", "retry", "--state", "dead")
            for reply_to in ("jürgen@xn--mller-kva.example", '"a..b"@xn--bcher-kva.example'):
                letter = capable.letter("björn@dealer.example")
                assert letter.smtputf8 and letter.header("Reply-To") == f"=?UTF-8?Q?J=C3=BCrgen?= <{reply_to}>", letter.raw
            # libcurl would ask for SMTPUTF8 for the receiver's address alone.
            enquire("jürgen@müller.example")
            letter = capable.letter("bea@dealer.example")
            assert letter.smtputf8 and letter.header("Reply-To") == "=?UTF-8?Q?J=C3=BCrgen?= <jürgen@xn--mller-kva.example>", letter.raw
            capable.letter("björn@dealer.example")
        finally:
            capable.stop()
    finally:
        stack.manage("down")


def doctor_tries_the_server_and_sends_nothing(server):
    def check(config):
        lines = control(config, "doctor", "--no-web").stdout.splitlines()
        return [line for line in lines if re.search("mail server|templates of mail", line)]

    lines = check(write("shop.toml", settings(server)))
    assert lines == ["ok   mail server takes this instance's letters"], lines
    assert not server.letters
    write("wrong", "another\n")
    (line,) = check(write("bad.toml", settings(server, password_file=f"{FOLDER}/wrong")))
    assert line.startswith("FAIL mail server takes this instance's letters: ") and "correct user" in line, line
    assert any("own.mail/test.txt" in line for line in check(own_template(server, "Mine\n\n{{nobody}}\n")))
    assert not check(write("none.toml", ""))


def a_new_password_by_a_letter(server):
    write("secret", "another\n")  # first it fails, for a reason that an operator can mend
    stack = Stack(f"{FOLDER}/stack", settings(server))
    try:
        stack.add_user("ada@dealer.example", "Ada <b> Ashford", "correct horse battery")
        for address in ("nobody@dealer.example", "ADA@dealer.example"):
            status, headers, data = stack.send("POST", "/dashboard/api/reset", {"email": address})
            assert (status, data, headers["Cache-Control"]) == (200, {}, "no-store")
        refusal = "the mail server did not take the letter: AUTH: 535 5.7.8 Authentication credentials invalid; correct user and password_file of [mail]"
        listed = lambda: json.loads(stack.control("outbox", "list", "--json", "--kind", "mail reset"))
        assert wait_for(lambda: any(each["result"] == refusal for each in listed())), listed()
        with open(f"{stack.state}/log/deliver.log", encoding="utf-8") as log:
            assert f'why="{refusal}"' in log.read()
        write("secret", PASSWORD.decode() + "\n")
        letter = server.letter("ada@dealer.example")
        assert letter.message["Subject"] == "Your new password for Größe & Söhne" and letter.message["To"] == '"Ada <b> Ashford" <ada@dealer.example>'
        (link,) = re.findall(r"https://\S+", letter.part("text/plain"))
        token = re.fullmatch(re.escape(stack.site) + "/dashboard/#/reset/([0-9a-f]{64})", link).group(1)
        html = letter.part("text/html")
        assert f'<a href="{link}">' in html and "Hello Ada &lt;b&gt; Ashford" in html, html

        assert stack.send("PUT", f"/dashboard/api/reset/{token}", {"password": "entirely different"})[::2] == (200, {})
        assert stack.token("ada@dealer.example", "correct horse battery") is None
        assert stack.token("ada@dealer.example", "entirely different")
        assert stack.send("PUT", f"/dashboard/api/reset/{token}", {"password": "correct horse battery"})[::2] == (404, "Not found")

        # No more than three letters: the fourth request says the same.
        for number in range(4):
            assert stack.send("POST", "/dashboard/api/reset", {"email": "ada@dealer.example"})[::2] == (200, {})
            if number < 3:
                server.letter("ada@dealer.example")
        for folder, _, files in os.walk(f"{stack.state}/log"):
            for name in files:
                with open(f"{folder}/{name}", encoding="utf-8", errors="replace") as file:
                    assert token not in file.read(), name
        assert not server.letters
        assert letters_in_the_audit_log(stack, 4) == ["reset"] * 4
    finally:
        stack.manage("down")


def letters_in_the_audit_log(stack, number):
    """Their details, once there are so many: a letter is recorded after it was sent."""
    details = lambda: [entry["detail"] for entry in json.loads(stack.control("audit", "--event", "letter_sent", "--json"))]
    wait_for(lambda: len(details()) >= number)
    return details()


def an_invitation_by_a_letter(server):
    stack = Stack(f"{FOLDER}/invited", settings(server))
    try:
        stack.add_user("ada@dealer.example", "Ada Ashford", "correct horse battery")
        stack.control("org", "add", "--name", "Ashford & Co", "--slug", "ashford", "--published")
        stack.control("org", "add-member", "--org", "ashford", "--email", "ada@dealer.example", "--role", "ADMIN")
        bearer = {"Authorization": "Bearer " + stack.token("ada@dealer.example", "correct horse battery")}

        def invite(role):
            status, _, data = stack.send("POST", "/api/v1/accounts/invitations", {"email": "max@dealer.example", "role": role}, bearer)
            assert status == 201, data
            letter = server.letter("max@dealer.example")
            assert letter.message["Subject"] == "Ada Ashford invites you to Ashford & Co on Größe & Söhne", letter.message["Subject"]
            (link,) = re.findall(r"https://\S+", letter.part("text/plain"))
            assert f'<a href="{link}">' in letter.part("text/html") and "Ashford &amp; Co" in letter.part("text/html")
            return re.fullmatch(re.escape(stack.site) + "/dashboard/#/invitation/([0-9a-f]{64})", link).group(1)

        first = invite("MEMBER")
        # A repeated one has to wait, and sends nothing.
        again = {"email": "max@dealer.example", "role": "ADMIN"}
        status, headers, data = stack.send("POST", "/api/v1/accounts/invitations", again, bearer)
        assert (status, data) == (429, "Too many requests. Please try again later.") and 1 <= int(headers["Retry-After"]) <= 600, (data, headers)
        stack.execute("UPDATE letter_limits SET last_at = last_at - INTERVAL 1 HOUR")
        second = invite("ADMIN")
        # The later letter's link replaces the first one's.
        assert stack.send("GET", f"/dashboard/api/invitation/{first}")[::2] == (404, "Not found")
        status, _, data = stack.send("GET", f"/dashboard/api/invitation/{second}")
        assert status == 200 and (data["organisation"]["name"], data["email"], data["role"], data["account"]) == (
            "Ashford & Co", "max@dealer.example", "ADMIN", False), data
        accepted = {"name": "Max Mechanic", "password": "entirely different"}
        assert stack.send("POST", f"/dashboard/api/invitation/{second}", accepted)[0] == 200
        assert stack.send("POST", f"/dashboard/api/invitation/{second}", accepted)[::2] == (404, "Not found")
        max_bearer = {"Authorization": "Bearer " + stack.token("max@dealer.example", "entirely different")}
        status, _, data = stack.send("GET", "/api/v1/accounts/members", headers=max_bearer)
        assert [(each["name"], each["role"]) for each in data["members"]] == [("Ada Ashford", "ADMIN"), ("Max Mechanic", "ADMIN")], data
        assert letters_in_the_audit_log(stack, 2) == ["invitation"] * 2
    finally:
        stack.manage("down")


def another_address_by_a_letter(server):
    stack = Stack(f"{FOLDER}/address", settings(server))
    try:
        for email, name in (("ada@dealer.example", "Ada <b> Ashford"), ("max@dealer.example", "Max Mechanic")):
            stack.add_user(email, name, "correct horse battery")

        def sign_in(email):
            status, headers, data = stack.send("POST", "/dashboard/api/session", {"email": email, "password": "correct horse battery"})
            assert status == 201, data
            return {"Cookie": headers["Set-Cookie"].split(";")[0], "X-CSRF-Token": data["csrfToken"]}

        session, other = sign_in("ada@dealer.example"), sign_in("ada@dealer.example")

        def ask(email):
            status, _, data = stack.send("POST", "/dashboard/api/email", {"email": email}, session)
            assert (status, data["newEmail"]) == (200, email), data
            warning = server.letter("ada@dealer.example")
            assert warning.message["Subject"] == "Your email address for Größe & Söhne is about to change", warning.message["Subject"]
            for part in ("text/plain", "text/html"):
                text = warning.part(part)
                assert email in text and f"{stack.site}/dashboard/forgot" in text and "/#/" not in text, text
            assert "Hello Ada &lt;b&gt; Ashford" in warning.part("text/html")
            return server.letter(email)

        # Somebody has it: the letter gives no link, and names nobody.
        letter = ask("MAX@dealer.example")
        assert letter.message["Subject"] == "You have an account at Größe & Söhne already" and letter.message["To"] == "MAX@dealer.example"
        for part in ("text/plain", "text/html"):
            assert "Ada" not in letter.part(part) and "/#/" not in letter.part(part) and f"{stack.site}/dashboard/sign-in" in letter.part(part)

        def token_of(letter):
            assert letter.message["Subject"] == "Your new email address for Größe & Söhne" and letter.receivers == ["ada@new.example"]
            (link,) = re.findall(r"https://\S+", letter.part("text/plain"))
            html = letter.part("text/html")
            assert f'<a href="{link}">' in html and "Hello Ada &lt;b&gt; Ashford" in html and "ada@dealer.example" in html, html
            return re.fullmatch(re.escape(stack.site) + "/dashboard/#/email/([0-9a-f]{64})", link).group(1)

        # The later letter's link replaces the first one's.
        first, second = token_of(ask("ada@new.example")), token_of(ask("ada@new.example"))
        assert stack.send("POST", f"/dashboard/api/email/{first}", headers=session)[::2] == (404, "Not found")
        assert stack.send("POST", f"/dashboard/api/email/{second}", headers=sign_in("max@dealer.example"))[::2] == (404, "Not found")
        status, _, data = stack.send("POST", f"/dashboard/api/email/{second}", headers=session)
        assert (status, data["email"]) == (200, "ada@new.example"), data
        assert stack.send("POST", f"/dashboard/api/email/{second}", headers=session)[::2] == (404, "Not found")
        assert stack.token("ada@dealer.example", "correct horse battery") is None
        assert stack.token("ada@new.example", "correct horse battery")
        assert stack.send("GET", "/dashboard/api/session", headers=session)[0] == 200
        assert stack.send("GET", "/dashboard/api/session", headers=other)[0] == 401
        for folder, _, files in os.walk(f"{stack.state}/log"):
            for name in files:
                with open(f"{folder}/{name}", encoding="utf-8", errors="replace") as file:
                    assert second not in file.read(), name
        assert not server.letters
        assert letters_in_the_audit_log(stack, 2) == ["email change"] * 2
    finally:
        stack.manage("down")


def tokens_by_letters(server):
    stack = Stack(f"{FOLDER}/tokens", settings(server))
    try:
        stack.add_user("ada@dealer.example", "Ada <b> Ashford", "correct horse battery")
        stack.control("org", "add", "--name", "Ashford & Co", "--slug", "ashford", "--published")
        stack.control("org", "add-member", "--org", "ashford", "--email", "ada@dealer.example", "--role", "ADMIN")

        def mint(name):
            return json.loads(stack.control("token", "mint", "--email", "ada@dealer.example", "--name", name, "--json"))["token"]

        def hashed(token):
            return f"UNHEX(SHA2('{token}', 256))"

        def letter(subject, name, *texts, page="settings/tokens"):
            found = server.letter("ada@dealer.example")
            assert found.message["Subject"] == subject, found.message["Subject"]
            text, html = (" ".join(found.part(part).split()) for part in ("text/plain", "text/html"))
            link = f"{stack.site}/dashboard/{page}"
            assert f'"{name}"' in text and link in text.split() and f'<a href="{link}">' in html, (text, html)
            assert f"“{name.replace('<', '&lt;').replace('>', '&gt;')}”" in html and "Hello Ada &lt;b&gt; Ashford" in html, html
            for wanted in texts:
                assert wanted in text and wanted in html, (wanted, text, html)

        # Twice, of a token that was used of late: as soon as it ends within 14 days, and within 3.
        kept, unused = mint("Night <i> feed"), mint("Unused")
        assert stack.send("GET", "/api/v1/me", headers={"Authorization": f"Bearer {kept}"})[0] == 200
        end = time.monotonic() + limit(60)
        while not int(stack.execute(f"SELECT COUNT(*) FROM api_tokens WHERE hash = {hashed(kept)} AND last_used_at IS NOT NULL")):
            assert time.monotonic() < end, "the use of a token is not written"
            time.sleep(0.1)
        for days in (13, 2):
            stack.execute(f"UPDATE api_tokens SET expires_at = UTC_TIMESTAMP(3) + INTERVAL {days} DAY WHERE hash IN ({hashed(kept)}, {hashed(unused)})")
            ends = stack.execute(f"SELECT DATE(expires_at) FROM api_tokens WHERE hash = {hashed(kept)}").strip()
            stack.control("prune")
            letter(f"A token of Größe & Söhne ends on {ends}", "Night <i> feed", f"{stack.site}/docs/")
            stack.control("prune")
        # Once, of one that somebody could have read.
        for _ in range(2):
            assert stack.send("GET", f"/api/v1/jobs?limit=1&token={kept}")[0] in (200, 401)
        letter("A token of Größe & Söhne was revoked", "Night <i> feed", "because somebody sent it in an address")
        assert stack.send("GET", "/api/v1/me", headers={"Authorization": f"Bearer {kept}"})[::2] == (401, "Unauthorized")
        for folder, _, files in os.walk(f"{stack.state}/log"):
            for name in files:
                with open(f"{folder}/{name}", encoding="utf-8", errors="replace") as file:
                    assert kept not in file.read(), name
        # An integration has no address: the ADMINs of its organisation read its letters.
        bearer = {"Authorization": "Bearer " + mint("Mine")}
        status, _, program = stack.send("POST", "/api/v1/accounts/integrations", {"name": "DMS"}, bearer)
        assert status == 201, program
        status, _, minted = stack.send("POST", f"/api/v1/accounts/integrations/{program['id']}/tokens", {"name": "Nightly"}, bearer)
        assert status == 201, minted
        assert stack.send("GET", f"/api/v1/{minted['token']}")[::2] == (401, "Unauthorized")
        letter("A token of Größe & Söhne was revoked", "Nightly", "of the program DMS, because somebody sent it in an address", page="o/ashford/integrations")
        waiting = json.loads(stack.control("outbox", "list", "--json", "--kind", "mail token", "--state", "waiting"))
        assert not waiting and not server.letters, waiting
    finally:
        stack.manage("down")


def enquiries_by_letters(server):
    stack = Stack(f"{FOLDER}/enquiries", settings(server, digest_hour=(time.gmtime().tm_hour + 12) % 24))
    try:
        stack.control("org", "add", "--name", "Ashford <b> & Co", "--slug", "ashford", "--published")
        for email, name, role in (("ada@dealer.example", "Ada Ashford", "ADMIN"), ("max@dealer.example", "Max Mechanic", "MEMBER")):
            stack.add_user(email, name, "correct horse battery")
            stack.control("org", "add-member", "--org", "ashford", "--email", email, "--role", role)
        stack.add_user("sam@buyer.example", "Sam Solo", "correct horse battery")
        bearer = {email: {"Authorization": "Bearer " + stack.token(email, "correct horse battery")}
                  for email in ("ada@dealer.example", "max@dealer.example", "sam@buyer.example")}
        status, _, data = stack.send("PATCH", "/api/v1/accounts/letters", {"enquiryMail": "DAILY"}, bearer["max@dealer.example"])
        assert (status, data) == (200, {"enquiryMail": "DAILY"}), data
        organisation = stack.send("GET", "/api/v1/accounts", headers=bearer["ada@dealer.example"])[2]["id"]

        def enquire(**changes):
            body = {"organisationId": organisation, "name": "Sam Sölo", "email": "sam@buyer.example", "message": "Is it there?", **changes}
            status, _, data = stack.send("POST", "/api/v1/enquiries", body, bearer["sam@buyer.example"])
            assert status == 201, data
            return data["id"]

        # What a stranger writes begins no header and no element.
        hostile = 'Eve\r\nBcc: all@dealer.example\r\n\r\n<script>alert(1)</script>'
        enquiry = enquire(name=hostile, message="<a href=x>\r\n.\r\nQUIT\r\n{{name}}", phone="<i>1</i>")
        letter = server.letter("ada@dealer.example")
        assert letter.receivers == ["ada@dealer.example"] and letter.message["Bcc"] is None, letter.raw
        assert letter.message["Subject"].startswith("Eve") and letter.message["Subject"].endswith("writes to Ashford <b> & Co"), letter.message["Subject"]
        assert letter.message["Reply-To"].endswith("<sam@buyer.example>"), letter.message["Reply-To"]
        html, text = letter.part("text/html"), letter.part("text/plain")
        assert "<script" not in html and "<a href=x>" not in html and "<i>" not in html and "&lt;script&gt;" in html and "{{name}}" in html, html
        assert "Ashford &lt;b&gt; &amp; Co" in html and "<a href=x>" in text and "{{name}}" in text, text
        link = f"{stack.site}/dashboard/o/ashford/enquiries/{enquiry}"
        assert f'<a href="{link}">' in html and link in text.split(), text

        # RFC 8058: opening the link changes nothing, one POST without a sign-in does.
        (unsubscribe,) = re.findall(r"^<(https://.*)>$", letter.message["List-Unsubscribe"])
        assert letter.message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        path = unsubscribe.removeprefix(stack.site)
        status, headers, page = stack.page("GET", path)
        assert status == 200 and headers["Content-Type"] == "text/html; charset=utf-8" and '<form method="post">' in page, page
        assert headers.get_all("Content-Security-Policy") == ["default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"], headers
        assert "Ashford &lt;b&gt; &amp; Co" in page and "ada@" not in page, page
        enquire()
        letter = server.letter("ada@dealer.example")
        assert letter.message["Subject"] == "Sam Sölo writes to Ashford <b> & Co" and letter.message["Reply-To"] == "Sam Sölo <sam@buyer.example>", letter.raw
        for _ in range(2):
            assert stack.page("POST", path, b"List-Unsubscribe=One-Click")[0] == 200
        assert stack.send("GET", "/api/v1/accounts/letters", headers=bearer["ada@dealer.example"])[2] == {"enquiryMail": "NONE"}
        assert stack.send("POST", path[:-5] + "AAAAA")[::2] == (404, "Not found")
        for folder, _, files in os.walk(f"{stack.state}/log"):
            for name in files:
                with open(f"{folder}/{name}", encoding="utf-8", errors="replace") as log:
                    assert path.split("/")[-1] not in log.read(), "the link stands in " + name
        enquire(name="Third", email=None)
        assert not server.letters

        # Max gets one letter about all three when the hour has come, and another one about what comes later.
        def digest():
            stack.execute("UPDATE outbox_messages SET not_before = UTC_TIMESTAMP(3) WHERE kind = 'mail digest'")
            return server.letter("max@dealer.example")

        letter = digest()
        assert letter.message["Subject"] == "3 new enquiries to Ashford <b> & Co" and letter.message["Reply-To"] is None, letter.raw
        text, html = letter.part("text/plain"), letter.part("text/html")
        assert text.count("/dashboard/o/ashford/enquiries/") == 3 and html.count("<li>") == 3 and "<script" not in html and link in text.split(), text
        assert letter.message["List-Unsubscribe"].startswith(f"<{stack.site}/unsubscribe/") and unsubscribe not in letter.message["List-Unsubscribe"]
        enquire(name="Fourth")
        letter = digest()
        assert letter.message["Subject"] == "1 new enquiry to Ashford <b> & Co" and "Fourth" in letter.part("text/plain"), letter.raw
        assert not server.letters
    finally:
        stack.manage("down")


def many_enquiries_make_few_letters(server):
    stack = Stack(f"{FOLDER}/many", settings(server) + '[rate_limits]\nwrite = "60000/1m"\n')
    try:
        stack.control("org", "add", "--name", "Birch", "--slug", "birch", "--published")
        stack.add_user("bea@dealer.example", "Bea Birch", "correct horse battery")
        stack.control("org", "add-member", "--org", "birch", "--email", "bea@dealer.example", "--role", "ADMIN")
        stack.add_user("sam@buyer.example", "Sam Solo", "correct horse battery")
        bearer = {"Authorization": "Bearer " + stack.token("bea@dealer.example", "correct horse battery")}
        organisation = stack.send("GET", "/api/v1/accounts", headers=bearer)[2]["id"]
        sender = {"Authorization": "Bearer " + stack.token("sam@buyer.example", "correct horse battery")}
        for number in range(60):
            body = {"organisationId": organisation, "name": f"Sam {number}", "email": "sam@buyer.example", "message": "Is it there?"}
            assert stack.send("POST", "/api/v1/enquiries", body, sender)[0] == 201
        subjects = [server.letter("bea@dealer.example").message["Subject"] for _ in range(5)]
        assert subjects == [f"Sam {number} writes to Birch" for number in range(5)], subjects
        # The others wait for the full hour.
        end = time.monotonic() + limit(120)
        while stack.execute("SELECT COUNT(*) FROM outbox_messages WHERE kind = 'mail enquiry'") != "0\n":
            assert time.monotonic() < end
            time.sleep(0.1)
        assert not server.letters
        hours = stack.execute("SELECT COUNT(*), COALESCE(SUM(not_before = DATE_FORMAT(not_before, '%Y-%m-%d %H:00:00')), 0) FROM outbox_messages "
                              "WHERE kind = 'mail digest' AND not_before <= UTC_TIMESTAMP(3) + INTERVAL 1 HOUR").split()
        assert hours[0] == hours[1], hours
        stack.execute("UPDATE outbox_messages SET not_before = UTC_TIMESTAMP(3) WHERE kind = 'mail digest'")
        letter = server.letter("bea@dealer.example")
        told = int(re.fullmatch("([0-9]+) new enquir(y|ies) to Birch", letter.message["Subject"]).group(1))
        if told < 55:  # the hour ended in between
            told += int(server.letter("bea@dealer.example").message["Subject"].split()[0])
        assert told == 55 and "Sam 5," in letter.part("text/plain"), letter.raw
        while stack.execute("SELECT COUNT(*) FROM outbox_messages") != "0\n":
            assert time.monotonic() < end
            time.sleep(0.1)
        assert not server.letters
    finally:
        stack.manage("down")


def main():
    write("secret", PASSWORD.decode() + "\n")
    server = Server(FOLDER).start()
    tally, only = Tally(), sys.argv[1:]
    for test in (a_letter_has_its_headers_and_both_parts, an_operators_template_wins, what_is_wrong_is_told,
                 only_the_named_ca_is_trusted, a_server_without_tls_gets_no_letter_that_needs_it,
                 addresses_go_out_in_ascii, other_characters_before_the_at_need_smtputf8, doctor_tries_the_server_and_sends_nothing,
                 a_new_password_by_a_letter, an_invitation_by_a_letter, another_address_by_a_letter,
                 tokens_by_letters, enquiries_by_letters, many_enquiries_make_few_letters):
        if only and test.__name__ not in only:
            continue
        tally.run(test.__name__, lambda test=test: test(server))
    server.stop()
    shutil.rmtree(FOLDER)
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
