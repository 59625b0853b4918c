"""A dealer's software and its operator for a week: feeds at night, receivers that fail, people who come and go. What one test leaves, the
next one finds."""
import base64
import itertools
import json
import pathlib
import re

from host import equal, expect, kill, north, prepare as prepare_instances, run, said, wait_until
from nights import ITEMS, Feed, counts, edition_of, killed_night, reference
from receivers import Hook, Receiver, Server, connect, kill_deliverer

FOLDER = pathlib.Path("/run/week")
OLD, NEW = "correct horse 9 battery", "entirely different 7"
NOBODY = {"Authorization": None}
# A PNG of one pixel.
PICTURE = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
week = {}  # what is known by now: the feed, the token of who made it, the servers outside


def prepare():
    prepare_instances()
    FOLDER.mkdir()
    week["receiver"], week["post"] = Receiver(FOLDER), Server(FOLDER).start()
    connect(week["receiver"], week["post"])


def add_user(email, role=None):
    north.ctl(f"user add --email {email} --name Person --password-stdin", input=OLD + "\n")
    if role:
        north.ctl(f"org add-member --org dealer --email {email} --role {role}")


def sign_in(email, password=OLD):
    answer = north.served("POST", "/api/v1/auth", {"email": email, "password": password}, NOBODY)
    expect(answer.status in (200, 401), f"{answer.status} {answer.body[:200]}")
    return {"Authorization": f"Bearer {answer.data()['token']}"} if answer.status == 200 else None


def dashboard(method, path, body=None, cookie=None):
    """As a browser asks, without a token."""
    return north.call(method, f"/dashboard/api/{path}", body, {**NOBODY, "Origin": north.base, "Cookie": cookie})


def put(number, body, headers=None):
    return north.call("PUT", f"/api/v1/stock/by-reference/{reference(number)}", body, headers or week["feed"].headers)


def outbox(state):
    return json.loads(north.ctl(f"--json outbox list --state {state}").stdout)


def await_silence():
    wait_until(lambda: outbox("waiting") == [], "messages wait")


def test_monday_an_integration_gets_a_token_for_stock_alone():
    add_user("ann@dealer.test", "ADMIN")
    week["ann"] = sign_in("ann@dealer.test")
    made = north.call("POST", "/api/v1/accounts/integrations", {"name": "Feed"}, week["ann"]).data()
    token = north.call("POST", f"/api/v1/accounts/integrations/{made['id']}/tokens", {"name": "Nightly", "scopes": ["stock:write"]},
                       week["ann"]).data()["token"]
    feed = week["feed"] = Feed(token)
    equal(north.get("/api/v1/me", headers=feed.headers).data()["token"]["scopes"], ["stock:write"], "its scopes")
    for method, path, body, scope in (("POST", "/api/v1/jobs", {}, "jobs:write"), ("GET", "/api/v1/enquiries", None, "enquiries:read"),
                                      ("POST", "/api/v1/uploads", {}, "uploads:write"), ("GET", "/api/v1/accounts", None, "account:read"),
                                      ("GET", "/api/v1/webhooks", None, None), ("POST", "/api/v1/accounts/integrations", {"name": "More"}, None)):
        refused = north.call(method, path, body, feed.headers)
        equal((refused.status, refused.json(), refused.headers["WWW-Authenticate"]),
              (403, {"error": "Forbidden"}, 'Bearer error="insufficient_scope"' + (f', scope="{scope}"' if scope else "")), f"{method} {path}")
    unknown = north.get("/api/v1/stock", headers={"Authorization": f"Bearer {'0' * 64}"})
    equal((unknown.status, unknown.headers["WWW-Authenticate"]), (401, "Bearer"), "a token that is none")


def test_monday_night_takes_all_of_the_stock():
    feed = week["feed"]
    feed.takes(edition_of("Monday", 0), created=ITEMS)
    feed.begins_to_poll()
    feed.takes(edition_of("Monday", 0), unchanged=ITEMS)


def workers():
    return [str(pid) for pool in ("", "-auth", "-uploads") for pid in north.workers(pool)]


def kill_services():
    for unit in north.units():
        kill(unit)


def kill_workers():
    run(f"kill -KILL {' '.join(workers())}")


def test_tuesday_the_services_are_killed_while_the_feed_runs():
    killed_night(week["feed"], "Tuesday", 10, kill_services, 502)


def test_wednesday_all_workers_are_killed_while_the_feed_runs():
    killed_night(week["feed"], "Wednesday", 20, kill_workers, 502)


def test_thursday_the_database_is_killed_while_the_feed_runs():
    killed_night(week["feed"], "Thursday", 30, lambda: kill("mariadb.service"), 503)
    week["feed"].takes(edition_of("Thursday", 30), unchanged=ITEMS)


