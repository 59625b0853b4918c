"""What is measured while nothing is broken: reads on another host, and what a second host adds."""
import concurrent.futures
import threading
import time

ROUNDS, WRITERS = 10_000, 8
SLICE = 0.1  # of a processor, for each API host: the machine has fewer processors than hosts
SECONDS = 8


def stale_reads(writer, reader, rounds=ROUNDS):
    """Writes through one host, and reads that write through the other: how often the answer was older, in the item and in its list."""
    stale, lock, done = [], threading.Lock(), iter(range(rounds))

    def work(number):
        status, made = writer.send("POST", "/api/v1/stock", {"reference": f"ROUND-{number}", "title": "Round"})
        assert status == 201, made
        path = f"/api/v1/stock/{made['data']['id']}"
        while True:
            with lock:
                turn = next(done, None)
            if turn is None:
                return
            title = f"Round {turn}"
            status, answer = writer.send("PATCH", path, {"title": title})
            assert status == 200, answer
            status, found = reader.send("GET", path)
            assert status == 200, found
            listed = [item["title"] for item in reader.send("GET", f"/api/v1/stock?reference=ROUND-{number}")[1]["data"]["stock"]]
            if found["data"]["title"] != title or listed != [title]:
                stale.append((title, found["data"]["title"], listed))

    with concurrent.futures.ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(work, range(WRITERS)))
    return stale


def answers_a_second(sites):
    """Reads of a list that all of these hosts answer together."""
    end, counts = time.monotonic() + SECONDS, []

    def work(site):
        connection, count = site.connect(), 0
        while time.monotonic() < end:
            connection.request("GET", "/api/v1/jobs")
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200
            count += 1
        connection.close()
        counts.append(count)

    with concurrent.futures.ThreadPoolExecutor(len(sites) * 4) as pool:
        list(pool.map(work, sites * 4))
    return sum(counts) / SECONDS
