# A server without dependencies: it speaks MCP line by line (specification 2025-06-18, "stdio").
import json
import sys

TOOL = {"name": "forecast", "description": "Tells the weather.", "inputSchema": {"type": "object"}}


def answer(method, params):
    if method == "initialize":
        info = {"name": "weather-python", "version": "1.0.0"}
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list":
        return {"tools": [TOOL]}
    if method == "tools/call":
        return {"content": [{"type": "text", "text": "sunny: " + " ".join(sys.argv[1:])}]}
    return {} if method == "ping" else None


for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request:
        continue
    result = answer(request["method"], request.get("params"))
    rest = {"error": {"code": -32601, "message": "Method not found"}} if result is None else {"result": result}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **rest}), flush=True)
