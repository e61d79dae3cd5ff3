/** A server over stdio that is sloppy as described by its one argument: JSON, or a file that holds it. */
import { existsSync, readFileSync } from "node:fs";
import { isJsonObject, type Json, type JsonObject } from "../../src/base/json.ts";
import { onLines } from "./received.ts";
import { sloppyText, type Sloppy } from "./sloppy.ts";

const given = process.argv[2] ?? "{}";
const sloppy = JSON.parse(existsSync(given) ? readFileSync(given, "utf8") : given) as Sloppy;
let asking: JsonObject | undefined;

onLines(process.stdin, (line) => {
	const message = JSON.parse(line) as Json;
	if (!isJsonObject(message)) return;
	if (message["method"] === undefined) {
		if (asking === undefined) return;
		const result = { content: [{ type: "text", text: JSON.stringify(message) }] };
		write(JSON.stringify({ jsonrpc: "2.0", id: asking["id"] ?? null, result }));
		asking = undefined;
		return;
	}
	if (message["id"] === undefined) return;
	if (message["method"] === "tools/call" && sloppy.asks !== undefined && toolOf(message) === "ask") {
		asking = message;
		write(JSON.stringify(sloppy.asks));
		return;
	}
	if (message["method"] === "tools/call" && sloppy.before !== undefined) write(sloppy.before);
	write(sloppyText(sloppy, message));
});

function write(text: string): void {
	process.stdout.write(`${text}\n`);
}

/** The tool that a message calls. */
function toolOf({ params }: JsonObject): Json | undefined {
	return isJsonObject(params) ? params["name"] : undefined;
}
