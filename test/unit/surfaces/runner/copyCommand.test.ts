import { expect, test, describe } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import { shellCommandOf, shellWords } from "../../../../src/surfaces/runner/copyCommand.ts";
import { callMessageOf } from "../../../../src/surfaces/runner/runTexts.ts";
import { stdioConfig } from "../../servers/fixtures.ts";
import { tool } from "../../features/tools/toolSession.ts";
import { runAt } from "./runScene.ts";
import { execFileSync } from "node:child_process";

const legacy = { era: "legacy", protocolVersion: "2025-11-25" } as const;
const modern = { era: "modern", protocolVersion: "2026-07-28" } as const;
const http = { kind: "http", url: "https://example.com/mcp", headers: {}, protocol: "auto" } as const;

test("a call of revision 2026-07-28 is one self-contained message", () => {
	expect(callMessageOf(runAt(stdioConfig(), modern, { text: "hi" }))).toEqual({
		jsonrpc: "2.0",
		id: 1,
		method: "tools/call",
		params: {
			name: "echo",
			arguments: { text: "hi" },
			_meta: {
				"io.modelcontextprotocol/protocolVersion": "2026-07-28",
				"io.modelcontextprotocol/clientInfo": { name: "shell", version: "1.0.0" },
				"io.modelcontextprotocol/clientCapabilities": {},
			},
		},
	});
});

test("no header, token or variable of the configuration is ever copied (SEC-02)", () => {
	const secret = "s3cr3t-canary";
	const headers = { Authorization: `Bearer ${secret}`, "X-Tenant": secret };
	const configs = [
		stdioConfig({ env: { KEY: secret }, args: ["--token", secret, `--password=${secret}`], cwd: "/srv" }),
		{ ...http, headers },
		{ ...http, url: `https://ann:${secret}@example.com/mcp?token=${secret}`, headers },
		{ ...http, kind: "sse" as const, headers },
	];
	for (const config of configs) {
		for (const facts of [legacy, modern]) {
			const command = shellCommandOf(runAt(config, facts));
			expect(command).not.toContain(secret);
			expect(command).toMatch(/<[\w -]+>/);
		}
	}
});

test("arguments for headers are in the headers too, since the server checks them", () => {
	const schema = { region: { type: "string", "x-mcp-header": "Region" }, note: { type: "string" } };
	const run = runAt(http, modern, { region: "Köln", note: "x" }, tool("séarch", schema));
	expect(shellCommandOf(run)).toContain("Mcp-Param-Region: =?base64?S8O2bG4=?=");
	expect(shellCommandOf(run)).toContain("Mcp-Name: =?base64?c8OpYXJjaA==?=");
});

test("HTTP+SSE is used through the Inspector", () => {
	const command = shellCommandOf(runAt({ ...http, kind: "sse" }, legacy, { text: "it's", count: 2 }));
	expect(command).toBe(
		`npx @modelcontextprotocol/inspector --cli https://example.com/mcp --transport sse --method tools/call --tool-name echo --tool-arg 'text="it'\\''s"' --tool-arg 'count=2'`,
	);
});

test("a call that no command can express is refused", () => {
	const withName = stdioConfig({ env: { "A=$(id)": "x" } });
	expect(() => shellCommandOf(runAt(withName, legacy))).toThrow(HostError);
	expect(() => shellCommandOf(runAt({ ...http, kind: "sse" }, legacy, { "a=b": 1 }))).toThrow(HostError);
});

/** A shell's exact reading of the words. */
function readBy(shell: string, words: readonly string[]): readonly string[] {
	const output = execFileSync(shell, ["-c", `printf '%s\\0' ${shellWords(words)}`], { encoding: "utf8" });
	return output.split("\0").slice(0, -1);
}

const visible = [
	"plain",
	"",
	"two words",
	"it's",
	"'",
	"''''",
	'"double" $HOME `id` $(id) \\ \\\\ \\n',
	'{"a":[1,2,{"b":"c"}]}',
	"a;b|c&d>e<f",
	"*?[a-z]",
	"~",
	"!history",
	"#comment",
	"-n",
	"--flag=value",
	"A=b",
	"ünïcödé 日本語 🙂",
	"if",
];

test.each(["bash", "dash"])("%s reads every word exactly", (shell) => {
	expect(readBy(shell, visible)).toEqual(visible);
});

describe("control and hidden characters", () => {
	const hidden = [
		"\u001b[2Jcleared",
		"line\nrm -rf x",
		"tab\there",
		"\u202Eright",
		"\u200B",
		"it's\\\u0007",
		"\u{E0041}",
	];

	test("come through", () => {
		expect(readBy("bash", hidden)).toEqual(hidden);
	});

	test("are never in the pasted text", () => {
		expect(shellWords(hidden)).toMatch(/^[\x20-\x7e]*$/);
	});
});
