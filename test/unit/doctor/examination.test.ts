import { homedir } from "node:os";
import { describe, expect, it } from "vitest";
import type { Examination } from "../../../src/doctor/examination.ts";
import type { DoctorFacts } from "../../../src/doctor/facts.ts";
import type { DialResult, Probes } from "../../../src/doctor/probes.ts";
import { entryFaults } from "../../../src/doctor/gatherFacts.ts";
import { reportOf } from "../../../src/doctor/report.ts";
import { examinationOf, failedFacts, quietProbes } from "../../view/fixtures/doctorScene.ts";
import { definition, stdioConfig, userOrigin, workspaceOrigin } from "../servers/fixtures.ts";

/** What is found out about one server. */
async function found(facts: DoctorFacts, probes?: Partial<Probes>) {
	const examination = examinationOf({ acme: facts }, quietProbes(probes));
	await examination.run();
	const [server] = examination.view.servers;
	if (server === undefined) throw new Error("nothing was looked at");
	return { server, examination, whats: server.findings.map(({ weight, what }) => `${weight} ${what}`) };
}

const place = { extension: "0.1.0", editor: "1.106.0", system: "linux x64", node: "v22" };

describe("What was found", () => {
	it("has the cause first, what else is worth a look after it, and what is fine last", async () => {
		const { server } = await found(failedFacts("acme"));
		expect(server.findings.map(({ weight, layer }) => `${weight} ${layer}`)).toEqual([
			"cause Start",
			"note Security",
			"fine Command",
		]);
		const [cause] = server.findings;
		expect(cause).toMatchObject({
			where: "/ws/.vscode/mcp.json:3",
			evidence: expect.arrayContaining(["Error: ACME_API_KEY is required"]),
			fixes: [{ title: "Set Variable…" }, { title: "Start Again" }, { title: "Show Log" }, { title: "Open at Line 3" }],
		});
		expect(server.verdict).toEqual({ weight: "cause", words: cause?.what });
	});

	it("goes by what the PATH of a terminal has, and puts that folder in front", async () => {
		const facts = failedFacts("acme", { state: { kind: "failed", message: "npx was not found.", stderr: [] } });
		const { examination, server } = await found(facts, {
			find: async (command, _launch, path) => (path.includes("nvm") ? `/home/me/.nvm/bin/${command}` : undefined),
			shellPath: async () => "/home/me/.nvm/bin:/usr/bin",
		});
		const [cause] = server.findings;
		expect(cause?.what).toMatch(
			/The editor does not find “npx”, but a terminal does: .*\.nvm\/bin\/npx \(v22\.14\.0\)/,
		);
		const { fix } = examination.fixOf("acme", cause?.key, cause?.fixes[0]?.key);
		expect(fix).toEqual({
			kind: "change",
			title: "Use This PATH",
			change: { set: [{ path: ["env", "PATH"], value: "/home/me/.nvm/bin:${env:PATH}" }] },
		});
	});

	it.each<readonly [string, Partial<DoctorFacts>, RegExp]>([
		[
			"a variable of the environment that is not set",
			{ definition: definition("acme", stdioConfig({ env: { KEY: "${env:ACME_KEY}" } }), workspaceOrigin) },
			/^cause The environment variable ACME_KEY is not set\.$/,
		],
		[
			"an input without a definition",
			{ definition: definition("acme", stdioConfig({ env: { KEY: "${input:key}" } }), workspaceOrigin) },
			/^cause The entry uses \$\{input:key\}, but "inputs" defines no key\.$/,
		],
		[
			"a variable that nobody knows",
			{ launch: new Error('Server "acme": ${foo} is not a variable that MCP Host knows.') },
			/^cause Server "acme": \$\{foo\} is not a variable/,
		],
		[
			"a workspace without trust",
			{ state: { kind: "needs-approval", reason: "x" }, isWorkspaceTrusted: false },
			/^waiting This workspace is not trusted/,
		],
		[
			"a server that was left to the editor",
			{ state: { kind: "left-to-editor" } },
			/^waiting You left this server to VS Code/,
		],
		["one that is stopped", { state: { kind: "stopped" } }, /^note It is stopped/],
		[
			"another one of the same",
			{ twins: ["acme (User Settings)"] },
			/^note The same server is configured as “acme \(User Settings\)”/,
		],
		["a package without a version", {}, /^note The package “@acme\/mcp” is not bound to a version\.$/],
	])("tells of %s", async (_what, changes, expected) => {
		expect((await found(failedFacts("acme", changes))).whats).toContainEqual(expect.stringMatching(expected));
	});

	it("tells of characters that nobody sees, and of quotes that are none", async () => {
		const text =
			'\uFEFF{ "servers": { "acme": { "command": "np\u200Bx", "args": ["\u201C--flag\u201D", "s3cret\u200B"] } } }';
		const { whats, examination } = await found(
			failedFacts("acme", { entry: { text, path: ["servers", "acme"], file: "/ws/.vscode/mcp.json" } }),
		);
		expect(whats).toEqual(
			expect.arrayContaining([
				"warning “command” of the entry holds characters that cannot be seen.",
				"warning “args 1” of the entry holds typographic quotes or dashes.",
				"warning “args 2” of the entry holds characters that cannot be seen.",
				"note The file begins with a byte order mark.",
			]),
		);
		expect(reportOf(examination.view, place)).not.toContain("s3cret");
	});

	it("tells of secrets in plain text by their names alone", async () => {
		const config = stdioConfig({
			env: { ACME_API_KEY: "abc", MODE: "fast" },
			args: ["--token=sk-4fQ8zT1vB7nM2xK9aB3d"],
		});
		const { whats, examination } = await found(
			failedFacts("acme", { definition: definition("acme", config, workspaceOrigin) }),
		);
		expect(whats.filter((what) => what.includes("plain text"))).toEqual([
			"warning ACME_API_KEY looks like a secret, and stands in plain text in .vscode/mcp.json in ws.",
			"warning argument 1 looks like a secret, and stands in plain text in .vscode/mcp.json in ws.",
		]);
		expect(reportOf(examination.view, place)).not.toMatch(/sk-4f|"abc"/);
	});

	it("tells of tools that models are not offered, and what all cost", async () => {
		const tools = {
			tools: [
				{ name: "sound", description: "Fine.", inputSchema: { type: "object" as const } },
				{ name: "odd", inputSchema: { type: "object" as const } },
			],
			tokens: 46_000,
			isLazy: true,
			whyHidden: ({ name }: { readonly name: string }) => (name === "odd" ? "its schema is recursive" : undefined),
		};
		const { whats } = await found(failedFacts("acme", { tools }));
		expect(whats).toEqual(
			expect.arrayContaining([
				"warning One tool is never offered to models.",
				"note One tool has no description.",
				"note Its 2 tools cost about 46,000 tokens in each request.",
			]),
		);
	});
});

