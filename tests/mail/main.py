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
import traceback

from server import PASSWORD, Server
from stack import Stack

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


def control(config, *arguments):
    return subprocess.run([f"{BUILD}/tradepostctl", "--config", config, *arguments], text=True, capture_output=True, check=False)


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


def an_operators_template_wins(server):
    os.makedirs(f"{FOLDER}/own.mail", exist_ok=True)
    write("own.mail/test.txt", "Mine\n\n.\nA line with a single dot, from {{service}}\n")
    config = write("own.toml", settings(server))
    assert control(config, "mail", "test", "--to", "ada@dealer.example").returncode == 0
    letter = server.letter("ada@dealer.example", 1)
    assert letter.message["Subject"] == "Mine" and letter.part("text/plain").startswith(".\nA line with"), letter.raw
    write("own.mail/test.txt", "Mine\n\n{{nobody}}\n")
    done = control(config, "mail", "test", "--to", "ada@dealer.example")
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
    server.refuse = "550 no such user"
    assert "the mail server did not take the letter: " in failure()
    server.refuse = None
    assert not server.letters
    done = control(write("none.toml", ""), "mail", "test", "--to", "ada@dealer.example")
    assert done.returncode == 1 and "set smtp and from of [mail]" in done.stderr, done
    done = control(f"{FOLDER}/shop.toml", "mail", "test", "--to", "ada@dealer.example>\r\nRCPT TO:<eve@dealer.example")
    assert done.returncode == 2 and not server.letters, done


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


def doctor_tries_the_server_and_sends_nothing(server):
    def check(config):
        lines = control(config, "doctor", "--no-web").stdout.splitlines()
        return [line for line in lines if re.search("mail server|templates of mail", line)]

    lines = check(write("shop.toml", settings(server)))
    assert lines == ["ok   mail server takes this instance's letters"], lines
    assert not server.letters
    (line,) = check(write("bad.toml", settings(server, password_file=f"{FOLDER}/wrong")))
    assert line.startswith("FAIL mail server takes this instance's letters: ") and "correct user" in line, line
    assert any("own.mail/test.txt" in line for line in check(f"{FOLDER}/own.toml"))
    assert not check(write("none.toml", ""))


def a_new_password_by_a_letter(server):
    write("secret", "another\n")  # first it fails, for a reason that an operator can mend
    stack = Stack(f"{FOLDER}/stack", settings(server))
    try:
        stack.add_user("ada@dealer.example", "Ada <b> Ashford", "correct horse battery")
        for address in ("nobody@dealer.example", "ADA@dealer.example"):
            status, headers, data = stack.send("POST", "/dashboard/api/reset", {"email": address})
            assert (status, data, headers["Cache-Control"]) == (200, {}, "no-store")
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
    for _ in range(600):
        details = [entry["detail"] for entry in json.loads(stack.control("audit", "--event", "letter_sent", "--json"))]
        if len(details) >= number:
            break
        time.sleep(0.1)
    return details


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

        first, second = invite("MEMBER"), invite("ADMIN")
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


def main():
    write("secret", PASSWORD.decode() + "\n")
    server = Server(FOLDER).start()
    passed = failed = 0
    for test in (a_letter_has_its_headers_and_both_parts, an_operators_template_wins, what_is_wrong_is_told,
                 a_server_without_tls_gets_no_letter_that_needs_it, doctor_tries_the_server_and_sends_nothing,
                 a_new_password_by_a_letter, an_invitation_by_a_letter, another_address_by_a_letter,
                 enquiries_by_letters):
        try:
            test(server)
            passed += 1
        except Exception:  # a test that fails does not keep the others from running
            failed += 1
            print(f"{test.__name__}:")
            traceback.print_exc(file=sys.stdout)
    server.stop()
    shutil.rmtree(FOLDER)
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
