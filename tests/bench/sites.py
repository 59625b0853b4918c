"""For each competitor a server block of its own in the same nginx: the real one's, but for where it listens and what it passes to."""
import re
import socket

from settings import STATE
from stack import reload_nginx

NGINX = STATE / "nginx"
# The way of requests to who speaks HTTP, with what snippets/fastcgi.conf says to workers.
PROXY = f"""include {NGINX}/snippets/size.conf;
proxy_http_version 1.1;
proxy_set_header Connection "";
proxy_set_header Host $host;
proxy_set_header X-Request-Id $tradepost_request_id;
proxy_hide_header X-Request-Id;
proxy_hide_header X-Content-Type-Options;
proxy_next_upstream off;
proxy_buffer_size 64k;
proxy_buffers 16 16k;
proxy_busy_buffers_size 128k;
"""


class Site:
    def __init__(self, name, plain, secure):
        self.name = name
        self.port = plain
        self.plain = f"http://localhost:{plain}"
        self.secure = f"https://localhost:{secure}"


def free_ports(count):
    """Below the range that the kernel gives to clients."""
    found = []
    for port in range(15000, 32000):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        found.append(port)
        if len(found) == count:
            return found
    raise SystemExit("no free ports")


def replaced(text, pattern, new):
    text, times = re.subn(pattern, lambda match: new, text, flags=re.S)
    if times == 0:
        raise SystemExit(f"tests/bench/sites.py does not find {pattern} in {NGINX}/server.conf")
    return text


def block(site, pool):
    text = (NGINX / "server.conf").read_text()
    secure = re.search(r" ssl[^\n]*", text).group()  # as this nginx writes it
    secure = secure[:secure.index(";")] + ("; http2 on;" if "http2 on;" in secure else ";")
    text = replaced(text, r"\n    listen [^\n]*",
                    f"\n    listen 127.0.0.1:{site.port};\n    listen 127.0.0.1:{site.secure.rsplit(':', 1)[1]}{secure}")
    passing = [re.escape(line) for line in (f"include {NGINX}/snippets/fastcgi.conf;", f"fastcgi_pass unix:{STATE}/run/api.sock;")]
    return replaced(text, r"(?<=location /api/v1/ \{\n)\s+" + r"\s+".join(passing), pool.way())


def add_sites(pools, before=()):
    """{name: Site} of these, those in `before` as they are; nginx serves them when this returns."""
    new = [pool.name for pool in pools if pool.name not in before]
    ports = free_ports(2 * len(new))
    sites = dict(before) | {name: Site(name, *ports[2 * i:2 * i + 2]) for i, name in enumerate(new)}
    (NGINX / "proxy.conf").write_text(PROXY)
    upstreams = "".join(pool.upstream() for pool in pools)
    (NGINX / "bench.conf").write_text(upstreams + "".join(block(sites[pool.name], pool) for pool in pools))
    main = NGINX / "private.conf"
    include = f"    include {NGINX}/bench.conf;\n"
    if include not in main.read_text():
        main.write_text(replaced(main.read_text(), r"\}\s*$", include + "}\n"))
    reload_nginx(sites[pools[-1].name].plain)
    return sites


def add_location(name, text):
    """To every block; nginx reads it at its next reload."""
    extra = NGINX / "extra"
    extra.mkdir(exist_ok=True)
    (extra / f"{name}.conf").write_text(text)
