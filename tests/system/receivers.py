"""What the instance north talks to outside: a dealer's software that receives webhooks and has pictures, and a provider's mail server."""
import json
import pathlib
import sys

from host import kill, north, run, said, wait_until

sys.path += ["/check/webhooks", "/check/mail"]
from receiver import Receiver  # noqa: E402, F401
from server import PASSWORD, USER, Server  # noqa: E402, F401


def connect(receiver, post, instance=north):
    """Names both in the configuration, as an operator does."""
    # The service reads them: it may not look into /run.
    for name, source in (("receiver.pem", receiver.ca), ("post.pem", post.certificate)):
        pathlib.Path(f"/etc/tradepost/{name}").write_bytes(pathlib.Path(source).read_bytes())
    secret = pathlib.Path(f"/etc/tradepost/{instance.name}.post")
    secret.write_bytes(PASSWORD)
    run(f"chown root:tradepost-{instance.name} {secret} && chmod 0640 {secret}")
    mail = {"smtp": f"smtp://localhost:{post.port}", "from": "Trade <post@trade.test>", "user": USER.decode(),
            "password_file": secret.name, "tls": "required", "tls_ca": "/etc/tradepost/post.pem"}
    network = {"allow_networks": ["127.0.0.1"], "tls_ca": "/etc/tradepost/receiver.pem"}
    with instance.toml.open("a") as file:
        for section, settings in (("mail", mail), ("webhooks", network), ("fetch", network)):
            file.write(f"[{section}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in settings.items()))
    run(f"systemctl restart tradepost@{instance.name}.target")
    instance.wait_ready()


def kill_deliverer():
    """Until the process is gone: nobody reads what is answered to it then."""
    main = "systemctl show -P MainPID tradepost-deliver@north.service"
    before = said(main)
    kill("tradepost-deliver@north.service")
    wait_until(lambda: said(main) != before, "tradepost-deliver is gone")


class Hook:
    """A webhook to a path of the receiver, made by an ADMIN."""

    def __init__(self, receiver, name, admin):
        self.receiver, self.admin, self.path = receiver, admin, f"/{name}"
        made = north.call("POST", "/api/v1/webhooks", {"url": receiver.url(name), "events": ["stock.changed", "enquiry.created"]}, admin).data()
        self.id, self.secret = made["id"], made["secret"]

    def told(self):
        return [each for each in list(self.receiver.received) if each.path == self.path]

    def ids(self):
        return {each.id for each in self.told()}

    def prices(self):
        return [each.json["data"]["price"] for each in self.told()]

    def deliveries(self):
        return north.get(f"/api/v1/webhooks/{self.id}/deliveries", headers=self.admin).data()
