"""A small MCP server that misbehaves on purpose, one tool for each way.

Written on bare JSON-RPC lines, without the SDK: so it can do what the SDK would not let a
server do, and it starts at once.
"""

import json
import os
import sys

CONTENT = {
    "pid": [{"type": "text", "text": str(os.getpid())}],
    "hologram": [{"type": "text", "text": "seen"}, {"type": "hologram", "beam": "blue"}],
    "big": [{"type": "text", "text": "x" * 5_000_000}],
    "wrong_shape": [{"type": "text", "text": "a dozen"}],
}
TOOLS = [
    {"name": name, "inputSchema": {"type": "object"}}
    for name in (*CONTENT, "die", "hang", "refuse", "nonsense", "chatter")
]
TOOLS[3]["outputSchema"] = {"type": "object", "required": ["count"]}


def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def answer(request):
    match request["method"]:
        case "server/discover":
            return {
                "supportedVersions": ["2026-07-28"],
                "capabilities": {"tools": {}},
                "ttlMs": 0,
                "cacheScope": "private",
            }
        case "tools/list":
            return {"tools": TOOLS, "ttlMs": 0, "cacheScope": "private"}
    return call(request["params"]["name"])


def call(name):
    match name:
        case "die":
            print("Traceback: the disk is on fire", file=sys.stderr, flush=True)
            sys.exit(3)
        case "hang":
            return None
        case "nonsense":
            return {"weather": "fine"}
        case "chatter":
            print("just a debug line", flush=True)
            return {"content": CONTENT["pid"]}
        case "wrong_shape":
            return {"content": CONTENT[name], "structuredContent": {"amount": 12}}
    return {"content": CONTENT[name]}


for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request:
        print(f"got {request['method']}", file=sys.stderr, flush=True)
    elif request.get("params", {}).get("name") == "refuse":
        send({"id": request["id"], "error": {"code": -32602, "message": "no such luck"}})
    elif (result := answer(request)) is not None:
        send({"id": request["id"], "result": {"resultType": "complete", **result}})