describe("What answers at the address of a server", () => {
	const config = { kind: "http", url: "https://acme.example/mcp", headers: {}, protocol: "auto" } as const;
	const remote = failedFacts("acme", {
		definition: definition("acme", config, workspaceOrigin),
		launch: { kind: "http", url: config.url, headers: {} },
		state: { kind: "failed", message: "It failed.", stderr: [] },
	});

	it.each<readonly [string, DialResult, RegExp, string | undefined]>([
		["the server, whose own message counts", { kind: "mcp", milliseconds: 3 }, /^It failed\.$/, "Start Again"],
		["HTTP+SSE alone", { kind: "sse" }, /speaks HTTP\+SSE only/, "Switch to SSE"],
		[
			"no host",
			{ kind: "fault", message: "The host name of this address was not found." },
			/^acme\.example cannot be reached: the host name/,
			"Start Again",
		],
		[
			"a bad certificate",
			{ kind: "fault", message: "x", certificate: "It names “y”." },
			/^The certificate of acme\.example is not trusted\.$/,
			"Open Settings",
		],
		[
			"another host",
			{ kind: "redirect", status: 308, to: "https://new.example/mcp", isOtherHost: true },
			/sends on to another host: https:\/\/new\.example\/mcp/,
			"Use This URL",
		],
		[
			"a sign-in",
			{ kind: "unauthorized", signIn: { registers: true, issuer: "https://login.example/" }, sentHeader: false },
			/wants you to sign in at login\.example\.$/,
			"Sign In…",
		],
		[
			"a sign-in that takes registered clients only",
			{ kind: "unauthorized", signIn: { registers: false, issuer: "https://login.example/" }, sentHeader: false },
			/at login\.example, which knows only clients that were registered there\.$/,
			undefined,
		],
		[
			"a sign-in that is not safe",
			{ kind: "unauthorized", signIn: { registers: true, problem: "No PKCE." }, sentHeader: false },
			/but the sign-in cannot begin\.$/,
			undefined,
		],
		[
			"a key that is refused",
			{ kind: "unauthorized", signIn: undefined, sentHeader: true },
			/refuses the key that "headers" holds/,
			undefined,
		],
		[
			"no key",
			{ kind: "unauthorized", signIn: undefined, sentHeader: false },
			/wants a key or token/,
			"Set Authorization Header…",
		],
		[
			"a page",
			{ kind: "page", title: "Acme", better: "https://acme.example/mcp2" },
			/answers with a web page \(“Acme”\)/,
			"Use This URL",
		],
		["a status", { kind: "status", status: 404, text: "" }, /answers 404\.$/, "Start Again"],
		["something else", { kind: "foreign", type: "text/plain", text: "hi" }, /it is no MCP server/, undefined],
	])("is %s", async (_what, result, what, fix) => {
		const { server } = await found(remote, { dial: async () => result, proxyOf: () => "proxy.example:3128" });
		const [first] = server.findings;
		expect(first?.what).toMatch(what);
		expect(first?.fixes[0]?.title).toBe(fix ?? "Open at Line 3");
		expect(server.findings.map((finding) => finding.what)).toContain(
			"It is reached through the proxy proxy.example:3128.",
		);
	});

	it("is not asked while the server runs, and its sign-in is the person's", async () => {
		const dialled: string[] = [];
		const dial: Probes["dial"] = async ({ url }) => {
			dialled.push(url);
			return { kind: "unauthorized", signIn: { registers: true, issuer: "https://login.example/" }, sentHeader: false };
		};
		await found({ ...remote, state: { kind: "starting" } }, { dial });
		expect(dialled).toEqual([]);
		const { whats } = await found({ ...remote, state: { kind: "needs-sign-in", message: "Sign in." } }, { dial });
		expect(whats.slice(0, 1)).toEqual(["waiting It waits for you to sign in."]);
		expect(whats).toContain("fine acme.example says that you sign in at login.example.");
	});
});

