"""A dealer's software and its operator for a week: feeds at night, receivers that fail, people who come and go. What one test leaves, the
next one finds."""
import base64
import json
import pathlib
import re
import subprocess
import sys
import threading

import host
from host import equal, expect, north, run, said, wait_until

sys.path += ["/check/webhooks", "/check/mail"]
from receiver import Receiver  # noqa: E402
from server import PASSWORD, USER, Server  # noqa: E402

ITEMS = 1000
FOLDER = pathlib.Path("/run/week")
# A PNG of one pixel.
PICTURE = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
NDJSON = {"Content-Type": "application/x-ndjson"}
week = {}  # what is known by now: tokens, the webhook, since when was polled


def prepare():
    host.prepare()
    FOLDER.mkdir()
    week["receiver"], week["post"] = Receiver(FOLDER), Server(FOLDER).start()
    # The service reads them: it may not look into /run.
    for name, source in (("receiver.pem", week["receiver"].ca), ("post.pem", week["post"].certificate)):
        pathlib.Path(f"/etc/tradepost/{name}").write_bytes(pathlib.Path(source).read_bytes())
    secret = pathlib.Path("/etc/tradepost/north.post")
    secret.write_bytes(PASSWORD)
    run(f"chown root:tradepost-north {secret} && chmod 0640 {secret}")
    mail = {"smtp": f"smtp://localhost:{week['post'].port}", "from": "Trade <post@trade.test>", "user": USER.decode(),
            "password_file": "north.post", "tls": "required", "tls_ca": "/etc/tradepost/post.pem"}
    network = {"allow_networks": ["127.0.0.1"], "tls_ca": "/etc/tradepost/receiver.pem"}
    with north.toml.open("a") as file:
        for section, settings in (("mail", mail), ("webhooks", network), ("fetch", network)):
            file.write(f"[{section}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in settings.items()))
    run("systemctl restart tradepost@north.target")
    north.wait_ready()


def add_user(email, role=None):
    north.ctl(f"user add --email {email} --name Person --password-stdin", input="correct horse 9 battery\n")
    if role:
        north.ctl(f"org add-member --org dealer --email {email} --role {role}")


def sign_in(email, password="correct horse 9 battery"):
    answer = north.call("POST", "/api/v1/auth", {"email": email, "password": password}, {"Authorization": None})
    return {"Authorization": f"Bearer {answer.data()['token']}"} if answer.status == 200 else None


def feed(edition, numbers=range(ITEMS)):
    return "".join(json.dumps({"reference": f"V-{n:04}", "title": f"Van {n}, {edition}", "price": 100 + n, "currency": "GBP",
                               "status": "PUBLISHED"}) + "\n" for n in numbers)


def send(lines, query=""):
    return north.call("PUT", f"/api/v1/stock/feed{query}", lines, {**NDJSON, **week["feed"]})


def stock():
    """Edition by reference of what is published, as the feed's own format has it."""
    items = [json.loads(line) for line in north.get("/api/v1/stock/feed", headers=week["feed"]).body.splitlines()]
    return {item["reference"]: item["title"].split(", ")[1] for item in items if item["status"] == "PUBLISHED"}


def counts(**changed):
    return {"created": 0, "updated": 0, "unchanged": 0, "archived": 0, "failed": 0, "failures": [], "dryRun": False, **changed}


def test_monday_an_integration_gets_a_token_for_stock_alone():
    add_user("ann@dealer.test", "ADMIN")
    week["ann"] = sign_in("ann@dealer.test")
    made = north.call("POST", "/api/v1/accounts/integrations", {"name": "Feed"}, week["ann"]).data()
    token = north.call("POST", f"/api/v1/accounts/integrations/{made['id']}/tokens", {"name": "Nightly", "scopes": ["stock:write"]},
                       week["ann"]).data()["token"]
    week["feed"] = {"Authorization": f"Bearer {token}"}
    refused = north.call("POST", "/api/v1/jobs", {"title": "Fitter"}, week["feed"])
    equal((refused.status, refused.json(), refused.headers["WWW-Authenticate"]),
          (403, {"error": "Forbidden"}, 'Bearer error="insufficient_scope", scope="jobs:write"'), "beyond its scope")
    equal(send(feed("Monday")).data(), counts(created=ITEMS), "the first night")
    equal(send(feed("Monday"), "?mode=complete").data(), counts(unchanged=ITEMS), "the same again")
    week["since"] = north.get("/api/v1/stock", headers=week["feed"]).headers["X-Next-Updated-Since"]


def kill_all(unit):
    """The unit's main process and its children."""
    main = said(f"systemctl show -P MainPID {unit}")
    run(f"kill -KILL {main} $(pgrep -P {main})")


def killed_night(before, edition, kill):
    """Sends a feed that `kill` ends at its last item. Readers have all of it or nothing, and so has who sends it again."""
    item = f"stock_items WHERE organisation_id = (SELECT id FROM organisations) AND reference = 'V-{ITEMS - 1:04}'"
    holder = subprocess.Popen(["mariadb", "--unbuffered", "tradepost_north"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    answers = []
    sender = threading.Thread(target=lambda: answers.append(send(feed(edition))))
    try:
        holder.stdin.write(f"BEGIN; SELECT 'held' FROM {item} FOR UPDATE;\n")
        holder.stdin.flush()
        expect(holder.stdout.readline() and holder.stdout.readline() == "held\n", "the item is held")
        sender.start()
        # A statement that reads one row takes longer for no other reason. (Who asks innodb_trx all the time is told nothing new.)
        waiting = "SELECT COUNT(*) FROM information_schema.processlist WHERE user = 'tradepost_north' AND info LIKE '%FOR UPDATE' AND time_ms > 300"
        wait_until(lambda: said(f'mariadb -N -e "{waiting}"') == "1" or answers, "the feed is at its last item")
        expect(not answers, f"{answers and (answers[0].status, answers[0].body[:200])}")
        kill()
    finally:
        holder.kill()
    sender.join()
    expect(answers[0].status in (502, 503), f"{answers[0].status} {answers[0].body[:200]}")
    north.wait_ready()
    equal(set(stock().values()), {before}, "what readers see")
    equal(send(feed(edition)).data(), counts(updated=ITEMS), "the feed once more")
    equal(set(stock().values()), {edition}, "what readers see then")


def test_tuesday_to_thursday_a_night_that_is_killed_changes_nothing():
    killed_night("Monday", "Tuesday", lambda: kill_all("tradepost-uploads@north.service"))
    killed_night("Tuesday", "Wednesday", lambda: [run(f"kill -KILL {worker}") for worker in north.workers("-uploads")])
    killed_night("Wednesday", "Thursday", lambda: kill_all("mariadb.service"))


def test_friday_a_poll_sees_what_the_week_changed():
    equal(send(feed("Thursday", range(ITEMS - 10)), "?mode=complete").data(), counts(unchanged=ITEMS - 10, archived=10), "ten are sold")
    equal(north.call("DELETE", "/api/v1/stock/by-reference/V-0000", headers=week["feed"]).status, 403, "a deletion by a MEMBER")
    equal(north.call("DELETE", "/api/v1/stock/by-reference/V-0000").status, 200, "by an ADMIN")
    changed, path = {}, f"/api/v1/stock?updatedSince={week['since']}&limit=100"
    while path:
        answer = north.get(path, headers=week["feed"])
        changed |= {item["reference"]: item["status"] for item in answer.data()["stock"]}
        following = re.search(r'<https://[^/]+([^>]*)>; rel="next"', answer.headers["Link"] or "")
        path = following and following[1]
    equal(changed, {f"V-{n:04}": "PUBLISHED" if n < ITEMS - 10 else "ARCHIVED" for n in range(1, ITEMS)}, "changes")
    deleted = north.get(f"/api/v1/stock/deletions?since={week['since']}", headers=week["feed"]).data()
    equal([each["reference"] for each in deleted["deletions"]], ["V-0000"], "deletions")


def test_a_picture_is_fetched_by_the_installed_service():
    receiver = week["receiver"]
    receiver.files["/picture.png"] = PICTURE
    item = north.call("PUT", "/api/v1/stock/by-reference/V-0001", {"title": "Van 1, Thursday", "price": 101, "currency": "GBP", "images": [{"sourceUrl": receiver.url("picture.png")}]},
                      week["feed"]).data()
    equal(item["images"][0]["status"], "FETCHING", "at first")

    def image():
        found = north.get("/api/v1/stock/by-reference/V-0001", headers=week["feed"]).data()["images"][0]
        return found["status"] != "FETCHING" and found

    fetched = wait_until(image, "the picture is fetched")
    equal(fetched["status"], "READY", "then")
    for name in ("url", "thumbnailUrl"):
        answer = north.get(fetched[name], headers={"Authorization": None})
        expect(answer.status == 200 and answer.headers["Content-Type"].startswith("image/"), f"{name}: {answer.status}")


def test_a_receiver_that_fails_and_recovers_misses_nothing():
    receiver = week["receiver"]
    made = north.call("POST", "/api/v1/webhooks", {"url": receiver.url("hook"), "events": ["stock.changed", "enquiry.created"]}, week["ann"]).data()
    receiver.answer = 503
    for price in range(1, 6):
        north.call("PUT", "/api/v1/stock/by-reference/V-0002", {"title": "Van 2", "price": price, "currency": "GBP"}, week["feed"]).data()
    receiver.await_that(lambda all_: len(all_) >= 2)
    kill_all("tradepost-deliver@north.service")
    count = len(receiver.received)
    receiver.await_that(lambda all_: len(all_) > count)
    receiver.answer = 204
    told = receiver.await_that(lambda all_: len({each.id for each in all_}) == 5 and list(all_))
    prices = list(dict.fromkeys(each.json["data"]["price"] for each in told))
    equal(prices, [1, 2, 3, 4, 5], "the order")
    for each in told:
        equal(each.signatures(made["secret"]), 1, "signatures")


def test_a_forgotten_password_is_replaced_by_a_letter():
    stolen = sign_in("ann@dealer.test")
    asked = north.call("POST", "/dashboard/api/reset", {"email": "ann@dealer.test"}, {"Authorization": None, "Origin": north.base})
    equal(asked.status, 200, "asked for")
    (link,) = re.findall(r"https://\S+", week["post"].letter("ann@dealer.test").part("text/plain"))
    path = "/dashboard/api/reset/" + link.rsplit("/", 1)[1]
    expect(link.startswith(north.base + "/dashboard/"), link)
    for status in (200, 404):
        done = north.call("PUT", path, {"password": "entirely different 7", "revokeTokens": True}, {"Authorization": None, "Origin": north.base})
        equal(done.status, status, "the link")
    equal(sign_in("ann@dealer.test"), None, "the old password")
    week["ann"] = sign_in("ann@dealer.test", "entirely different 7")
    expect(week["ann"], "the new password")
    equal(north.get("/api/v1/me", headers=stolen).status, 401, "tokens of the old password")


def test_an_employee_leaves_and_the_feed_goes_on():
    north.ctl("user disable --email ann@dealer.test")
    equal(north.get("/api/v1/me", headers=week["ann"]).status, 401, "hers")
    equal(send(feed("Thursday", range(10, 20))).data(), counts(unchanged=10), "the integration's")


def test_an_erased_person_is_known_to_nobody():
    add_user("sam@buyer.test")
    sam = sign_in("sam@buyer.test")
    item = north.get("/api/v1/stock/by-reference/V-0005", headers=week["feed"]).data()
    made = north.call("POST", "/api/v1/enquiries", {"stockId": item["id"], "name": "Sam", "email": "sam@buyer.test", "message": "Still there?"}, sam)
    equal(made.status, 201, "an enquiry")
    week["receiver"].await_that(lambda all_: any(each.json["type"] == "enquiry.created" for each in all_))
    known = json.loads(north.ctl("export person --email sam@buyer.test").stdout)
    equal([each["message"] for each in known["enquiries"]], ["Still there?"], "what is known")
    report = json.loads(north.ctl("erase --email sam@buyer.test").stdout)
    equal((report["user"], report["enquiries"], report["tokens"]), (True, 1, 1), "the report")
    equal(north.get("/api/v1/me", headers=sam).status, 401, "the token")
    equal(north.get("/api/v1/enquiries").data()["enquiries"], [], "the dealer's enquiries")
    dump = said("mariadb-dump --hex-blob tradepost_north")
    expect("sam@buyer.test" not in dump and "Still there?" not in dump, "the database has them still")


def test_at_the_end_nothing_waits_and_nothing_is_wrong():
    wait_until(lambda: json.loads(north.ctl("--json outbox list --state waiting").stdout) == [], "messages wait")
    equal(json.loads(north.ctl("--json outbox list --state dead").stdout), [], "messages that were given up")
    # As it advises for a host with Debian's own nginx.conf.
    run("sed -i 's/worker_connections .*/worker_connections 1600;/; 1i worker_rlimit_nofile 3200;' /etc/nginx/nginx.conf && systemctl reload nginx")
    complaints = [line for line in north.ctl("doctor --cacert /etc/tradepost/north.crt").stdout.splitlines() if not line.startswith("ok ")]
    equal(complaints, [], "doctor")
