"""An SMTP server on this host, with TLS and a sign-in as a provider's has them, that keeps what it is sent."""
import email
import email.policy
import logging
import re
import ssl
import subprocess
import threading

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword
from held_port import held_port
from waiting import limit

# It tells of each client that goes away, as clients do here on purpose.
logging.getLogger("mail.log").setLevel(logging.CRITICAL)
logging.getLogger("asyncio").setLevel(logging.CRITICAL)

USER, PASSWORD = b"post", b"correct horse"


class Verbatim(SMTP):
    """Keeps the receiver as it was sent: SMTP takes the quotes off."""

    async def smtp_RCPT(self, arg):
        self.envelope.receiver = re.match("TO:<(.*)>", arg or "")
        await super().smtp_RCPT(arg)


class VerbatimController(Controller):
    def factory(self):
        return Verbatim(self.handler, **self.SMTP_kwargs)


class Server:
    """Takes letters on `port`; `refuse` is what it answers to an address instead, such as "550 no such user". `smtputf8`: it offers that."""

    def __init__(self, folder, port=0, tls=True, smtputf8=True):
        self.held = None if port else held_port()
        self.port, self.tls, self.smtputf8 = port or self.held.getsockname()[1], tls, smtputf8
        self.certificate, self.key = f"{folder}/smtp-{self.port}.pem", f"{folder}/smtp-{self.port}.key"
        self.refuse, self.letters, self.lock = None, [], threading.Condition()
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                        "subjectAltName=DNS:localhost", "-keyout", self.key, "-out", self.certificate],
                       check=True, capture_output=True)
        self.controller = None

    def start(self):
        more = {}
        if self.tls:
            context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            context.load_cert_chain(self.certificate, self.key)
            more = {"tls_context": context, "require_starttls": True, "auth_required": True, "authenticator": self.sign_in}
        self.controller = VerbatimController(self, hostname="127.0.0.1", port=self.port, enable_SMTPUTF8=self.smtputf8, **more)
        self.controller.start()
        return self

    def stop(self):
        self.controller.stop()

    @staticmethod
    def sign_in(_server, _session, _envelope, _mechanism, data):
        return AuthResult(success=isinstance(data, LoginPassword) and (data.login, data.password) == (USER, PASSWORD), handled=False)

    async def handle_RCPT(self, _server, _session, envelope, _address, _options):
        if self.refuse:
            return self.refuse
        envelope.rcpt_tos.append(envelope.receiver[1])
        return "250 OK"

    async def handle_DATA(self, _server, _session, envelope):
        with self.lock:
            self.letters.append((envelope.mail_from, envelope.rcpt_tos, envelope.content, envelope.smtp_utf8))
            self.lock.notify_all()
        return "250 OK"

    def letter(self, to, within=120):
        """The first letter to that address, which is then forgotten."""
        with self.lock:
            if not self.lock.wait_for(lambda: any(to in each[1] for each in self.letters), limit(within)):
                raise AssertionError(f"no letter to {to}: {[each[1] for each in self.letters]}")
            found = next(each for each in self.letters if to in each[1])
            self.letters.remove(found)
        return Letter(*found)


class Letter:
    def __init__(self, sender, receivers, content, smtputf8):
        self.sender, self.receivers, self.raw, self.smtputf8 = sender, receivers, content, smtputf8
        self.message = email.message_from_bytes(content, policy=email.policy.default)

    def header(self, name):
        """As it was sent; None when there is none."""
        head = self.raw.split(b"\r\n\r\n")[0].decode()
        return next((line.split(": ", 1)[1] for line in head.split("\r\n") if line.startswith(name + ": ")), None)

    def part(self, kind):
        (found,) = [part for part in self.message.walk() if part.get_content_type() == kind]
        assert found["Content-Transfer-Encoding"] == "quoted-printable", found.items()
        assert found.get_content_charset() == "utf-8"
        return found.get_content().replace("\r\n", "\n")
