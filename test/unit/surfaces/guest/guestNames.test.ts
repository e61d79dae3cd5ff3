import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { isJsonObject, type JsonObject } from "../../../../src/base/json.ts";
import { Guest } from "../../../../src/surfaces/guest/guest.ts";
import { guestTools } from "../../../../src/surfaces/guest/guestTools.ts";
import { hostToolNames } from "../../../../src/permissions/catalog/names.ts";
import { partsText } from "../chat/scripted.ts";
import { directoryOf, User, serve, tool } from "../../features/tools/toolSession.ts";

const root = path.resolve(import.meta.dirname, "../../../..");
const read = (file: string): string => readFileSync(path.join(root, file), "utf8");

/** The tools of the manifest: the names under which the two kinds of harnesses offer them, and all their texts. */
function manifestTools(): readonly { readonly names: readonly unknown[]; readonly texts: string }[] {
	const manifest: unknown = JSON.parse(read("package.json"));
	const contributes = isJsonObject(manifest) ? manifest["contributes"] : undefined;
	const tools = isJsonObject(contributes) ? contributes["languageModelTools"] : undefined;
	if (!Array.isArray(tools)) throw new Error("The manifest contributes no tools.");
	return tools.filter(isJsonObject).map((one) => ({
		names: [one["name"], one["toolReferenceName"]],
		texts: JSON.stringify([one["modelDescription"], one["userDescription"], one["inputSchema"]]),
	}));
}

const offered: readonly string[] = Object.values(guestTools);

/** Every name in a text that means one of these tools, and every name of a tool that only `@mcp` has. */
function namesIn(text: string): readonly string[] {
	const ours = text.match(/\bmcphost_\w+/g) ?? [];
	const ofChat = Object.values(hostToolNames).filter((name) => new RegExp(`(?<!\\w)${name}(?!\\w)`).test(text));
	return [...ours, ...ofChat, ...(text.match(/\bmcp(?:Tools|Call|Resources|Read|Result)\b/g) ?? [])];
}

const unknownIn = (text: string): readonly string[] => namesIn(text).filter((name) => !offered.includes(name));

/** The possible endings of a search, a call, a list and a read, as an agent reads them. */
async function answers(): Promise<readonly string[]> {
	const travel = await serve("travel", tool("book", {}, { description: "Books a room" }));
	const resources = [{ uri: "trips://1", name: "Trip" }];
	await travel.run({ tools: [tool("book", {}, { description: "Books a room" })], resources });
	travel.onCall = async () => ({ content: [{ type: "text", text: "line\n".repeat(50_000) }] });
	const { approvals, policy, pins } = new User({ kind: "allow" });
	const guest = new Guest({
		directory: directoryOf(travel),
		approvals,
		policy,
		pins,
		refreshRules: async () => undefined,
		notes: { note: () => undefined },
		caller: {
			during: "a turn of VS Code's agent",
			list: ({ decision }) => queueMicrotask(() => decision.answer({ kind: "allow" })),
		},
		isOn: () => true,
		mostUnasked: () => 100,
		now: () => 0,
	});
	const calls: readonly (readonly [string, JsonObject])[] = [
		[guestTools.find, {}],
		[guestTools.find, { query: "book" }],
		[guestTools.find, { query: "nothing fits", server: "none" }],
		[guestTools.call, { tool: "travel_book", arguments: {} }],
		[guestTools.call, { tool: "nothing", arguments: {} }],
		[guestTools.list, {}],
		[guestTools.list, { server: "none" }],
		[guestTools.read, { server: "travel", uri: "file:///etc/passwd" }],
		[guestTools.read, { server: "travel", uri: "trips://1" }],
		[guestTools.readOn, { id: "none" }],
	];
	const texts: string[] = [];
	for (const [name, input] of calls) {
		const { content } = await guest.answer(name, input, undefined, new AbortController().signal);
		texts.push(partsText(content));
	}
	return texts;
}

describe("The names of the tools for other agents (GST-06)", () => {
	test("are the same in every harness", () => {
		expect(manifestTools().map(({ names }) => names)).toEqual(offered.map((name) => [name, name]));
	});

	test("are the only tool names in the manifest's texts, and each is named by another tool or by the documentation", () => {
		const texts = [...manifestTools().map((one) => one.texts), read("docs/other-agents.md")].join("\n");
		expect(
			unknownIn(
				manifestTools()
					.map((one) => one.texts)
					.join("\n"),
			),
		).toEqual([]);
		expect(
			(read("docs/other-agents.md").match(/#?\bmcphost_\w+/g) ?? []).filter(
				(name) => !offered.includes(name.replace("#", "")),
			),
		).toEqual([]);
		expect(offered.filter((name) => name !== guestTools.readOn && !texts.includes(name))).toEqual([]);
	});

	test("are those to which the documentation and Get Started lead in an agent session, where @mcp does not work", () => {
		for (const text of [read("docs/other-agents.md"), read("package.json")].map((one) => one.replace(/\s+/g, " "))) {
			expect(text).toMatch(/[Ii]n an agent session\S* of Copilot, Claude or Codex, `?@mcp`? (?:fails|does not work)/);
			expect(text).toMatch(/[Aa]sk in words/);
		}
		expect(read("package.json")).toContain('"when": "config.extensions.supportAgentsWindow"');
	});

	test("are the only tool names in answers and errors, which lead to all following ones", async () => {
		const texts = await answers();
		expect(texts.flatMap(unknownIn)).toEqual([]);
		const named = new Set(texts.flatMap(namesIn));
		expect([...named].sort()).toEqual([guestTools.call, guestTools.find, guestTools.list, guestTools.readOn].sort());
	});
});
