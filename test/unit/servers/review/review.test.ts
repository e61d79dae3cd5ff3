import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Approval } from "../../../../src/servers/approval/approvals.ts";
import { approvalOf } from "../../../../src/servers/approval/keptApproval.ts";
import { bindToPlace } from "../../../../src/servers/definitions/workspacePlace.ts";
import type { ServerConfig } from "../../../../src/servers/definitions/config.ts";
import type { RootsRule } from "../../../../src/servers/definitions/rootsRule.ts";
import { define } from "../../../../src/servers/definitions/parseConfig.ts";
import { reviewServer } from "../../../../src/servers/review/review.ts";
import type { ServerReview } from "../../../../src/servers/review/reviewProtocol.ts";
import { definition, stdioConfig, workspaceOrigin } from "../fixtures.ts";

/** The rows of a review by label. */
function rowsOf(review: ServerReview): Record<string, readonly string[]> {
	return Object.fromEntries(review.rows.map(({ label, values }) => [label, values]));
}

function approved(config: ServerConfig): Approval {
	return approvalOf("former", config);
}

describe("reviewServer: the meaning of an approval", () => {
	const meaning = (config: ServerConfig): string => reviewServer(definition("a", config), undefined).meaning.join(" ");
	const remote = (url: string, headers: Readonly<Record<string, string>> = {}): string =>
		meaning({ kind: "http", url, headers, protocol: "auto" });

	it("explains that a program runs with the user's rights", () => {
		expect(meaning(stdioConfig())).toMatch(/^A server runs with your permissions: .*You approve exactly what is shown/);
	});

	it("explains for a URL what is sent where, over which transport, with which headers, and that nothing runs here (FST-09)", () => {
		const text = remote("https://mcp.example.com/x?y=1", { Authorization: "Bearer ${input:key}", "X-Team": "secret" });
		expect(text).toMatch(/^It does not run on this machine\. MCP Host connects to mcp\.example\.com over an encrypted/);
		expect(text).toContain("each time with the headers Authorization, X-Team.");
		expect(text).toContain("Connect only if you trust the operator of mcp.example.com.");
		expect(text).not.toMatch(/your permissions|secret|Bearer/);
		expect(remote("http://mcp.example.com/")).toMatch(/not encrypted .*no headers of your own/);
		expect(remote("https://${env:HOST}/mcp")).toContain("over an encrypted connection");
		expect(remote("${env:URL}")).toContain("at an address that is known only when it starts");
		expect(remote("http://localhost:3000/mcp")).toMatch(
			/a program on this machine is already running.*trust that program/,
		);
	});
});

describe("reviewServer: roots", () => {
	const review = (roots: RootsRule | undefined, former?: RootsRule): ServerReview => {
		const approval = { ...approved(stdioConfig()), ...(former === undefined ? {} : { roots: former }) };
		return reviewServer(define("a", stdioConfig(), workspaceOrigin, [], roots), approval);
	};

	it("shows what the server may know of the workspace and beyond it, compared with the approved roots (ROOT-01)", () => {
		const { rows } = review(
			{ folders: ["*", "!secret"], extra: ["/data\u202E", "https://example.com/x"] },
			{ extra: ["/data"] },
		);
		expect(rows.slice(-2)).toEqual([
			{ label: "Workspace folders as roots", values: ["*", "!secret"], former: [] },
			{ label: "Other roots", values: ["/data\\u202E", "https://example.com/x"], former: ["/data"] },
		]);
		expect(rowsOf(review({ folders: [], extra: [] }))).toMatchObject({
			"Workspace folders as roots": ["none"],
		});
		expect(Object.keys(rowsOf(review(undefined)))).not.toContain("Workspace folders as roots");
	});

	it("warns of the home folder, in any spelling, and of addresses", () => {
		const home = "It asks for your whole home folder.";
		for (const extra of ["${userHome}", "${userHome}/", homedir(), `${homedir()}/x/..`, "/", "file:///"]) {
			expect(review({ extra: [extra] }).warnings).toEqual([home]);
		}
		expect(review({ extra: ["${userHome}/notes", "/data", "../x"] }).warnings).toEqual([]);
		expect(review({ extra: ["https://example.com"] }).warnings).toEqual([
			"It asks for URIs as roots; the protocol allows only folders.",
		]);
	});
});

