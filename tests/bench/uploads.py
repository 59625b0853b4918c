"""What uploads cost, and what they cost others."""
import hashlib
import json
import os
import pathlib
import ssl
import statistics
import subprocess
import threading
import urllib.request

from goals import verdict
from measure import Row, closed_loop, column, cpu_seconds, memory_mb, ratio, stack_processes, workers, wrk
from settings import CONNECTIONS, ROUNDS, STATE
from sites import add_location
from stack import reload_nginx

FILES = STATE / "tmp"
LARGE = 50 << 20
AT_ONCE = 10
READERS = (2, CONNECTIONS)  # a quiet service, and one that the processors have no time left beside


def send(url, token, body=None, method=None):
    request = urllib.request.Request(url, body and json.dumps(body).encode(),
                                     {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request, context=ssl._create_unverified_context()) as answer:
        return json.load(answer)["data"]


def call(base, token, body):
    return send(base + "/api/v1/uploads", token, body)


def ticket(base, token, path, content_type):
    return base + call(base, token, {"filename": path.name, "contentType": content_type, "size": path.stat().st_size,
                                     "sha256": hashlib.sha256(path.read_bytes()).hexdigest()})["uploadUrl"]


def put(address, path):
    """The upload as it is then. Sent by a process of its own, which is not counted and lets others go first."""
    return json.loads(subprocess.run(["nice", "-n", "19", "curl", "-skf", "-T", path, address], check=True, capture_output=True).stdout)["data"]


def document(size):
    """A PDF of bytes that were not there before."""
    path = FILES / "bench.pdf"
    begins = b"%PDF-1.4\n1 0 obj <</Pages 2 0 R>> endobj\n2 0 obj <</Kids [3 0 R]/Count 1>> endobj\n3 0 obj <</Type/Page>> endobj\n"
    ends = b"\nxref\n0 4\n0000000000 65535 f \n0000000009 00000 n \n0000000041 00000 n \n0000000082 00000 n \ntrailer <</Root 1 0 R/Size 4>>\nstartxref\n%d\n%%%%EOF\n"
    body = begins + os.urandom(size - len(begins) - len(ends % size))
    path.write_bytes(body + ends % (len(body) + 1))
    return path


def picture(name, width, height):
    path = FILES / name
    # About as many bytes as a photograph has.
    subprocess.run(["vips", "gaussnoise", path, str(width), str(height), "--sigma", "12"], check=True)
    return path


def print_large(base, token):
    """50 MiB: the worker's memory, and the CPU of all processes beside that of sha256sum over the same file."""
    small = [threading.Thread(target=call, args=(base, token, {
        "filename": "a.pdf", "contentType": "application/pdf", "data": "JVBERi0xLjQKMSAwIG9iaiA8PC9QYWdlcyAyIDAgUj4+IGVuZG9iagoyIDAgb2JqIDw8L0tpZHMgWzMgMCBSXS9Db3VudCAxPj4gZW5kb2JqCjMgMCBvYmogPDwvVHlwZS9QYWdlPj4gZW5kb2JqCnRyYWlsZXIgPDwvUm9vdCAxIDAgUj4+CiUlRU9GCg=="})) for _ in range(40)]
    for thread in small:
        thread.start()
    for thread in small:
        thread.join()
    growths, ratios = [], []
    for _ in range(3 * ROUNDS):
        path = document(LARGE)
        address = ticket(base, token, path, "application/pdf")
        pool = workers("uploads")
        for pid in pool:
            pathlib.Path(f"/proc/{pid}/clear_refs").write_text("5")  # the peak begins anew
        resident = [memory_mb(pid, "VmRSS") for pid in pool]
        pids = stack_processes()
        before = sum(cpu_seconds(pids))
        put(address, path)
        spent = sum(cpu_seconds(pids)) - before
        growths.append(max(memory_mb(pid, "VmHWM") - was for pid, was in zip(pool, resident)))
        rival = subprocess.Popen(["sha256sum", path], stdout=subprocess.DEVNULL)
        usage = os.wait4(rival.pid, 0)[2]
        rival.returncode = 0
        ratios.append((spent / (usage.ru_utime + usage.ru_stime), spent))
    ratio, spent = sorted(ratios)[len(ratios) // 2]
    print(f"PUT of 50 MiB: {spent:.2f} s of CPU, {ratio:.2f} × sha256sum (≤ 1.3); the worker grows by {max(growths):.1f} MB (< 2)")


def print_readers(base, token):
    """p99 of reads while ten clients upload pictures without a pause, and while they do not, in turns."""
    path = picture("bench.jpg", 4000, 3000)
    stop = threading.Event()

    def upload(client):
        while not stop.is_set():
            try:
                put(ticket(base, token, path, "image/jpeg"), path)
                counts[client] += 1
            except subprocess.CalledProcessError:
                late[client] += 1  # the machine had no time for it

    for readers in READERS:
        counts, late = [0] * AT_ONCE, [0] * AT_ONCE
        idle, busy = [], []
        for _ in range(ROUNDS):
            idle.append(wrk(base + "/api/v1/jobs", connections=readers)[2])
            stop.clear()
            clients = [threading.Thread(target=upload, args=(client,)) for client in range(AT_ONCE)]
            for client in clients:
                client.start()
            busy.append(wrk(base + "/api/v1/jobs", connections=readers)[2])
            stop.set()
            for client in clients:
                client.join()
        before, during = statistics.median(idle), statistics.median(busy)
        print(f"p99 of {readers} readers while {AT_ONCE} clients upload pictures of 12 megapixels ({sum(counts)} done, {sum(late)} refused): "
              f"{during:.1f} ms, {during / before:.2f} × {before:.1f} ms (< 2)")


def print_stored(site, token, pools):
    """What serving a stored picture costs beside the same as any file that nginx serves."""
    path = picture("small.jpg", 160, 120)
    stored = put(ticket(site.secure, token, path, "image/jpeg"), path)["url"]
    add_location("static", f"location = /static.jpg {{ default_type image/jpeg; alias {STATE}{stored}; }}\n")
    reload_nginx(site.plain + "/static.jpg")
    rows = [Row("picture", who, site.secure, target, None) for who, target in (("stored", stored), ("static", "/static.jpg"))]
    figures = closed_loop(rows, pools)
    times = ratio(figures, *rows)
    print(f"stored picture: {column(figures, rows[0], 1):.0f} µs of CPU, {times:.2f} × static file (≤ 1.25) {verdict(times, 1.25)}", flush=True)


def attach_picture(site, token):
    """To the dealer's newest stock item, so that lists have one to show."""
    path = picture("attached.jpg", 161, 120)
    upload = put(ticket(site.secure, token, path, "image/jpeg"), path)["id"]
    item = send(site.secure + "/api/v1/stock?limit=1", token)["stock"][0]["id"]
    send(f"{site.secure}/api/v1/stock/{item}", token, {"images": [{"uploadId": upload}]}, "PATCH")
