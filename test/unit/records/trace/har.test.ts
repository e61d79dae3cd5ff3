import { Ajv } from "ajv";
import draft6 from "ajv/dist/refs/json-schema-draft-06.json" with { type: "json" };
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import { writeHar } from "../../../../src/records/trace/har.ts";
import { Recorder } from "../../../../src/records/trace/recorder.ts";

const schemas = resolve("node_modules/har-schema/lib");

/** The public schema of HTTP archives. */
function validator() {
	const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
	ajv.addMetaSchema(draft6);
	for (const name of readdirSync(schemas).filter((file) => file.endsWith(".json")))
		ajv.addSchema(JSON.parse(readFileSync(join(schemas, name), "utf8")) as JsonObject);
	return ajv.getSchema("har.json#") ?? ajv.getSchema("har.json");
}

describe("An HTTP archive of a trace", () => {
	it("conforms to the public schema, and holds no secret (TRC-10)", () => {
		const trace = new Recorder({ wanted: () => "bodies", redactor: { redact: (text) => text } });
		const tap = trace.tap("user:shop", "shop").open("http");
		tap.sent({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} }, { bytes: 0 });
		const attempt = tap.http({
			method: "POST",
			url: "https://shop.example/mcp?key=abc",
			requestHeaders: { Authorization: "Bearer 123456789", accept: "application/json" },
			bytesOut: 40,
			requestId: 1,
			isSignIn: false,
		});
		attempt?.answered(200, new Headers({ "content-type": "application/json", "set-cookie": "a=secret" }));
		attempt?.read(120);
		tap.received({ jsonrpc: "2.0", id: 1, result: {} }, { bytes: 0 });
		const token = { method: "POST", url: "https://login.example/token", requestHeaders: {}, bytesOut: 9 };
		tap.http({ ...token, requestId: undefined, isSignIn: true })?.failed(new TypeError("no network"));
		const { text, entries } = writeHar(trace, {
			host: "MCP Host 1.0.0",
			home: "/home/ann",
			redactor: { redact: (text) => text },
		});
		expect(entries).toBe(2);
		const archive = JSON.parse(text) as JsonObject;
		const validate = validator();
		expect(validate).toBeDefined();
		expect(validate?.(archive), JSON.stringify(validate?.errors)).toBe(true);
		expect(text).not.toMatch(/abc|123456789|a=secret/);
		expect(archive).toMatchObject({
			log: {
				creator: { name: "MCP Host", version: "1.0.0" },
				entries: [
					{
						request: { method: "POST", url: "https://shop.example/mcp", bodySize: 40 },
						response: { status: 200, bodySize: 120 },
					},
					{ request: { url: "https://login.example/token" }, response: { status: 0 } },
				],
			},
		});
		expect(validate?.({ log: { version: "1.2", creator: {}, entries: [{}] } })).toBe(false);
	});
});