describe("reviewServer", () => {
	it("shows other facts of the server, such as that VS Code can run it too (CFG-31)", () => {
		const review = reviewServer(define("a", stdioConfig(), workspaceOrigin), undefined, ["Two hosts."]);
		expect(review.warnings).toEqual(["Two hosts."]);
	});

	it("shows the command, every argument, the folder, the names of the environment and the read files", () => {
		const config = stdioConfig({
			command: "npx",
			args: ["-y", "@scope/server", "--root", "${workspaceFolder}", ""],
			env: {
				TOKEN: "${env:GITHUB_TOKEN}",
				PASSWORD: "hunter2",
				DEBUG: "true",
				PORT: "8080",
				KEY: "Bearer ${input:key}",
			},
			envFile: ".env",
		});
		const inputs = [{ id: "key", description: "The key", isPassword: true }];
		const review = reviewServer(define("a", config, workspaceOrigin, inputs), undefined);
		expect(review).toMatchObject({ name: "a", origin: "/ws/.vscode/mcp.json", isChange: false, warnings: [] });
		expect(rowsOf(review)).toEqual({
			Command: ["npx"],
			Arguments: ["-y", "@scope/server", "--root", "${workspaceFolder}", ""],
			"Working directory": ["/ws"],
			Environment: [
				"TOKEN=${env:GITHUB_TOKEN}",
				"PASSWORD=(masked: 7 characters)",
				"DEBUG=true",
				"PORT=8080",
				"KEY=Bearer ${input:key}",
			],
			"Environment file": [".env"],
			"Reads from your environment": ["GITHUB_TOKEN"],
			"Asks you for": ["key: The key (not shown while you type)"],
		});
		expect(JSON.stringify(review)).not.toContain("hunter2");
	});

	it("asks for no input that has a value already", () => {
		const inputs = ["key", "user"].map((id) => ({ id, description: `The ${id}`, isPassword: false }));
		const dependencies = { contents: new Map<string, string>(), remarks: [], filled: ["key"] };
		const review = reviewServer(
			define("a", stdioConfig({ args: ["${input:key}", "${input:user}"] }), workspaceOrigin, inputs),
			undefined,
			[],
			dependencies,
		);
		expect(rowsOf(review)).toMatchObject({
			"Asks you for": ["user: The user"],
			"Uses your stored value of": ["key: The key"],
		});
	});

	it("shows a remote server", () => {
		const config: ServerConfig = {
			kind: "sse",
			url: "http://x.example/sse",
			headers: { Authorization: "secret", A: "plain", B: "${input:b}" },
			protocol: "legacy",
		};
		const review = reviewServer(definition("a", config), undefined);
		expect(rowsOf(review)).toEqual({
			URL: ["http://x.example/sse"],
			Transport: ["HTTP+SSE"],
			Headers: ["Authorization: (masked: 6 characters)", "A: plain", "B: ${input:b}"],
			Protocol: ["legacy"],
		});
		expect(review.origin).toBe("User Settings");
		expect(review.warnings).toEqual(["The connection is not encrypted (http)."]);
	});

	it("cuts nothing and hides nothing (CFG-07)", () => {
		const long = "x".repeat(64 * 1024);
		const many = Array.from({ length: 200 }, (_, index) => `argument ${index}`);
		const review = reviewServer(
			definition("a", stdioConfig({ args: [...many, long, "a\nb", "c\u202Ed\t"] })),
			undefined,
		);
		const shown = rowsOf(review)["Arguments"] ?? [];
		expect(shown).toHaveLength(203);
		expect(shown.slice(0, 200)).toEqual(many);
		expect(shown.slice(200)).toEqual([long, "a\\u000Ab", "c\\u202Ed\\u0009"]);
		for (const row of review.rows) for (const value of row.values) expect(value).not.toMatch(/[\n\t\u202E]/);
	});

	it("shows values that decide which code runs in full, and warns of them; passwords stay hidden (CFG-27)", () => {
		const env = {
			NODE_OPTIONS: "--require /tmp/evil.js --title=none",
			PATH: "/tmp/evil:/usr/bin",
			npm_config_registry: "https://registry.evil.example/",
			PIP_INDEX_URL: "https://user:hunter2@registry.example/",
			API_KEY: "hunter2-hunter2",
			npm_config__authToken: "hunter2-hunter2",
		};
		const entry = definition("a", stdioConfig({ env }));
		const review = reviewServer(entry, undefined);
		expect(rowsOf(review)["Environment"]).toEqual([
			"NODE_OPTIONS=--require /tmp/evil.js --title=none",
			"PATH=/tmp/evil:/usr/bin",
			"npm_config_registry=https://registry.evil.example/",
			"PIP_INDEX_URL=https://(masked: 12 characters)@registry.example/",
			"API_KEY=(masked: 15 characters)",
			"npm_config__authToken=(masked: 15 characters)",
		]);
		expect(review.warnings).toEqual([
			"It sets NODE_OPTIONS, PATH, npm_config_registry, PIP_INDEX_URL, which affects what code runs.",
		]);
		expect(JSON.stringify(review)).not.toContain("hunter2");
		// Stored, it is compared by its value.
		const kept = approvalOf(entry.hash, entry.config);
		expect(JSON.stringify(kept)).not.toContain("hunter2");
		const changed = definition("a", stdioConfig({ env: { ...env, PATH: "/usr/bin" } }));
		expect(reviewServer(changed, kept).rows.find(({ label }) => label === "Environment")?.former).toContain(
			"PATH=/tmp/evil:/usr/bin",
		);
	});

	it("names the folder that a part of it comes from, and that it is approved for that one (CFG-26)", async () => {
		const entry = await bindToPlace(definition("a", stdioConfig({ args: ["${workspaceFolder}/x.js"] })), [
			{ name: "b", path: "/home/b" },
		]);
		const review = reviewServer(entry, undefined);
		expect(rowsOf(review)).toMatchObject({ Arguments: ["${workspaceFolder}/x.js"], "Workspace folder": ["/home/b"] });
		expect(review.warnings).toEqual(["The command depends on the open folder. You approve it for /home/b only."]);
	});

	it.each([{}, { kind: "stdio" }, { kind: "stdio", command: "c", args: "x", env: {} }, { kind: "http", headers: 7 }])(
		"shows a definition whose former approval is damaged, as a change without its details: %j",
		(config) => {
			const former = { hash: "x", config: config as unknown as ServerConfig, salt: "s", at: "" };
			const review = reviewServer(definition("a", stdioConfig()), former);
			expect(review.isChange).toBe(true);
			expect(rowsOf(review)).toMatchObject({ Command: ["node"], Arguments: ["server.js"] });
		},
	);

	it("marks changed and removed values", () => {
		const before = stdioConfig({ args: ["a"], env: { A: "1" }, envFile: ".env" });
		const after = stdioConfig({ args: ["a", "b"], env: { A: "1" }, cwd: "sub" });
		const review = reviewServer(definition("a", after), approved(before));
		expect(review.isChange).toBe(true);
		expect(review.rows).toEqual([
			{ label: "Command", values: ["node"] },
			{ label: "Arguments", values: ["a", "b"], former: ["a"] },
			{ label: "Working directory", values: [join(homedir(), "sub")], former: [homedir()] },
			{ label: "Environment", values: ["A=1"] },
			{ label: "Environment file", values: [], former: [".env"] },
		]);
	});

	it.each<readonly [string, ServerConfig, ServerConfig, string]>([
		["command", stdioConfig(), stdioConfig({ command: "x" }), "Command"],
		["argument order", stdioConfig({ args: ["a", "b"] }), stdioConfig({ args: ["b", "a"] }), "Arguments"],
		["environment", stdioConfig(), stdioConfig({ env: { A: "" } }), "Environment"],
		[
			"a secret as long as the former",
			stdioConfig({ env: { PASSWORD: "hunter2" } }),
			stdioConfig({ env: { PASSWORD: "hunter3" } }),
			"Environment",
		],
		["protocol", stdioConfig(), stdioConfig({ protocol: "modern" }), "Protocol"],
		[
			"a header as long as the former",
			{ kind: "http", url: "https://x", headers: { "X-Api-Key": "hunter2" }, protocol: "auto" },
			{ kind: "http", url: "https://x", headers: { "X-Api-Key": "hunter3" }, protocol: "auto" },
			"Headers",
		],
		[
			"transport",
			{ kind: "http", url: "https://x", headers: {}, protocol: "auto" },
			{ kind: "sse", url: "https://x", headers: {}, protocol: "auto" },
			"Transport",
		],
	])("shows a changed %s", (_name, before, after, label) => {
		const changed = reviewServer(definition("a", after), approved(before)).rows.filter(
			({ former }) => former !== undefined,
		);
		expect(changed.map((row) => row.label)).toEqual([label]);
		expect(changed[0]?.values).not.toEqual(changed[0]?.former);
		expect(JSON.stringify(changed)).not.toMatch(/hunter/);
	});
});