def test_friday_a_poll_sees_exactly_what_the_day_changed():
    feed = week["feed"]
    feed.takes({reference(100): "Van 100, repainted", reference(101): "Van 101, Thursday"}, mode="merge", updated=1, unchanged=1)
    refused = north.call("DELETE", f"/api/v1/stock/by-reference/{reference(102)}", headers=feed.headers)
    equal((refused.status, refused.headers["WWW-Authenticate"]), (403, None), "a deletion by a MEMBER, whose scope allows it")
    equal(north.call("DELETE", f"/api/v1/stock/by-reference/{reference(102)}").status, 200, "by an ADMIN")
    equal(put(103, {"title": "Van 103, washed", "price": 100, "currency": "GBP"}).status, 200, "a change of one item")
    del feed.stock[reference(102)]
    feed.stock[reference(103)] = ("Van 103, washed", "PUBLISHED")
    feed.is_all_there()
    feed.sees_changes({reference(103): feed.stock[reference(103)]}, deleted=[reference(102)])
    feed.sees_changes({})


def test_a_picture_is_fetched_by_the_installed_service():
    receiver = week["receiver"]
    receiver.files["/picture.png"] = PICTURE
    item = put(100, {"title": "Van 100", "price": 101, "currency": "GBP", "images": [{"sourceUrl": receiver.url("picture.png")}]}).data()
    equal(item["images"][0]["status"], "FETCHING", "at first")

    def image():
        found = north.get(f"/api/v1/stock/by-reference/{reference(100)}", headers=week["feed"].headers).data()["images"][0]
        return found["status"] != "FETCHING" and found

    fetched = wait_until(image, "the picture is fetched")
    equal(fetched["status"], "READY", "then")
    for name in ("url", "thumbnailUrl"):
        answer = north.get(fetched[name], headers=NOBODY)
        expect(answer.status == 200 and answer.headers["Content-Type"].startswith("image/"), f"{name}: {answer.status}")


def test_receivers_that_fail_and_recover_miss_nothing():
    receiver, prices, killed = week["receiver"], itertools.count(1), []
    failing, steady = (Hook(receiver, path, week["ann"]) for path in ("failing", "steady"))

    def change():
        for price in itertools.islice(prices, 3):
            put(104, {"title": "Van", "price": price, "currency": "GBP"}).data()

    # It answers errors: it gets nothing but the first message, again and again, and holds up nobody else.
    receiver.answer = lambda message: 500 if message.path == failing.path else 204
    change()
    receiver.await_that(lambda _: len(failing.told()) >= 2 and len(steady.ids()) == 3)
    equal(set(failing.prices()), {1}, "what a receiver that fails is told")

    # It is down.
    receiver.stop()
    change()
    for hook in (failing, steady):
        wait_until(lambda: hook.deliveries()["deliveries"][0]["error"] == "the connection was refused", "an attempt while it is down")

    # It recovers; the deliverer is killed when the second message has arrived and was not answered yet.
    def recovering(message):
        if not killed and message.path == failing.path and message.json["data"]["price"] == 2:
            killed.append(message.id)
            kill_deliverer()
        return 204

    receiver.answer = recovering
    receiver.start()
    for hook in (failing, steady):
        receiver.await_that(lambda _: len(hook.ids()) == 6)
        wait_until(lambda: hook.deliveries()["waiting"] == 0, f"nothing waits for {hook.path}")
        # What comes again comes before anything later.
        equal((hook.prices(), set(hook.prices())), (sorted(hook.prices()), {1, 2, 3, 4, 5, 6}), f"the order of {hook.path}")
        equal(len(hook.ids()), 6, "what comes again has its id")
        for each in hook.told():
            equal((each.signatures(hook.secret), each.json["type"]), (1, "stock.changed"), "signature and type")
    equal([each.id for each in failing.told()].count(killed[0]), 2, "what was not answered arrives again, once")


def test_a_forgotten_password_is_replaced_by_a_letter():
    session = dashboard("POST", "session", {"email": "ann@dealer.test", "password": OLD})
    cookie = re.match(r"__Host-session=[^;]+", session.headers["Set-Cookie"])[0]
    equal(dashboard("GET", "session", cookie=cookie).status, 200, "a session")
    links = []
    for _ in range(2):
        equal(dashboard("POST", "reset", {"email": "ann@dealer.test"}).json(), {"data": {}}, "asked for")
        links += re.findall(r"https://\S+", week["post"].letter("ann@dealer.test").part("text/plain"))
    for link in links:
        expect(re.fullmatch(re.escape(north.base) + "/dashboard/#/reset/[0-9a-f]{64}", link), link)
    first, second = (link.rsplit("/", 1)[1] for link in links)
    for token, status in ((second, 200), (second, 404), (first, 404)):
        done = dashboard("PUT", f"reset/{token}", {"password": NEW, "revokeTokens": True})
        equal(done.status, status, "a link works once, and ends the others")
    equal(dashboard("GET", "session", cookie=cookie).status, 401, "a session of the old password")
    equal(north.get("/api/v1/me", headers=week["ann"]).status, 401, "a token of the old password")
    equal(sign_in("ann@dealer.test"), None, "the old password")
    week["ann"] = sign_in("ann@dealer.test", NEW)
    equal(north.get("/api/v1/me", headers=week["ann"]).data()["email"], "ann@dealer.test", "the new password")
    equal(put(105, {"title": "Van", "price": 1, "currency": "GBP"}).status, 200, "the integration that she made")
    logs = said("journalctl -b --no-pager; cat /var/log/nginx/*.log")
    expect(first not in logs and second not in logs, "a link is in a log")


