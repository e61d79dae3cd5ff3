/** The warnings of the preview and the approval about a server with a URL (CFG-08). */
import { expect, it } from "vitest";
import { warningsFor } from "../../../src/servers/review/review.ts";

const plain = "The connection is not encrypted (http).";

it.each([
	["https://a.example/mcp", []],
	["http://a.example/mcp", [plain]],
	["HTTP://A.EXAMPLE", [plain]],
	["http://192.168.1.2:8080", [plain]],
	["http://127.0.0.1:8080/mcp", []],
	["http://localhost", []],
	["http://[::1]:8080/", []],
	["http://localhost.evil.example/", [plain]],
	["http://127.0.0.1:80@evil.example/mcp", [plain]],
	["http://localhost@evil.example", [plain]],
	["http://${input:host}/mcp", [plain]],
	["${input:address}", []],
])("CFG-08: for %s it shows %j", (url, warnings) => {
	expect(warningsFor({ kind: "http", url, headers: {}, protocol: "auto" })).toEqual(warnings);
});
