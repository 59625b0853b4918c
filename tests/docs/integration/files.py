"""Pictures and documents: in JSON, announced and sent to a ticket, and by address."""

import base64
import hashlib
import struct
import time
import zlib

from client import refused
from stock import item, result, send

PDF = b"%PDF-1.4\n1 0 obj <</Pages 2 0 R>> endobj\n2 0 obj <</Kids [3 0 R]/Count 1>> endobj\n3 0 obj <</Type/Page>> endobj\ntrailer <</Root 1 0 R>>\n%%EOF\n"


def picture(width, height):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + b"\xc8\x0a\x0a" * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def attaches_a_picture_and_a_document(world):
    api = world.program
    image = api.post("/api/v1/uploads", {"filename": "van.png", "contentType": "image/png", "data": base64.b64encode(picture(64, 48)).decode()}).data
    assert [image[name] for name in ("status", "contentType", "width", "height")] == ["READY", "image/png", 64, 48]

    announced = {"filename": "history.pdf", "contentType": "application/pdf", "size": len(PDF), "sha256": hashlib.sha256(PDF).hexdigest()}
    pending = api.post("/api/v1/uploads", announced).data
    assert (pending["status"], pending["url"]) == ("PENDING", None)
    raw = {"Content-Type": "application/octet-stream"}
    # The ticket is enough: nobody's token is sent.
    document = world.nobody.request("PUT", pending["uploadUrl"], PDF, headers=raw).data
    assert (document["id"], document["status"], document["sha256"]) == (pending["id"], "READY", announced["sha256"])
    # nginx counts a request for a moment after its response.
    while (refusal := refused(lambda: world.nobody.request("PUT", pending["uploadUrl"], PDF, headers=raw))).error == "Conflict: ticket is in use":
        pass
    assert (refusal.status, refusal.error) == (409, "Conflict: ticket is spent")

    before = api.get("/api/v1/stock/by-reference/VAN-001")
    change = {"images": [{"uploadId": image["id"]}], "documents": [{"uploadId": document["id"], "title": "Service history"}]}
    after = api.request("PATCH", f"/api/v1/stock/{before.data['id']}", change, headers={"If-Match": before.headers["ETag"]}).data
    assert after["images"] == [{"uploadId": image["id"], "url": image["url"], "thumbnailUrl": image["thumbnailUrl"], "sourceUrl": None, "status": "READY", "error": None}]
    assert after["documents"] == [{"uploadId": document["id"], "title": "Service history", "url": document["url"]}]
    assert world.nobody.get(after["documents"][0]["url"]).body == PDF
    assert world.nobody.get(after["images"][0]["url"]).headers["Content-Type"] == "image/png"
    # A feed that says nothing of them leaves them, and what is shown is not deleted.
    assert send(api, [world.rows[1]]) == result(unchanged=1)
    refusal = refused(lambda: api.request("DELETE", f"/api/v1/uploads/{image['id']}"))
    assert (refusal.status, refusal.error) == (409, "Conflict: upload is attached")
    assert {each["id"] for each in api.read_list("/api/v1/uploads", "uploads")[0]} == {image["id"], document["id"]}


def names_pictures_by_address(world):
    api, path = world.program, "/api/v1/stock/by-reference/VAN-002"
    since = api.read_list("/api/v1/stock", "stock")[1]
    # This host is not public, so that the service cannot fetch it.
    row = {**world.rows[2], "images": [{"sourceUrl": "https://localhost/van.jpg"}]}
    assert send(api, [row]) == result(updated=1)
    first = api.get(path)
    began = first.data["updatedAt"]
    for _ in range(60):
        now = api.get(path)
        image = now.data["images"][0]
        assert (image["sourceUrl"], image["url"], image["thumbnailUrl"]) == ("https://localhost/van.jpg", None, None)
        if image["status"] == "FAILED":
            break
        assert image["status"] == "FETCHING"
        time.sleep(0.5)
    assert image["status"] == "FAILED"
    seen = [each for each in api.poll("/api/v1/stock", "stock", since)[0] if each["reference"] == "VAN-002"]
    assert [each["images"][0]["status"] for each in seen] == ["FAILED"]
    assert seen[0]["updatedAt"] >= began
    refusal = refused(lambda: api.request("PUT", path, item(2, images=[{"sourceUrl": "http://images.example/van.jpg"}])))
    assert (refusal.status, refusal.error) == (400, "Invalid field: images: sourceUrl must be an https URL")
    assert send(api, [{**row, "images": []}]) == result(updated=1)
