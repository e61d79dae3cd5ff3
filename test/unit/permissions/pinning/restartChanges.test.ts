import { describe, expect, it, onTestFinished } from "vitest";
import { OwnChanges } from "../../../../src/permissions/pinning/ownChanges.ts";
import { RestartChanges } from "../../../../src/permissions/pinning/restartChanges.ts";
import type { Tool } from "../../../../src/servers/sessions/session.ts";
import { developmentNote } from "../../../../src/surfaces/tree/contents.ts";
import { FakeDirectory, FakeSession } from "../../features/resources/fakeSession.ts";
import { book, listed, PinScene } from "./scene.ts";

const origin = { kind: "mcp-json", label: "", isWorkspace: true, folder: "/ws", file: "/ws/.vscode/mcp.json" } as const;
const other: Tool = { ...book, description: "Books two rooms." };
const named = (name: string): Tool => ({ name, inputSchema: { type: "object" } });

/** The session stops and runs again with these lists, as a restart does. */
async function restart(session: FakeSession, lists: Parameters<FakeSession["run"]>[0]): Promise<void> {
	session.setState({ kind: "stopped" });
	for (const list of [session.tools, session.prompts, session.resources, session.resourceTemplates]) list.disconnect();
	session.setState({ kind: "starting" });
	await session.run(lists);
}

describe("what a restart changed", () => {
	async function followed(lists: Parameters<FakeSession["run"]>[0]) {
		const session = new FakeSession("orders", { origin });
		const changes = new RestartChanges(new FakeDirectory(session));
		onTestFinished(() => changes.dispose());
		await session.run(lists);
		return { session, changes };
	}

	it("is nothing at the first start, and where the same is offered again", async () => {
		const { session, changes } = await followed({ tools: [book] });
		expect(changes.of(session)).toBeUndefined();
		await restart(session, { tools: [structuredClone(book)] });
		expect(changes.of(session)).toBeUndefined();
	});

	it("is reported for tools, prompts, resources and templates, with both sides of each", async () => {
		const { session, changes } = await followed({
			tools: [book, named("old")],
			prompts: [{ name: "greet" }],
			resources: [{ uri: "a://1", name: "one" }],
		});
		await restart(session, {
			tools: [other, named("new"), named("newer")],
			prompts: [{ name: "greet", description: "Says hello" }],
			resources: [{ uri: "a://1", name: "one" }],
			resourceTemplates: [{ uriTemplate: "a://{x}", name: "any" }],
		});
		const change = changes.of(session);
		expect(change?.words).toBe("2 tools added, 1 changed, 1 removed, 1 prompt changed, 1 resource template added");
		expect(change?.before).toContain("Books a room.");
		expect(change?.after).toContain("Books two rooms.");
		expect(change?.after).toContain("# tool: old\n\n(not offered)");
		expect(change?.after).not.toContain("a://1");
		expect(developmentNote(session, { restarts: changes })).toBe(`since restart: ${change?.words}`);
	});

	it("is nothing where the lists are given up one after the other before the end of the run", async () => {
		const lists = { tools: [book], resources: [{ uri: "a://1", name: "one" }] };
		const { session, changes } = await followed(lists);
		session.tools.disconnect();
		session.resources.disconnect();
		await restart(session, structuredClone(lists));
		expect(changes.of(session)).toBeUndefined();
	});

	it("is about the restart alone: the next one starts from what was offered last", async () => {
		const { session, changes } = await followed({ tools: [book] });
		await restart(session, { tools: [other] });
		expect(changes.of(session)?.words).toBe("1 tool changed");
		await restart(session, { tools: [other] });
		expect(changes.of(session)).toBeUndefined();
	});
});

describe("the user's own changes (TOL-33)", () => {
	async function pinned(overrides: ConstructorParameters<typeof FakeSession>[1]) {
		const session = new FakeSession("orders", overrides);
		const scene = new PinScene([session]);
		onTestFinished(() => scene[Symbol.dispose]());
		await session.run({ tools: [book] });
		await scene.pins.accept(session, listed(session));
		const accepted: string[] = [];
		const own = new OwnChanges({
			directory: scene.directory,
			pins: scene.pins,
			onAccepted: (_session, names) => void accepted.push(...names),
		});
		onTestFinished(() => own.dispose());
		return { session, scene, own, accepted };
	}

	it("are shown for review as long as the user does not trust them", async () => {
		const { session, scene, accepted } = await pinned({ origin });
		await restart(session, { tools: [other] });
		expect(scene.pins.changedTools(session)).toHaveLength(1);
		expect(accepted).toEqual([]);
	});

	it("count as approved once the user trusts them, those that wait and those that come; the row says so", async () => {
		const { session, scene, own, accepted } = await pinned({ origin });
		await restart(session, { tools: [other] });
		own.trust(session);
		expect(scene.pins.changedTools(session)).toEqual([]);
		expect(accepted).toEqual(["book"]);
		expect(developmentNote(session, { ownChanges: own })).toBe("your changes are trusted");
		await restart(session, { tools: [{ ...book, description: "Books three rooms." }] });
		expect(scene.pins.changedTools(session)).toEqual([]);
		own.end(session);
		await restart(session, { tools: [other] });
		expect(scene.pins.changedTools(session)).toHaveLength(1);
		expect(developmentNote(session, { ownChanges: own })).toBeUndefined();
	});

	it("are trusted of servers of the workspace alone, and not of another definition of the same name", async () => {
		const users = await pinned({});
		expect(() => users.own.trust(users.session)).toThrow("is not a local server of this workspace");
		const { session, own } = await pinned({ origin });
		own.trust(session);
		expect(own.has(new FakeSession("orders", { origin, hash: "another" }))).toBe(false);
	});
});
