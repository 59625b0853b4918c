"""An HTTPS server that receives webhooks, as a dealer's software does, with a certificate of this test's own CA."""
import base64
import hashlib
import hmac
import http.server
import json
import os
import ssl
import subprocess
import threading
import time

from held_port import held_port
from waiting import limit


def certificates(folder):
    """A CA, and a certificate of it for this host."""
    def run(*arguments):
        subprocess.run(["openssl", *arguments], check=True, capture_output=True)

    ca, server = f"{folder}/ca", f"{folder}/server"
    run("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN=Test CA of {os.path.basename(folder)}", "-keyout", f"{ca}.key", "-out", f"{ca}.pem")
    run("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-keyout", f"{server}.key", "-out", f"{server}.csr")
    with open(f"{server}.ext", "w", encoding="ascii") as file:
        file.write("subjectAltName=DNS:localhost,DNS:xn--bcher-kva.example,IP:127.0.0.1,IP:127.0.0.2\n")
    run("x509", "-req", "-days", "2", "-in", f"{server}.csr", "-CA", f"{ca}.pem", "-CAkey", f"{ca}.key", "-CAcreateserial", "-extfile",
        f"{server}.ext", "-out", f"{server}.pem")
    return f"{ca}.pem", f"{server}.pem", f"{server}.key"


class Message:
    def __init__(self, path, headers, body):
        self.path, self.headers, self.body, self.at = path, headers, body, time.time()
        self.id = headers["webhook-id"]
        self.json = json.loads(body)

    def signatures(self, *secrets):
        """How many of its signatures are by each of the secrets."""
        found = self.headers["webhook-signature"].split(" ")
        assert abs(self.at - int(self.headers["webhook-timestamp"])) < limit(60)
        signed = f"{self.id}.{self.headers['webhook-timestamp']}.".encode() + self.body
        right = ["v1," + base64.b64encode(hmac.new(base64.b64decode(secret.removeprefix("whsec_")), signed, hashlib.sha256).digest()).decode()
                 for secret in secrets]
        assert sorted(found) == sorted(right), self.headers
        return len(found)


class Receiver:
    """`answer` is the status that it answers, or a status and headers, or a function of the message that returns one of them. `received` has every request below `path`; others
    are late ones of an earlier test. `files` are what a GET finds, by path."""

    def __init__(self, folder):
        self.answer, self.path, self.received, self.files, self.changed = 204, "/", [], {}, threading.Condition()
        self.ca, certificate, key = certificates(folder)
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                message = Message(self.path, self.headers, self.rfile.read(int(self.headers["Content-Length"])))
                with receiver.changed:
                    ours = message.path.startswith(receiver.path)
                    answer = receiver.answer if ours else 204
                    if ours:
                        receiver.received.append(message)
                    receiver.changed.notify_all()
                answer = answer(message) if callable(answer) else answer
                status, headers = answer if isinstance(answer, tuple) else (answer, {})
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                if status == 302:
                    self.send_header("Location", f"{receiver.url()}/elsewhere")
                # Of a success nobody reads it.
                body = b"x" * 100_000 if status == 200 else b'{"error":\n"maintenance"}\x1b' if status >= 400 else b""
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                body = receiver.files.get(self.path)
                self.send_response(200 if body else 404)
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            def handle_error(self, *_):
                pass  # of clients that are killed

        self._held = held_port()
        self.port = self._held.getsockname()[1]
        self._make = lambda: Server(("127.0.0.1", self.port), Handler)
        self._context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self._context.load_cert_chain(certificate, key)
        self.start()

    def start(self):
        self.server = self._make()
        self.server.socket = self._context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        """Connections are refused from now on."""
        self.server.shutdown()
        self.server.server_close()

    def url(self, more=""):
        return f"https://localhost:{self.port}{self.path}{more}"

    def await_that(self, condition, seconds=180):
        """Waits until `condition(received)` is true, and returns it."""
        end = time.monotonic() + limit(seconds)
        with self.changed:
            while not (found := condition(self.received)):
                assert time.monotonic() < end, [(each.id, each.json["type"]) for each in self.received]
                self.changed.wait(1)
            return found

    def forget(self, path=None):
        with self.changed:
            self.path = path or self.path
            self.received.clear()
