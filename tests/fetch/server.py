"""A server with pictures, as https on this host."""
import http.server
import os
import ssl
import struct
import subprocess
import threading
import zlib


def png(width, height, noise=False):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + (os.urandom(3 * width) if noise else bytes((x * 5 % 256, y * 3 % 256, 99)[c] for x in range(width) for c in range(3)))
                    for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class Server:
    """Counts the requests for each path. /hard.png takes a second to decode; /busy answers 503 twice, and /paused once, which asks for a pause of
    ten minutes; /slow sends a byte a second until `stopped`; /chosen sends AVIF to who
    accepts it, also by `*/*`."""

    def __init__(self, folder):
        self.certificate, key = f"{folder}/server.pem", f"{folder}/server.key"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                        "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1,IP:127.0.0.2", "-keyout", key, "-out", self.certificate],
                       check=True, capture_output=True)
        self.counts, self.stopped, self.large = {}, threading.Event(), png(3000, 3000, noise=True)
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                path = self.path.split("?")[0]
                count = outer.counts[path] = outer.counts.get(path, 0) + 1
                if path == "/busy.png" and count < 3:
                    return self.reply(503)
                if path == "/paused.png" and count == 1:
                    return self.reply(503, **{"Retry-After": "600"})
                if path == "/chosen":
                    accepted = self.headers.get("Accept", "*/*")
                    if any(name in accepted for name in ("image/avif", "image/*", "*/*")):
                        return self.reply(200, b"\0\0\0\x1cftypavif" + bytes(16), **{"Content-Type": "image/avif"})
                    return self.reply(200 if "image/png" in accepted else 406, png(60, 40))
                if path.endswith(".png"):
                    return self.reply(200, outer.large if path == "/hard.png" else png(60, 40))
                if path.startswith("/to/"):
                    return self.reply(302, Location={"picture": "/van.png", "loop": "/to/loop", "inside": "https://192.168.77.7/van.png",
                                                     "host": f"https://127.0.0.2:{outer.port}/van.png", "file": "file:///etc/passwd",
                                                     "plain": "http://8.8.8.8/van.png"}[path[4:]])
                if path == "/text":
                    return self.reply(200, b"no picture", **{"Content-Type": "image/png"})
                if path == "/broken":
                    return self.reply(200, png(60, 40)[:80])
                if path == "/large":
                    return self.pour(b"\x89PNG\r\n\x1a\n" + bytes(1 << 20), 0)
                if path == "/slow":
                    return self.pour(b"\x89", 1)
                return self.reply(404)

            def reply(self, status, body=b"", **headers):
                self.send_response(status)
                for name, value in {"Content-Length": str(len(body)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def pour(self, piece, pause):
                self.send_response(200)
                self.end_headers()
                try:
                    for _ in range(200):
                        self.wfile.write(piece)
                        if pause and outer.stopped.wait(pause):
                            return
                except OSError:
                    pass  # the client has seen enough

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self.certificate, key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.port = self.server.server_address[1]
        self.origin = f"https://127.0.0.1:{self.port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.stopped.set()
        self.server.shutdown()
        self.server.server_close()
