"""An example's request as curl, JavaScript, Python and PHP. Each takes the address and the token from the environment: BASE and TOKEN."""

import json

LANGUAGES = (("curl", "curl"), ("javascript", "JavaScript"), ("python", "Python"), ("php", "PHP"))


def write(request):
    return {"curl": curl(request), "javascript": javascript(request), "python": python(request), "php": php(request)}


def _json(value, indent=2):
    short = json.dumps(value, ensure_ascii=False)
    return short if len(short) <= 60 else json.dumps(value, ensure_ascii=False, indent=indent)


def _indented(text, by):
    return text.replace("\n", "\n" + " " * by)


def _quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def curl(request):
    parts = ["curl -sS --fail-with-body"]
    if request.method == "GET":
        parts[0] += f' "$BASE{request.target}"'
    elif request.file:
        parts[0] += f' -T {request.file} "$BASE{request.target}"'
    else:
        parts[0] += f' -X {request.method} "$BASE{request.target}"'
    if request.token:
        parts.append('-H "Authorization: Bearer $TOKEN"')
    if request.key:
        parts.append('-H "Idempotency-Key: $(openssl rand -hex 16)"')
    if request.media_type:
        parts.append(f'-H "Content-Type: {request.media_type}"')
    if request.json is not None:
        parts.append(f"-d {_quoted(_json(request.json))}")
    if request.text is not None:
        parts.append(f"-d {_quoted(request.text)}")
    if request.answer == "bytes":
        parts.append("-o answer.bin")
    if request.lines is not None:
        lines = "\n".join(json.dumps(each, ensure_ascii=False) for each in request.lines)
        return " \\\n  ".join([*parts, "--data-binary @- <<'END'"]) + f"\n{lines}\nEND"
    return " \\\n  ".join(parts)


def _js_headers(request):
    if request.token:
        yield "Authorization: `Bearer ${TOKEN}`"
    if request.key:
        yield '"Idempotency-Key": crypto.randomUUID()'
    if request.media_type:
        yield f'"Content-Type": "{request.media_type}"'


def javascript(request):
    names = ["BASE"] + ["TOKEN"] * request.token
    lines = []
    if request.file:
        lines.append('const { readFile } = await import("node:fs/promises");')
    lines.append(f"const {{ {', '.join(names)} }} = process.env;")
    options = []
    if request.method != "GET":
        options.append(f'method: "{request.method}"')
    headers = list(_js_headers(request))
    if headers:
        inner = ", ".join(headers)
        options.append(f"headers: {{ {inner} }}" if len(inner) < 70 else "headers: {\n    " + ",\n    ".join(headers) + ",\n  }")
    if request.json is not None:
        options.append(f"body: JSON.stringify({_indented(_json(request.json), 2)})")
    elif request.lines is not None:
        entries = "".join(f"    {json.dumps(each, ensure_ascii=False)},\n" for each in request.lines)
        options.append(f"body: [\n{entries}  ].map((line) => `${{JSON.stringify(line)}}\\n`).join(\"\")")
    elif request.file:
        options.append(f'body: await readFile("{request.file}")')
    elif request.text is not None:
        options.append(f"body: {json.dumps(request.text, ensure_ascii=False)}")
    second = ", {\n  " + ",\n  ".join(options) + ",\n}" if options else ""
    lines.append(f"const response = await fetch(`${{BASE}}{request.target}`{second});")
    lines.append("if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);")
    lines.append({"json": "console.log(await response.json());", "text": "console.log(await response.text());",
                  "bytes": "console.log((await response.arrayBuffer()).byteLength, \"bytes\");"}.get(request.answer, "console.log(response.status);"))
    return "\n".join(lines)


def python_value(value, indent=0):
    """A JSON value as Python writes it, without a line of more than 100 characters where it can be broken."""
    if isinstance(value, (list, dict)):
        inner = " " * (indent + 4)
        entries = [python_value(each, indent + 4) for each in value] if isinstance(value, list) else \
            [f"{json.dumps(name, ensure_ascii=False)}: {python_value(each, indent + 4)}" for name, each in value.items()]
        short = ", ".join(entries)
        begin, end = ("[", "]") if isinstance(value, list) else ("{", "}")
        if len(short) <= 60 and "\n" not in short:
            return begin + short + end
        return begin + "\n" + "".join(f"{inner}{each},\n" for each in entries) + " " * indent + end
    return {None: "None", True: "True", False: "False"}[value] if value is None or isinstance(value, bool) else json.dumps(value, ensure_ascii=False)


