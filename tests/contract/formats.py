"""The formats of JSON Schema that answers are held against, written out: the checkers that jsonschema brings depend on what
else is installed, and leave a format unchecked without a word."""

import datetime
import ipaddress
import re
import urllib.parse
import uuid

import jsonschema

checker = jsonschema.FormatChecker(formats=())

_DATE_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:(\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)\Z")
_LABEL = re.compile(r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\Z")


def _format(name, raises=ValueError):
    """Strings only: every other type passes, as JSON Schema has it."""

    def decorate(check):
        @checker.checks(name, raises=raises)
        def wrapped(value):
            return not isinstance(value, str) or check(value)

        return wrapped

    return decorate


@_format("uuid")
def is_uuid(text):
    return len(text) == 36 and str(uuid.UUID(text)) == text.lower()


@_format("date")
def is_date(text):
    return len(text) == 10 and bool(datetime.date.fromisoformat(text))


@_format("date-time")
def is_date_time(text):
    if not _DATE_TIME.match(text):
        return False
    datetime.datetime.fromisoformat(text[:19])
    return True


@_format("hostname")
def is_hostname(text):
    return len(text) <= 253 and all(_LABEL.match(label) for label in text.split("."))


@_format("ipv4")
def is_ipv4(text):
    return bool(ipaddress.IPv4Address(text))


@_format("ipv6")
def is_ipv6(text):
    return bool(ipaddress.IPv6Address(text))


@_format("email")
def is_email(text):
    local, at, host = text.rpartition("@")
    return bool(at) and bool(local) and not re.search(r"[\s@<>,\"]", local) and is_hostname(host)


@_format("uri-reference")
def is_uri_reference(text):
    urllib.parse.urlsplit(text)
    return not re.search(r"[^\x21-\x7e]|[<>\"\\^`{|}]", text)


@_format("uri")
def is_uri(text):
    parts = urllib.parse.urlsplit(text)
    return is_uri_reference(text) and bool(parts.scheme) and (parts.scheme not in ("http", "https") or bool(parts.hostname))


# Told apart by people, not by programs.
@_format("password")
def is_password(text):
    return True


# Files and feeds, which are no JSON.
@_format("binary")
def is_binary(text):
    return True


# RFC 6531 and RFC 3987: the same with characters of other scripts, which a check of ASCII takes in their escaped form.
def _ascii(text):
    return urllib.parse.quote(text, safe=r"""!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~""") if text.isprintable() else text


@_format("idn-email")
def is_idn_email(text):
    local, _, host = text.rpartition("@")
    try:
        return is_email(_ascii(local) + "@" + host.encode("idna").decode())
    except UnicodeError:
        return False


@_format("iri")
def is_iri(text):
    return is_uri(_ascii(text))


KNOWN = set(checker.checkers)
