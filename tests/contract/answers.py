#!/usr/bin/python3
"""Holds recorded answers of the service against its description.

    answers.py OPENAPI ANSWERS.ndjson…

The bodies must fit the description that the service offers, too, which is made from this one.

A line of ANSWERS is an object: method, path (as it was requested, with the query), status, headers (names in lower case), body (a
string) and origin (what asked). The path and method must be described, or the answer be 404 or 405; the status must be described;
headers that the description requires must be there and fit; so must content type and body. What is described, and not marked
`x-not-tested: <reason>`, must occur. Prints each violation once and at last `N passed, N failed`; exit status 1 when any failed.
"""

import itertools
import json
import multiprocessing
import sys

sys.dont_write_bytecode = True  # the source tree stays as it is

from described import Described
from publish import published  # described.py says where it is
from source import load

JSON_TYPE = "application/json; charset=utf-8"
PROBLEM_TYPE = "application/problem+json"


def check(description, answer):
    """Returns what was seen, as (method, template, status) or None, and a list of faults."""
    method = "GET" if answer["method"] == "HEAD" else answer["method"]
    status = answer["status"]
    found = description.find_path(answer["path"].split("?")[0])
    anywhere = description.root.get("x-any-path", {})

    if not found:
        if status == 404:
            return None, check_response(description, answer, anywhere["unknownPath"]["404"])
        if str(status) in anywhere["webServer"] and status != 404:
            return None, check_response(description, answer, anywhere["webServer"][str(status)])
        return None, [f"the path is not described, and the answer is {status}, not 404"]
    template, item = found
    if method == "OPTIONS":
        if status == 200:
            return None, check_response(description, answer, anywhere["options"]["200"])
        return None, [f"OPTIONS answered {status}"]
    operation = item.get(method.lower()) if method.isupper() else None
    if not operation:
        if status == 405:
            return None, check_response(description, answer, anywhere["unknownMethod"]["405"])
        if str(status) in anywhere["webServer"]:
            return None, check_response(description, answer, anywhere["webServer"][str(status)])
        return None, [f"the method is not described, and the answer is {status}, not 405"]

    described = description.response(operation, status)
    by_server = anywhere["webServer"].get(str(status))
    if not described:
        if by_server:
            return None, check_response(description, answer, by_server)
        return None, [f"status {status} is not described"]
    faults = check_response(description, answer, described[1])
    if faults and by_server and not check_response(description, answer, by_server):
        return None, []
    # A HEAD that is right does not show that the body of GET is.
    return (None if answer["method"] == "HEAD" else (method, template, described[0])), faults


def is_counted_by_nginx(answer):
    """Whether nginx adds the headers of the limit to an answer, which the application by itself does not: it has the write counted before the body."""
    path = answer["path"].split("?")[0]
    sent = answer["method"], path
    return str(answer.get("origin", "")).startswith("tests/api/") and (path.endswith("/feed") or sent == ("POST", "/api/v1/uploads"))


def check_response(description, answer, response):
    faults = []
    headers = answer["headers"]
    for name, header in response.get("headers", {}).items():
        header = description.resolve(header)
        value = headers.get(name.lower())
        if value is None:
            if header.get("required") and not (name.startswith("RateLimit-") and is_counted_by_nginx(answer)):
                faults.append(f"header {name} is missing")
            continue
        schema, value = header["schema"], header_value(description, header["schema"], value)
        faults += [f"header {name}{fault}" for fault in description.faults_again(schema, value, value)]

    body = answer["body"]
    if answer["method"] == "HEAD" or answer["status"] == 304:
        return faults + (["a body where there must be none"] if body else [])
    media = response.get("content", {}).get("application/json")
    if not media:
        types = list(response.get("content", {}))
        if types and headers.get("content-type", "").split(";")[0] not in types:
            faults.append(f"content type is {headers.get('content-type')!r}, not {' or '.join(types)}")
        return faults
    is_problem = headers.get("content-type") == PROBLEM_TYPE and answer["status"] >= 400
    if not is_problem and headers.get("content-type") != JSON_TYPE:
        faults.append(f"content type is {headers.get('content-type')!r}, not {JSON_TYPE!r}")
    try:
        value = json.loads(body, parse_constant=refuse_constant)
    except ValueError as error:
        return faults + [f"the body is no JSON: {error}: {body[:100]!r}"]
    if is_problem:
        faults += [f"problem {fault}" for fault in description.faults(description.root["components"]["schemas"]["Problem"], value)]
        value = {"error": value.get("detail")}  # the text that it has without the header
    return faults + [f"body {fault}" for fault in description.faults_again(media["schema"], (is_problem, body), value)]


def header_value(description, schema, value):
    """Headers are text: a number where the schema wants one."""
    if description.resolve(schema).get("type") == "integer" and value.isascii() and value.isdigit():
        return int(value)
    return value


def refuse_constant(name):
    raise ValueError(f"{name} is no JSON")


def check_offered(offered, answer):
    """What of a JSON body that is right does not fit the description that the service offers."""
    found = offered.find_path(answer["path"].split("?")[0])
    operation = found and found[1].get(answer["method"].lower())
    response = operation and offered.response(operation, answer["status"])
    media = response and response[1].get("content", {}).get("application/json")
    if not media or not answer["body"] or answer["headers"].get("content-type") == PROBLEM_TYPE:
        return []
    return [f"offered: body {fault}" for fault in offered.faults_again(media["schema"], answer["body"], json.loads(answer["body"]))]


def read_answers(paths):
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                try:
                    yield json.loads(line)
                except ValueError as error:
                    raise SystemExit(f"{path}:{number}: {error}")


def chunks(answers, size=200):
    while chunk := list(itertools.islice(answers, size)):
        yield chunk


class Checker:
    """Checks chunks of answers in a process of the pool."""

    def __init__(self, description, offered):
        self.description = description
        self.offered = offered

    def __call__(self, chunk):
        """Returns (what was seen, how many answers passed, how many failed, the texts of their faults)."""
        seen, failed, texts = set(), 0, []
        for answer in chunk:
            what, faults = check(self.description, answer)
            faults = faults or check_offered(self.offered, answer)
            if what:
                seen.add(what)
            failed += bool(faults)
            texts += [f"{answer.get('origin', '?')}: {answer['method']} {answer['path'][:120]} → {answer['status']}: {fault}" for fault in faults]
        return seen, len(chunk) - failed, failed, texts


checker = None  # a process of the pool inherits it


def check_chunk(chunk):
    return checker(chunk)


def main(arguments):
    global checker
    if len(arguments) < 2:
        raise SystemExit(__doc__)
    description = Described(load(arguments[0]))
    checker = Checker(description, Described(published(load(arguments[0]), "0.0.0")))
    passed = failed = 0
    seen, told = set(), set()
    with multiprocessing.get_context("fork").Pool() as pool:
        for what, good, bad, texts in pool.imap(check_chunk, chunks(read_answers(arguments[1:]))):
            seen |= what
            passed += good
            failed += bad
            for text in texts:
                if text not in told:
                    told.add(text)
                    print(text)
    for what in description.expected():
        if what in seen:
            passed += 1
        else:
            failed += 1
            print(f"no test saw {' '.join(what)}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