describe("What is wrong in the configuration", () => {
	const problem = {
		origin: workspaceOrigin,
		path: ["servers", "acme", "timeot"],
		message: '"timeot" is not a known key and is ignored.',
		severity: "warning",
	} as const;

	it("stands with its server, at its line", async () => {
		const text = '{\n\t"servers": { "acme": {\n\t\t"command": "npx",\n\t\t"timeot": 3 } }\n}\n';
		const { server } = await found(
			failedFacts("acme", {
				problems: [problem],
				entry: { text, path: ["servers", "acme"], file: "/ws/.vscode/mcp.json" },
			}),
		);
		expect(server.findings).toContainEqual(
			expect.objectContaining({ weight: "warning", where: "/ws/.vscode/mcp.json:4", what: problem.message }),
		);
	});

	it("stands apart where it keeps an entry from being a server", () => {
		const broken = { ...problem, server: "broken", path: ["servers", "broken"], severity: "error" } as const;
		const own = { ...problem, server: "acme" };
		const ofSettings = { ...broken, origin: userOrigin, path: ["broken", "args"] };
		const faults = entryFaults([broken, own, ofSettings], [{ definition: failedFacts("acme").definition }]);
		expect(faults.map(({ weight, what, where }) => [weight, what, where?.path])).toEqual([
			["cause", `“broken”: ${problem.message}`, ["servers", "broken"]],
			["cause", `“broken”: ${problem.message}`, ["mcpHost.servers", "broken", "args"]],
		]);
	});
});

