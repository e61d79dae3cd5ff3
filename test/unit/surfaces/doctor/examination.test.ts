import { knowsNone } from "../../../../src/base/secrets/writer.ts";
import { homedir } from "node:os";
import { describe, expect, it } from "vitest";
import { Emitter } from "../../../../src/base/event.ts";
import { Examination } from "../../../../src/surfaces/doctor/examination.ts";
import type { Session } from "../../../../src/servers/sessions/session.ts";
import { NeedsTrust } from "../../../../src/servers/definitions/trustWait.ts";
import type { DoctorFacts } from "../../../../src/surfaces/doctor/facts.ts";
import type { Probes } from "../../../../src/surfaces/doctor/probes.ts";
import { entryFaults } from "../../../../src/surfaces/doctor/gatherFacts.ts";
import { reportOf } from "../../../../src/surfaces/doctor/report.ts";
import { examinationOf, failedFacts, quietProbes } from "../../../view/fixtures/doctorScene.ts";
import { definition, stdioConfig, userOrigin, workspaceOrigin } from "../../servers/fixtures.ts";

/** The findings for one server. */
async function found(facts: DoctorFacts, probes?: Partial<Probes>) {
	const examination = examinationOf({ acme: facts }, quietProbes(probes));
	await examination.run();
	const [server] = examination.view.servers;
	if (server === undefined) throw new Error("nothing was looked at");
	return { server, examination, whats: server.findings.map(({ weight, what }) => `${weight} ${what}`) };
}

const place = { extension: "0.1.0", editor: "1.106.0", system: "linux x64", node: "v22" };

