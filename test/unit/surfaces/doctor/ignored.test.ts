import { expect, it } from "vitest";
import { parseConfig } from "../../../../src/servers/definitions/parseConfig.ts";
import { ignoredBy } from "../../../../src/surfaces/doctor/ignored.ts";
import { examinationOf, failedFacts } from "../../../view/fixtures/doctorScene.ts";
import { workspaceOrigin } from "../../servers/fixtures.ts";
import type { DoctorFacts } from "../../../../src/surfaces/doctor/facts.ts";

/** The text of a file with one server, and where that is. */
function entry(dev: unknown): NonNullable<DoctorFacts["entry"]> {
	const server = { command: "node", args: ["server.mjs"], dev };
	const text = `// ours\n${JSON.stringify({ servers: { orders: server } }, undefined, "\t")}`;
	return { text, path: ["servers", "orders"], file: "/ws/.vscode/mcp.json" };
}

/** The facts about a running server without resources' MIME type and with one tool without description. */
function running(dev: unknown): DoctorFacts {
	const capabilities = { tools: {}, resources: {} };
	const facts = {
		server: undefined,
		capabilities,
		protocolVersion: "2025-11-25",
		era: "legacy",
		instructions: undefined,
		transport: "stdio",
		pid: 1,
	} as const;
	const resource = { uri: "orders://all", name: "all" };
	return failedFacts("orders", {
		state: { kind: "running", facts },
		entry: entry(dev),
		passed: [],
		tools: {
			tools: [{ name: "search", inputSchema: { type: "object" } }],
			prompts: [],
			resources: [resource, { ...resource, uri: "orders://today" }],
			templates: [],
			tokens: undefined,
			isLazy: false,
			whyHidden: () => undefined,
		},
	});
}

it("reads the kinds that an entry ignores, and nothing else", () => {
	expect(ignoredBy(entry({ ignoredFindings: ["no-mime-type", 7, "x".repeat(61)] }))).toEqual(["no-mime-type"]);
	expect(ignoredBy(entry({ ignoredFindings: "no-mime-type" }))).toEqual([]);
	expect(ignoredBy(entry(null))).toEqual([]);
	expect(ignoredBy(undefined)).toEqual([]);
});

it("is a key that no reader of the configuration complains about", () => {
	const { text } = entry({ ignoredFindings: ["no-mime-type"] });
	expect(parseConfig({ origin: workspaceOrigin, content: { text } }).problems).toEqual([]);
});

it("leaves out the ignored findings and says how many there were (DOC-12)", async () => {
	const shown = async (dev: unknown): Promise<readonly string[]> => {
		const examination = examinationOf({ orders: running(dev) });
		await examination.run();
		const [server] = examination.view.servers;
		return (server?.findings ?? [])
			.filter(({ layer }) => layer === "Definitions")
			.map(({ weight, what, fixes }) => `${weight} ${what} ${fixes.map(({ title }) => title).join()}`.trim());
	};
	const mime = "note The resource has no MIME type. Ignore “no-mime-type”";
	expect(await shown(undefined)).toEqual(["note The tool has no description. Ignore “no-description”", mime, mime]);
	expect(await shown({ ignoredFindings: ["no-mime-type"] })).toEqual([
		"note The tool has no description. Ignore “no-description”",
		"fine 2 ignored: no-mime-type.",
	]);
});

it("adds a kind to those that are ignored already", async () => {
	const examination = examinationOf({ orders: running({ ignoredFindings: ["no-mime-type"] }) });
	await examination.run();
	const [server] = examination.view.servers;
	const found = server?.findings.find(({ what }) => what.includes("description"));
	expect(examination.fixOf("orders", found?.key, found?.fixes[0]?.key).fix).toMatchObject({
		kind: "ignore",
		title: "Ignore “no-description”",
		fix: { server: "orders", set: [{ path: ["dev", "ignoredFindings"], value: ["no-mime-type", "no-description"] }] },
	});
});

it("never ignores what prevents a start", async () => {
	const facts = failedFacts("orders", { entry: entry({ ignoredFindings: ["start", "command", "variables"] }) });
	const examination = examinationOf({ orders: facts });
	await examination.run();
	expect(examination.view.servers[0]?.verdict?.weight).toBe("cause");
});
