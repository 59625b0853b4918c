"""The commands of the operators' page: each indented block below a line "On HOST, HOST and HOST:" is run on these machines, in this order. Below
"On HOST, with Galera:" it is run with that kind of database only."""
import os
import pathlib
import re

PAGE = pathlib.Path(os.environ["SOURCE"]) / "systemd/CLUSTER.md"
KINDS = {"galera": "Galera", "group": "Group Replication"}


def names_of(text):
    return re.split(r", | and ", text)


class Page:
    def __init__(self, machines, kind, changes=()):
        """`changes`: words of the page and what takes their place, such as the names of another release's packages."""
        text = PAGE.read_text()
        for old, new in changes:
            assert old in text, old
            text = text.replace(old, new)
        self._sections = dict(re.findall(r"^##+ (.+)\n((?:(?!##+ ).*\n)*)", text, re.MULTILINE))
        self._machines, self._kind = machines, KINDS[kind]

    def blocks(self, title):
        """Pairs of the names of hosts and a shell script."""
        found = re.findall(r"^On ([a-z0-9, ]+?)(?:, with (.+))?:\n\n((?:    .*\n|\n(?=    ))+)", self._sections[title], re.MULTILINE)
        return [(names_of(hosts), re.sub("^    ", "", block, flags=re.MULTILINE)) for hosts, kind, block in found if kind in ("", self._kind)]

    def follow(self, title, only=None, numbers=None):
        """`only`: the name of the host on which to run what the page says for it. `numbers`: which of the blocks, from 0."""
        blocks = self.blocks(title)
        for hosts, script in blocks if numbers is None else [blocks[number] for number in numbers]:
            for host in hosts:
                if only not in (None, host):
                    continue
                print(f"  {title}, on {host}", flush=True)
                self._machines[host].run("set -e\n" + script)

    def firewall(self):
        """Of each row of the table, the hosts, the ports, and the hosts that may connect: none when all may."""
        rows = re.findall(r"^\| ([0-9, ]+) \| (.+?) \| (.+?) \|", self._sections["Firewall"], re.MULTILINE)
        return [(names_of(hosts), ports, [] if sources == "everyone" else names_of(sources)) for ports, hosts, sources in rows]
