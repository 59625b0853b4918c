"""The commands of the operators' page: each indented block below a line "On HOST, HOST and HOST:" is run on these machines, in this order."""
import os
import pathlib
import re

PAGE = pathlib.Path(os.environ["SOURCE"]) / "systemd/CLUSTER.md"


class Page:
    def __init__(self, machines, changes=()):
        """`changes`: words of the page and what takes their place, such as the names of another release's packages."""
        text = PAGE.read_text()
        for old, new in changes:
            text = text.replace(old, new)
        self._sections = dict(re.findall(r"^## (.+)\n((?:(?!## ).*\n)*)", text, re.MULTILINE))
        self._machines = machines

    def blocks(self, title):
        """Pairs of the names of hosts and a shell script."""
        found = re.findall(r"^On ([a-z0-9, ]+):\n\n((?:    .*\n|\n(?=    ))+)", self._sections[title], re.MULTILINE)
        return [(re.split(r", | and ", hosts), re.sub("^    ", "", block, flags=re.MULTILINE)) for hosts, block in found]

    def follow(self, title, only=None):
        """`only`: the name of the host on which to run what the page says for it."""
        for hosts, script in self.blocks(title):
            for host in hosts:
                if only not in (None, host):
                    continue
                print(f"  {title}, on {host}", flush=True)
                self._machines[host].run("set -e\n" + script)
