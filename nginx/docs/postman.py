"""The examples of all operations as a collection for Postman (format v2.1), which newman, Bruno, Insomnia and Hoppscotch read as well."""

import uuid

from publish import ADDRESS


def postman(pages):
    info = pages.description.root["info"]
    return {
        "info": {"_postman_id": _id(info["title"]), "name": info["title"], "description": info["summary"], "version": info["version"],
                 "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
        "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "{{token}}", "type": "string"}]},
        "variable": [{"key": "base", "value": ADDRESS}, {"key": "token", "value": ""}],
        "item": [{"name": group["name"], "item": [_request(each, pages.examples[each["id"]]) for each in group["operations"] if not each["webhook"]]}
                 for group in pages.groups if any(not each["webhook"] for each in group["operations"])],
    }


def _id(text):
    # The same description gives the same bytes.
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"tradepost:{text}"))


def _request(each, example):
    path = [f":{part[1:-1]}" if part.startswith("{") else part for part in each["path"].strip("/").split("/")]
    headers = [{"key": "Content-Type", "value": example["mediaType"]}] if example["mediaType"] else []
    if any(row["name"] == "Idempotency-Key" for _, rows in each["parameters"] for row in rows):
        headers.append({"key": "Idempotency-Key", "value": "{{$guid}}"})
    given = lambda name: [value for key, value in example["query"] if key == name]
    query = [{"key": row["name"], "value": value or "", "disabled": value is None, "description": row["text"]}
             for title, rows in each["parameters"] if title == "In the query" for row in rows for value in given(row["name"]) or [None]]
    request = {
        "method": each["method"], "header": headers, "description": each["text"],
        "url": {"raw": "{{base}}/" + "/".join(path), "host": ["{{base}}"], "path": path, "query": query,
                "variable": [{"key": name, "value": str(value)} for name, value in example["values"].items()]},
    }
    if each["access"] == "No credential":
        request["auth"] = {"type": "noauth"}
    if example["sent"] is not None:
        request["body"] = {"mode": "raw", "raw": example["sent"]}
    elif example["mediaType"]:
        request["body"] = {"mode": "file", "file": {}}
    return {"id": _id(each["id"]), "name": each["summary"], "request": request, "response": []}
