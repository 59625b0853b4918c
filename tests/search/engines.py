"""Two ways to the same database: nginx and workers that search with Sphinx, and a worker that searches with MySQL's full text."""
import http.client
import json
import os
import socket
import ssl
import struct
import subprocess
from urllib.parse import urlencode

from waiting import limit, repeatable, until_served


class Api:
    """Through nginx."""

    def __init__(self, port, token):
        self.port, self.token, self.connection = port, token, None

    def request(self, method, path, body=None, bearer=True, more=None):
        """Status, headers and body."""
        headers = {**({"Authorization": f"Bearer {self.token}"} if bearer else {}), **(more or {})}
        if body is not None:
            headers["Content-Type"] = "application/json"
        for attempt in range(2):
            try:
                if not self.connection:
                    context = ssl._create_unverified_context()
                    self.connection = http.client.HTTPSConnection("localhost", self.port, context=context, timeout=limit(30))
                self.connection.request(method, "/api/v1" + path, None if body is None else json.dumps(body), headers)
                answer = self.connection.getresponse()
                return answer.status, answer.headers, json.loads(answer.read())
            except (http.client.HTTPException, ConnectionError):
                self.connection = None
                if attempt:
                    raise

    def send(self, method, path, body=None):
        """A write whose answer is 503 or lost is sent again with the same key, so that it is done once."""
        more = repeatable(method)
        status, _, answer = until_served(lambda: self.request(method, path, body, more=more))
        if status >= 300:
            raise AssertionError(f"{method} {path}: {status} {answer} {body}")
        return answer["data"]

    def get(self, path, parameters, bearer):
        status, _, answer = self.request("GET", path + "?" + urlencode(parameters), bearer=bearer)
        return status, answer


class Worker:
    """One worker, by FastCGI (https://fastcgi-archives.github.io/FastCGI_Specification.html)."""

    def __init__(self, program, config, folder, token):
        self.path, self.token = os.path.join(folder, "mysql-worker.sock"), token
        if os.path.exists(self.path):
            os.remove(self.path)  # of an earlier run on the same stack
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(self.path)
        listener.listen(16)
        self.process = subprocess.Popen([program, "--config", config], stdin=listener, stderr=subprocess.DEVNULL)
        listener.close()

    def get(self, path, parameters, bearer):
        names = {"REQUEST_METHOD": "GET", "REQUEST_URI": f"/api/v1{path}?{urlencode(parameters)}", "REMOTE_ADDR": "127.0.0.1"}
        if bearer:
            names["HTTP_AUTHORIZATION"] = f"Bearer {self.token}"
        content = b"".join(struct.pack(">II", len(name) | 1 << 31, len(value) | 1 << 31) + name.encode() + value.encode()
                           for name, value in names.items())
        record = lambda kind, data: struct.pack(">BBHHBB", 1, kind, 1, len(data), 0, 0) + data
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(limit(30))
            connection.connect(self.path)
            connection.sendall(record(1, struct.pack(">HB5x", 1, 0)) + record(4, content) + record(4, b"") + record(5, b""))
            data = b"".join(iter(lambda: connection.recv(65536), b""))
        answer = b""
        while data:
            kind, length, padding = data[1], *struct.unpack(">HB", data[4:7])
            if kind == 6:
                answer += data[8:8 + length]
            data = data[8 + length + padding:]
        head, body = answer.split(b"\r\n\r\n", 1)
        return int(head.split(b"Status: ")[1][:3]), json.loads(body)

    def stop(self):
        self.process.terminate()
        self.process.wait()