def test_an_employee_leaves_and_the_feed_goes_on():
    def feeds():
        done = week["feed"].send({reference(number): f"Van {number}, Thursday" for number in range(200, 210)}, mode="merge")
        equal(done.data(), counts(unchanged=10), "the integration's")

    item = {"title": "Van", "price": 2, "currency": "GBP"}
    equal(put(105, item, week["ann"]).status, 200, "hers, while she is there")
    north.ctl("org remove-member --org dealer --email ann@dealer.test")
    equal((put(105, {**item, "price": 3}, week["ann"]).status, north.get("/api/v1/me", headers=week["ann"]).status), (404, 200), "hers, once removed")
    feeds()
    north.ctl("user disable --email ann@dealer.test")
    equal((north.get("/api/v1/me", headers=week["ann"]).status, sign_in("ann@dealer.test", NEW)), (401, None), "hers, once disabled")
    feeds()


def test_an_erased_person_is_known_to_nobody():
    add_user("sam@buyer.test")
    sam = sign_in("sam@buyer.test")
    item = north.get(f"/api/v1/stock/by-reference/{reference(106)}", headers=week["feed"].headers).data()
    made = north.call("POST", "/api/v1/enquiries", {"stockId": item["id"], "name": "Sam", "email": "sam@buyer.test", "message": "Still there?"},
                      sam).data()
    # The webhooks and the letters outlive who made them, too.
    for path in ("/failing", "/steady"):
        week["receiver"].await_that(lambda all_: any(each.path == path and each.json["type"] == "enquiry.created" for each in all_))
    week["post"].letter("user@dealer.test")
    await_silence()
    known = json.loads(north.ctl("export person --email sam@buyer.test").stdout)
    equal((known["user"]["email"], [each["message"] for each in known["enquiries"]]), ("sam@buyer.test", ["Still there?"]), "what is known")
    equal([each["id"] for each in north.get("/api/v1/enquiries?q=still").data()["enquiries"]], [made["id"]], "what the dealer finds")

    report = json.loads(north.ctl("erase --email sam@buyer.test").stdout)
    events = report.pop("auditEvents")
    nothing = {"email": "sam@buyer.test", "user": False, "enquiries": 0, "tokens": 0, "sessions": 0, "memberships": 0, "notificationTokens": 0,
               "passwordResets": 0, "secondFactors": 0, "emailChanges": 0, "invitations": 0, "messages": 0, "keptAnswers": 0, "integrationTokens": []}
    # The messages are what each webhook was told.
    equal(report, {**nothing, "user": True, "enquiries": 1, "tokens": 1, "messages": 2}, "the report")
    equal(events, len(known["auditEvents"]) + 1, "events that name the person: those known, and that they were exported")

    equal(north.get("/api/v1/me", headers=sam).status, 401, "the token")
    for path in ("", "?q=still", "?q=sam"):
        equal(north.get(f"/api/v1/enquiries{path}").data()["enquiries"], [], "the dealer's enquiries")
    equal(north.get(f"/api/v1/enquiries/{made['id']}").status, 404, "the enquiry")
    known = json.loads(north.ctl("export person --email sam@buyer.test").stdout)
    del known["exportedAt"]
    equal(known, {"email": "sam@buyer.test", "user": None, "invitations": [], "emailChanges": [], "enquiries": []}, "what is known")
    equal(json.loads(north.ctl("erase --email sam@buyer.test").stdout), {**nothing, "auditEvents": 0}, "what is left to erase")
    dump = said("mariadb-dump --hex-blob tradepost_north")
    expect("sam@buyer.test" not in dump and "Still there?" not in dump, "the database has them still")
    # Last, since a sign-in that fails is recorded with its address.
    equal(sign_in("sam@buyer.test"), None, "the password")


def test_at_the_end_nothing_waits_and_nothing_is_wrong():
    await_silence()
    equal(outbox("dead"), [], "messages that were given up")
    equal(said("systemctl list-units --failed --no-legend 'tradepost*' | wc -l"), "0", "failed units")
    # As it advises for a host with Debian's own nginx.conf.
    run("sed -i 's/worker_connections .*/worker_connections 1600;/; 1i worker_rlimit_nofile 3200;' /etc/nginx/nginx.conf && systemctl reload nginx")
    # As OPERATORS.md says, of a backup that another program makes.
    run("touch /etc/tradepost/north.backed-up")
    complaints = [line for line in north.ctl("doctor --cacert /etc/tradepost/north.crt").stdout.splitlines() if not line.startswith("ok ")]
    equal(complaints, [], "doctor")
