"""A push service and a relay on this host: keep what they are sent, and read it as the browser would (RFC 8030, 8188, 8291, 8292)."""
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

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from waiting import limit


def encode(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def decode(text):
    assert "=" not in text, text
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point(key):
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def derive(salt, secret, info, length):
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


class Browser:
    """A subscription, and the keys that only its browser has."""

    def __init__(self, endpoint):
        self.endpoint, self.key, self.auth = endpoint, ec.generate_private_key(ec.SECP256R1()), os.urandom(16)

    def subscription(self):
        return json.dumps({"endpoint": self.endpoint, "expirationTime": None,
                           "keys": {"p256dh": encode(point(self.key.public_key())), "auth": encode(self.auth)}})

    def decrypt(self, body):
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, sealed = body[21:21 + length], body[21 + length:]
        assert length == 65 and size == 4096 and len(body) <= 4096, (length, size, len(body))
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        secret = derive(self.auth, shared, b"WebPush: info\0" + point(self.key.public_key()) + sender, 32)
        key, nonce = derive(salt, secret, b"Content-Encoding: aes128gcm\0", 16), derive(salt, secret, b"Content-Encoding: nonce\0", 12)
        plain = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert plain.endswith(b"\2"), plain
        return json.loads(plain[:-1])


def check_sender(header, public_key, origin):
    """Raises unless `header` is signed with that key for this service; returns the claims."""
    scheme, _, parameters = header.partition(" ")
    token, key = (part.strip().split("=", 1) for part in parameters.split(","))
    assert (scheme, token[0], key) == ("vapid", "t", ["k", public_key]), header
    head, claims, signature = token[1].split(".")
    assert json.loads(decode(head)) == {"alg": "ES256", "typ": "JWT"}
    raw = decode(signature)
    der = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    signer = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(public_key))
    signer.verify(der, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    claims = json.loads(decode(claims))
    assert claims["aud"] == origin and time.time() < claims["exp"] <= time.time() + 24 * 3600, claims
    return claims


def check_signature(headers, body, secret):
    """As a library of Standard Webhooks does."""
    assert abs(time.time() - int(headers["webhook-timestamp"])) < 300
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    code = hmac.new(base64.b64decode(secret.removeprefix("whsec_")), signed, hashlib.sha256).digest()
    assert headers["webhook-signature"] == "v1," + base64.b64encode(code).decode(), headers.items()


class Service:
    """`answers` are what it answers to a path, one after the other, as (status, headers), or with a function of the request's path and headers
    that returns the body; after that 201."""

    def __init__(self, folder):
        self.certificate, key = f"{folder}/push.pem", f"{folder}/push.key"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                        "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:::1", "-keyout", key, "-out", self.certificate],
                       check=True, capture_output=True)
        self.answers, self.requests, self.changed = {}, [], threading.Condition()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self.headers["X-Arrived"] = str(time.monotonic())
                with outer.changed:
                    waiting = outer.answers.get(self.path, [])
                    status, headers, *said = waiting.pop(0) if waiting else (201, {})
                    outer.requests.append((self.path, self.headers, body))
                    outer.changed.notify_all()
                self.send_response(status)
                answer = said[0](self.path, self.headers).encode() if said else b""
                for name, value in {"Content-Length": str(len(answer)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self.certificate, key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.origin = f"https://localhost:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def take(self, path, within=120):
        """The headers and the body of the first request to that path, which is then forgotten."""
        with self.changed:
            if not self.changed.wait_for(lambda: any(path == each[0] for each in self.requests), limit(within)):
                raise AssertionError(f"no request to {path}: {[each[0] for each in self.requests]}")
            found = next(each for each in self.requests if each[0] == path)
            self.requests.remove(found)
        return found[1], found[2]