def _python_headers(request):
    if request.token:
        yield '"Authorization": "Bearer " + os.environ["TOKEN"]'
    if request.key:
        yield '"Idempotency-Key": str(uuid.uuid4())'
    if request.media_type:
        yield f'"Content-Type": "{request.media_type}"'


def python(request):
    needed = ["json"] * (request.json is not None or request.lines is not None or request.answer == "json") + ["os", "urllib.request"] + ["uuid"] * request.key
    lines = ["import " + ", ".join(needed), ""]
    if request.json is not None:
        lines += [f"body = {python_value(request.json)}"]
    elif request.lines is not None:
        lines += ["rows = [\n" + "".join(f"    {python_value(each, 4)},\n" for each in request.lines) + "]"]
    options = [f'os.environ["BASE"] + "{request.target}"']
    if request.method != "GET":
        options.append(f'method="{request.method}"')
    headers = list(_python_headers(request))
    if headers:
        inner = ", ".join(headers)
        options.append(f"headers={{{inner}}}" if len(inner) < 70 else "headers={\n        " + ",\n        ".join(headers) + ",\n    }")
    if request.json is not None:
        options.append("data=json.dumps(body).encode()")
    elif request.lines is not None:
        options.append('data="".join(json.dumps(row) + "\\n" for row in rows).encode()')
    elif request.file:
        options.append(f'data=open("{request.file}", "rb").read()')
    elif request.text is not None:
        options.append(f"data={json.dumps(request.text, ensure_ascii=False)}.encode()")
    whole = ", ".join(options)
    lines.append(f"request = urllib.request.Request({whole})" if len(whole) < 80 else "request = urllib.request.Request(\n    " + ",\n    ".join(options) + ",\n)")
    lines.append("with urllib.request.urlopen(request) as response:")
    lines.append({"json": "    print(json.load(response))", "text": "    print(response.read().decode())",
                  "bytes": '    print(len(response.read()), "bytes")'}.get(request.answer, "    print(response.status)"))
    return "\n".join(lines)


def php_value(value, indent=4):
    """A JSON value as PHP writes it. An empty object is no empty list."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    if value == {}:
        return "new stdClass()"
    if not isinstance(value, (list, dict)):
        return str(value)
    entries = [php_value(each, indent + 4) for each in value] if isinstance(value, list) else \
        [f"{php_value(name)} => {php_value(each, indent + 4)}" for name, each in value.items()]
    short = "[" + ", ".join(entries) + "]"
    if len(short) <= 60 and "\n" not in short:
        return short
    space = " " * indent
    return "[\n" + "".join(f"{space}    {each},\n" for each in entries) + space + "]"


def _php_headers(request):
    if request.token:
        yield "'Authorization: Bearer ' . getenv('TOKEN')"
    if request.key:
        yield "'Idempotency-Key: ' . bin2hex(random_bytes(16))"
    if request.media_type:
        yield f"'Content-Type: {request.media_type}'"


def php(request):
    lines = ["<?php", f"$request = curl_init(getenv('BASE') . {php_value(request.target)});"]
    options = []
    if request.method != "GET":
        options.append(f"CURLOPT_CUSTOMREQUEST => '{request.method}'")
    headers = list(_php_headers(request))
    if headers:
        inner = ", ".join(headers)
        options.append(f"CURLOPT_HTTPHEADER => [{inner}]" if len(inner) < 80 else
                       "CURLOPT_HTTPHEADER => [\n        " + ",\n        ".join(headers) + ",\n    ]")
    if request.json is not None:
        options.append(f"CURLOPT_POSTFIELDS => json_encode({php_value(request.json)})")
    elif request.lines is not None:
        entries = "".join(f"        {php_value(each, 8)},\n" for each in request.lines)
        options.append(f"CURLOPT_POSTFIELDS => implode(\"\\n\", array_map('json_encode', [\n{entries}    ])) . \"\\n\"")
    elif request.file:
        options.append(f"CURLOPT_POSTFIELDS => file_get_contents('{request.file}')")
    elif request.text is not None:
        options.append(f"CURLOPT_POSTFIELDS => {php_value(request.text)}")
    options.append("CURLOPT_RETURNTRANSFER => true")
    lines.append("curl_setopt_array($request, [\n    " + ",\n    ".join(options) + ",\n]);")
    lines.append("$answer = curl_exec($request);")
    lines.append("$status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);")
    lines.append("if ($answer === false || $status >= 400) throw new RuntimeException(\"$status $answer\" . curl_error($request));")
    lines.append({"json": "print_r(json_decode($answer, true));", "text": "echo $answer;",
                  "bytes": "echo strlen($answer), \" bytes\\n\";"}.get(request.answer, "echo $status;"))
    return "\n".join(lines)