describe("The findings", () => {
	it("have the cause first, then other remarks, and correct parts last", async () => {
		const { server } = await found(failedFacts("acme"));
		expect(server.findings.map(({ weight, layer }) => `${weight} ${layer}`)).toEqual([
			"cause Start",
			"note Start",
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

	it("use the PATH of a terminal, and put that folder in front", async () => {
		const facts = failedFacts("acme", { state: { kind: "failed", message: "npx was not found.", stderr: [] } });
		const { examination, server } = await found(facts, {
			find: async (command, _launch, path) => (path.includes("nvm") ? `/home/me/.nvm/bin/${command}` : undefined),
			shellPath: async () => "/home/me/.nvm/bin:/usr/bin",
		});
		const [cause] = server.findings;
		expect(cause?.what).toMatch(/VS Code does not find “npx”, but a terminal does: .*\.nvm\/bin\/npx \(v22\.14\.0\)/);
		const { fix } = examination.fixOf("acme", cause?.key, cause?.fixes[0]?.key);
		expect(fix).toMatchObject({
			kind: "entry",
			title: "Use This PATH",
			fix: { kind: "set", server: "acme", set: [{ path: ["env", "PATH"], value: "/home/me/.nvm/bin:${env:PATH}" }] },
		});
	});

	it("offer no change of a file that another program owns", async () => {
		const origin = {
			kind: "followed",
			label: "Cursor",
			file: "/home/me/.cursor/mcp.json",
			isWorkspace: false,
		} as const;
		const facts = failedFacts("acme", { definition: definition("acme", stdioConfig(), origin), entry: undefined });
		const { server } = await found(facts);
		expect(server.findings[0]?.fixes.map(({ title }) => title)).toEqual(["Start Again", "Show Log"]);
	});

	it.each<readonly [string, Partial<DoctorFacts>, RegExp]>([
		[
			"a variable of the environment that is not set",
			{ definition: definition("acme", stdioConfig({ env: { KEY: "${env:ACME_KEY}" } }), workspaceOrigin) },
			/^cause The environment variable ACME_KEY is not set in the environment of VS Code, so the server cannot start\.$/,
		],
		[
			"an input without a definition",
			{ definition: definition("acme", stdioConfig({ env: { KEY: "${input:key}" } }), workspaceOrigin) },
			/^cause "inputs" does not define "key", so the server cannot start\.$/,
		],
		[
			"an unknown variable",
			{ launch: new Error("${foo} is not a known variable.") },
			/^cause \$\{foo\} is not a known variable/,
		],
		[
			"an argument in a workspace without trust",
			{ launch: new NeedsTrust("argument 3") },
			/^cause This workspace is not trusted, and argument 3 is in it\.$/,
		],
		[
			"a workspace without trust",
			{ state: { kind: "needs-approval", reason: "x" }, isWorkspaceTrusted: false },
			/^waiting This workspace, which defines the server, is not trusted/,
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
			/^note The same server is also configured as “acme \(User Settings\)”/,
		],
		["a package without a version", {}, /^note "@acme\/mcp" has no fixed version\.$/],
	])("report %s", async (_what, changes, expected) => {
		expect((await found(failedFacts("acme", changes))).whats).toContainEqual(expect.stringMatching(expected));
	});

	it("report once that trust is missing, with the way to it", async () => {
		const launch = new NeedsTrust("argument 3");
		const state = { kind: "failed", message: launch.message, stderr: [] } as const;
		const { server } = await found(failedFacts("acme", { launch, state }));
		const causes = server.findings.filter(({ weight }) => weight === "cause");
		expect(causes.map(({ fixes }) => fixes.map(({ title }) => title))).toEqual([["Manage Workspace Trust"]]);
	});

	it("offer to bind a package to its latest version, and name the registry (REG-12)", async () => {
		const { server } = await found(failedFacts("acme"));
		const finding = server.findings.find(({ what }) => what.includes("no fixed version"));
		expect(finding?.fixes.map(({ title }) => title)).toEqual([
			"Bind to the Latest Version (Asks registry.npmjs.org)",
			"Open at Line 5",
		]);
	});

	it("report invisible characters, and false quotes", async () => {
		const text =
			'\uFEFF{ "servers": { "acme": { "command": "np\u200Bx", "args": ["\u201C--flag\u201D", "s3cret\u200B"] } } }';
		const { whats, examination } = await found(
			failedFacts("acme", {
				definition: definition(
					"acme",
					stdioConfig({ command: "np\u200Bx", args: ["\u201C--flag\u201D", "s3cret\u200B"] }),
					workspaceOrigin,
				),
				entry: { text, path: ["servers", "acme"], file: "/ws/.vscode/mcp.json" },
			}),
		);
		expect(whats).toEqual(
			expect.arrayContaining([
				"warning “command” of the entry contains hidden characters.",
				"warning “args 1” of the entry contains typographic quotes or dashes.",
				"warning “args 2” of the entry contains hidden characters.",
				"note The file begins with a byte order mark.",
			]),
		);
		expect(reportOf(examination.view, place)).not.toContain("s3cret");
	});

	it("report secrets in plain text only by their names", async () => {
		const config = stdioConfig({
			env: { ACME_API_KEY: "abc", MODE: "fast" },
			args: ["--token=sk-4fQ8zT1vB7nM2xK9aB3d"],
		});
		const { whats, examination } = await found(
			failedFacts("acme", { definition: definition("acme", config, workspaceOrigin) }),
		);
		expect(whats.filter((what) => what.includes("plain text"))).toEqual([
			'warning "ACME_API_KEY" looks secret, and is in plain text in .vscode/mcp.json in ws, which may be shared or tracked by Git.',
			'warning "--token" looks secret, and is in plain text in .vscode/mcp.json in ws, which may be shared or tracked by Git.',
		]);
		expect(reportOf(examination.view, place)).not.toMatch(/sk-4f|"abc"/);
	});

	it("report tools that models are not offered, and the cost of all", async () => {
		const tools = {
			tools: [
				{ name: "sound", description: "Fine.", inputSchema: { type: "object" as const } },
				{ name: "odd", inputSchema: { type: "object" as const } },
			],
			prompts: [],
			resources: [],
			templates: [],
			tokens: 46_000,
			isLazy: true,
			whyHidden: ({ name }: { readonly name: string }) => (name === "odd" ? "its schema is recursive" : undefined),
		};
		const { whats } = await found(failedFacts("acme", { tools }));
		expect(whats).toEqual(
			expect.arrayContaining([
				"warning 1 tool is never offered to models.",
				"note Its 2 tools cost about 46,000 tokens in each request.",
			]),
		);
	});
});

describe("An error in the configuration", () => {
	const problem = {
		origin: workspaceOrigin,
		path: ["servers", "acme", "timeot"],
		message: '"timeot" is not a known key and is ignored.',
		severity: "warning",
	} as const;

	it("is listed with its server, at its line", async () => {
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

	it("is listed separately if it keeps an entry from being a server", () => {
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
		const state = kind === "needs-approval" ? { kind, reason: "unapproved" } : { kind };
		const { whats } = await found(failedFacts("acme", { state, launch: undefined }), touchy);
		expect(whats.join("\n")).not.toContain("touched");
	});

	it("where a check fails, that is a remark, and the others continue", async () => {
		const { whats } = await found(failedFacts("acme"), { ...touchy, path: async () => "/bin" });
		expect(whats).toContain("note This could not be checked: It was touched.");
		expect(whats[0]).toMatch(/^cause ACME_API_KEY is not set/);
	});
});

describe("A report (DOC-06)", () => {
	it("contains the shown findings, without secrets and the name of the home folder, and stays text", async () => {
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
	it("can be cancelled, and keeps the findings until then", async () => {
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

	it("checks a server again that runs since", async () => {
		let facts = failedFacts("acme");
		const running = {
			kind: "running",
			facts: {
				server: undefined,
				capabilities: {},
				protocolVersion: "2025-11-25",
				era: "legacy",
				instructions: undefined,
				transport: "stdio",
				pid: 1,
			},
		} as const;
		const changed = new Emitter<void>();
		const directory = { sessions: [], onDidChange: changed.event, get: () => facts as unknown as Session };
		const examination = new Examination(
			{ factsOf: async () => facts, entryFaults: () => [], probes: quietProbes(), redactor: knowsNone },
			["acme"],
		);
		const following = examination.follow(directory);
		await examination.run();
		facts = { ...facts, state: running };
		changed.fire();
		await expect.poll(() => examination.view.servers[0]?.verdict?.words).toBe("It is running. No problems were found.");
		following.dispose();
	});

	it("reports that a server is gone", async () => {
		const services = {
			factsOf: async () => undefined,
			entryFaults: () => [],
			probes: quietProbes(),
			redactor: knowsNone,
		};
		const examination = new Examination(services, ["user-settings:#gone"]);
		await examination.run();
		expect(examination.view.servers[0]?.verdict?.words).toBe("This server is no longer configured.");
	});

	it("has only shown fixes (UI-06)", async () => {
		const { examination } = await found(failedFacts("acme"));
		expect(() => examination.fixOf("acme", "x", "0")).toThrow("findings have changed");
		expect(() => examination.fixOf(undefined, undefined, {})).toThrow("findings have changed");
	});
});