describe("The doctor touches nothing (DOC-04)", () => {
	const forbidden = async (): Promise<never> => Promise.reject(new Error("It was touched."));
	const touchy: Partial<Probes> = {
		path: forbidden,
		find: forbidden,
		version: forbidden,
		shellPath: forbidden,
		dial: forbidden,
	};

	it.each(["needs-approval", "left-to-editor"] as const)("of a server whose state is %s", async (kind) => {
		const state = kind === "needs-approval" ? { kind, reason: "approval needed" } : { kind };
		const { whats } = await found(failedFacts("acme", { state, mayStart: false, launch: undefined }), touchy);
		expect(whats.join("\n")).not.toContain("touched");
	});

	it("where a look fails, that is a remark, and the others go on", async () => {
		const { whats } = await found(failedFacts("acme"), { ...touchy, path: async () => "/bin" });
		expect(whats).toContain("note This could not be looked at: It was touched.");
		expect(whats[0]).toMatch(/^cause ACME_API_KEY is not set/);
	});
});

describe("A report (DOC-06)", () => {
	it("holds what is shown, without secrets and the name of the home folder, and stays text", async () => {
		const file = `${homedir()}/ws/.vscode/mcp.json`;
		const facts = failedFacts("acme");
		const { examination } = await found({
			...facts,
			entry: { text: facts.entry?.text ?? "", path: ["servers", "acme"], file },
			state: { kind: "failed", message: "It used s3cret.", stderr: ["s3cret", "```", `${homedir()}/x <b>`] },
		});
		const report = reportOf(examination.view, place);
		expect(report).toContain("MCP Host 0.1.0 · VS Code 1.106.0 · linux x64 · Node v22");
		expect(report).toContain("(~/ws/.vscode/mcp.json:3)");
		expect(report).toContain("It used ⟦key⟧.");
		expect(report).toContain("  ````\n  ⟦key⟧\n  ```\n  ~/x <b>\n  ````");
		expect(report).not.toContain("s3cret");
		expect(report).not.toContain(homedir());
	});
});

describe("An examination", () => {
	it("can be cancelled, and keeps what was found until then", async () => {
		const waiting = Promise.withResolvers<string | undefined>();
		const begun = Promise.withResolvers<void>();
		const examination = examinationOf(
			{ acme: failedFacts("acme"), other: failedFacts("other") },
			quietProbes({
				version: () => {
					begun.resolve();
					return waiting.promise;
				},
			}),
		);
		const running = examination.run();
		await begun.promise;
		expect(examination.view.standing).toBe("checking");
		examination.cancel();
		waiting.resolve(undefined);
		await running;
		expect(examination.view.standing).toBe("cancelled");
		expect(examination.view.servers.map(({ verdict }) => verdict)).toEqual([undefined, undefined]);
	});

	it("says of a server that is gone that it is", async () => {
		const examination: Examination = examinationOf({});
		await examination.run();
		expect(examination.view).toEqual({ standing: "done", entries: [], servers: [] });
	});

	it("knows no fix that is not shown (UI-06)", async () => {
		const { examination } = await found(failedFacts("acme"));
		expect(() => examination.fixOf("acme", "x", "0")).toThrow("changed meanwhile");
		expect(() => examination.fixOf(undefined, undefined, {})).toThrow("changed meanwhile");
	});
});
