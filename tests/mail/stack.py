"""A stack with settings of the test, such as a mail server."""
import json
import os
import re
import shutil
import signal
import ssl
import subprocess
import sys
import urllib.error
import urllib.request

from waiting import limit, repeatable, until_served

# So that "finally" stops the stack when the tests are stopped.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))

# Limits on waiting that a slow machine does not reach.
with open(os.path.join(os.path.dirname(__file__), "../support/patient.settings"), encoding="utf-8") as file:
    PATIENT = file.read()


def dotted(settings):
    """The lines of a configuration with the section in front of each key."""
    section = ""
    for line in settings.splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        else:
            yield f"{section}.{line}"


class Stack:
    """`settings` are sections of the configuration."""

    def __init__(self, state, settings):
        self.state = state
        self.environment = {**os.environ, "BUILD": BUILD, "STATE": state, "PORT": "auto", "DEMO": "off", "WORKERS": "1",
                            "SETTINGS": PATIENT + "\n".join(dotted(settings))}
        self.manage("up")
        with open(f"{state}/port", encoding="ascii") as file:
            self.site = f"https://localhost:{file.read().strip()}"
        self.context = ssl.create_default_context(cafile=f"{state}/tls/cert.pem")

    def manage(self, what):
        done = subprocess.run(["systemd/runit/stack", what], env=self.environment, text=True, capture_output=True, check=False)
        assert done.returncode == 0, done

    def control(self, *arguments, text=None):
        done = subprocess.run([f"{BUILD}/tradepostctl", "--config", f"{self.state}/tradepost.toml", *arguments], input=text, text=True,
                              capture_output=True, check=False)
        assert done.returncode == 0, done
        return done.stdout

    def add_user(self, email, name, password):
        self.control("user", "add", "--email", email, "--name", name, "--password-stdin", text=password + "\n")

    def send(self, method, path, body=None, headers=None):
        """Status, headers, and what was answered in "data" or "error". Repeated while the service is busy."""
        return self.send_bytes(method, path, None if body is None else json.dumps(body).encode(), headers)

    def send_bytes(self, method, path, data=None, headers=None, within=30):
        headers = repeatable(method, headers)
        return until_served(lambda: self.send_once(method, path, data, headers, limit(within)))

    def send_once(self, method, path, data, headers, within):
        request = urllib.request.Request(self.site + path, data, {"Content-Type": "application/json", **headers}, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=self.context))
        try:
            with opener.open(request, timeout=within) as response:
                return response.status, response.headers, json.load(response)["data"]
        except urllib.error.HTTPError as error:
            return error.code, error.headers, json.load(error)["error"]

    def page(self, method, path, data=None):
        """Status, headers and text of what is no JSON."""
        request = urllib.request.Request(self.site + path, data, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=self.context))
        with opener.open(request, timeout=limit(30)) as response:
            return response.status, response.headers, response.read().decode()

    def execute(self, statement):
        """What the statement returns, as text."""
        with open(f"{self.state}/tradepost.toml", encoding="utf-8") as file:
            settings = dict(re.findall(r'^(socket|user|name|password) = "(.*)"$', file.read().split("[database]")[1].split("\n[")[0], re.M))
        client = shutil.which("mariadb") or "mysql"
        return subprocess.run([client, "--no-defaults", f"--socket={settings['socket']}", f"--user={settings['user']}", "--skip-column-names",
                               settings["name"], "-e", statement],
                              env={**os.environ, "MYSQL_PWD": settings["password"]}, check=True, capture_output=True, text=True).stdout

    def token(self, email, password):
        """Of a sign-in; None when it is refused."""
        status, _, data = self.send("POST", "/api/v1/auth", {"email": email, "password": password})
        assert status in (200, 401), data
        return data["token"] if status == 200 else None
