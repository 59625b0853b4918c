"""A value for each schema, media type and parameter: what the description gives as example, else one made from the rules."""

BY_FORMAT = {
    "uuid": "0195f0a0-7c00-7000-8000-00000000c001",
    "date-time": "2026-03-01T09:30:00.000Z",
    "date": "2026-03-01",
    "uri": "https://ashford.example/",
    "iri": "https://ashford.example/",
    "uri-reference": "/uploads/3f/3f0c.jpg",
    "email": "dana@example.com",
    "idn-email": "dana@example.com",
}


# What a text of this name may be, where its schema has no example.
BY_NAME = {
    "summary": "The first face at our counter.", "description": "One owner, full history.", "phone": "+44 113 496 0000", "address": "1 Yard Lane",
    "data": "JVBERi0xLjQK", "token": "fGz3vK9dQ1u:APA91bH", "name": "Ashford Motors", "email": "max@ashford.example", "body": "Electric vans need **power**.", "value": "Ford", "organisationId": "0195f0a0-7c00-7000-8000-00000000a001", "filename": "van.jpg",
    "url": "https://hooks.ashford.example/tradepost", "reference": "VAN-0042", "city": "Leeds", "postalCode": "LS1 4AP", "venueName": "Yard Lane hall", "authorName": "Dana Field", "deviceName": "Dana's phone",
}


class Samples:
    def __init__(self, description):
        self.description = description

    def of_media(self, media):
        """The first example of a media type, as (summary, value, status that it gets or None, values of parameters)."""
        given = [self.description.resolve(each) for each in media.get("examples", {}).values()]
        # One that is refused shows how, not what to send.
        for each in sorted(given, key=lambda each: int(each.get("x-status", 200)) >= 400):
            return each.get("summary"), each.get("value"), each.get("x-status"), each.get("x-parameters", {})
        if "example" in media:
            return None, media["example"], None, {}
        return None, self.of(media.get("schema", {})), None, {}

    def of_parameter(self, parameter):
        if "example" in parameter:
            return parameter["example"]
        for each in parameter.get("examples", {}).values():
            return self.description.resolve(each).get("value")
        return self.of(parameter.get("schema", {}))

    def of(self, schema, depth=0):
        schema = self.description.merged(schema)
        schema, _ = self.description.without_null(schema)
        schema = self.description.merged(schema)
        if "example" in schema:
            return schema["example"]
        if schema.get("examples"):
            return schema["examples"][0]
        if "const" in schema:
            return schema["const"]
        if schema.get("enum"):
            return schema["enum"][0]
        for key in ("oneOf", "anyOf"):
            if key in schema:
                return self.of(schema[key][0], depth + 1)
        return self._made(schema, depth)

    def _made(self, schema, depth):
        kind = schema.get("type")
        kind = kind[0] if isinstance(kind, list) else kind
        if kind == "object" or "properties" in schema:
            if depth > 6:
                return {}
            # Only what is sent is closed: without what the service sets by itself.
            sent = schema.get("additionalProperties") is False
            shown = {name: node for name, node in schema.get("properties", {}).items()
                     if self.description.merged(node).keys() - {"description", "readOnly"} and not (sent and self.description.merged(node).get("readOnly"))}
            made = {name: self.of(node, depth + 1) for name, node in shown.items()}
            if not made and isinstance(schema.get("additionalProperties"), dict):
                return {"make": self.of(schema["additionalProperties"], depth + 1)}
            return {name: BY_NAME.get(name, each) if each == "text" else each for name, each in made.items()}
        if kind == "array":
            return [self.of(schema.get("items", {}), depth + 1)] if depth < 6 else []
        if kind in ("integer", "number"):
            return schema.get("default", max(schema.get("minimum", 0), 1))
        if kind == "boolean":
            return schema.get("default", True)
        if "[0-9a-f]{64}" in schema.get("pattern", "").lower().replace("a-fa-f", "a-f"):
            return "3f0c9a5be1d7428c6b90f2e4a81d35c7d2e6f8091b3a4c5d6e7f8091a2b3c4d5"
        return BY_FORMAT.get(schema.get("format"), schema.get("default", "text"))
