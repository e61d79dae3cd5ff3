import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Emitter } from "../../../src/base/event.ts";
import type { ConfigProblem } from "../../../src/servers/config.ts";
import type { Resource, Root, Tool } from "../../../src/servers/session.ts";
import { ServersTree } from "../../../src/tree/tree.ts";
import type { GroupNode, MoreNode, TreeNode } from "../../../src/tree/nodes.ts";
import { viewOf, type NodeView } from "../../../src/tree/view.ts";
import { FakeDirectory, FakeSession } from "../resources/fakeSession.ts";

let travel: FakeSession;
let directory: FakeDirectory;
let tree: ServersTree;
let announced: (readonly TreeNode[] | undefined)[];
let rootList: readonly Root[];
let problemList: readonly ConfigProblem[];
const rootsChanged = new Emitter<void>();
const problemsChanged = new Emitter<void>();

const tool = (name: string, more: Partial<Tool> = {}): Tool => ({ name, inputSchema: { type: "object" }, ...more });
const resources = (count: number): Resource[] =>
	Array.from({ length: count }, (_, index) => ({ uri: `x://${index}`, name: `resource ${index}` }));

beforeEach(() => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	rootList = [{ uri: "file:///work/app", name: "app" }];
	problemList = [];
	travel = new FakeSession("travel");
	directory = new FakeDirectory(travel);
	tree = new ServersTree({
		directory,
		roots: {
			get current() {
				return rootList;
			},
			onDidChange: rootsChanged.event,
		},
		problems: {
			get current() {
				return problemList;
			},
			onDidChange: problemsChanged.event,
		},
	});
	announced = [];
	tree.onDidChange((nodes) => announced.push(nodes));
	settle();
	announced.length = 0;
});
afterEach(() => {
	tree.dispose();
	vi.useRealTimers();
});

/** Lets pass the time in which changes are gathered. */
function settle(): void {
	vi.advanceTimersByTime(50);
}

function view(node: TreeNode | undefined): NodeView {
	if (node === undefined) throw new Error("There is no such node.");
	return viewOf(node, (group) => tree.count(group));
}

/** The tree as a person sees it, with everything expanded. */
function picture(node?: TreeNode, depth = 0): string {
	return tree
		.children(node)
		.map((child) => {
			const { label, description } = view(child);
			return `${"  ".repeat(depth)}${`${label}  ${description}`.trimEnd()}\n${picture(child, depth + 1)}`;
		})
		.join("");
}

function server(): TreeNode {
	const [node] = tree.children();
	if (node === undefined) throw new Error("There is no server.");
	return node;
}

function group(kind: string): GroupNode {
	const found = tree.children(server()).find((node) => node.kind === "group" && node.group === kind);
	if (found?.kind !== "group") throw new Error(`There is no group ${kind}.`);
	return found;
}

describe("a running server", () => {
	test("shows what it offers, with counts, titles and real names", async () => {
		await travel.run({
			tools: [
				tool("bookHotel", { title: "Book a Hotel", annotations: { destructiveHint: true, openWorldHint: true } }),
				tool("search", { annotations: { title: "Search Flights", readOnlyHint: true } }),
				tool("plain"),
			],
			resources: [
				{ uri: "trips://history/barcelona", name: "barcelona", title: "Barcelona 2023", mimeType: "text/markdown" },
			],
			resourceTemplates: [{ uriTemplate: "weather://{city}", name: "weather" }],
			prompts: [{ name: "plan-vacation", title: "Plan a Vacation" }],
		});
		expect(picture()).toBe(
			[
				"travel  stdio · 2025-11-25 · legacy",
				"  Tools  3",
				"    Book a Hotel  bookHotel · destructive · open world",
				"    Search Flights  search · read-only",
				"    plain",
				"  Resources  1",
				"    Barcelona 2023  trips://history/barcelona",
				"  Resource Templates  1",
				"    weather  weather://{city}",
				"  Prompts  1",
				"    Plan a Vacation  plan-vacation",
				"  Roots  1",
				"    app  /work/app",
				"",
			].join("\n"),
		);
	});

	test("shows only groups that it offers", async () => {
		await travel.run({ prompts: [] });
		expect(picture()).toBe("travel  stdio · 2025-11-25 · legacy\n  Prompts  0\n  Roots  1\n    app  /work/app\n");
		expect(view(group("prompts")).isCollapsible).toBe(false);
	});

	test("gives commands the arguments that they take", async () => {
		await travel.run({
			resources: [{ uri: "x://a", name: "a" }],
			resourceTemplates: [{ uriTemplate: "x://{a}", name: "t" }],
			prompts: [{ name: "p" }],
			tools: [tool("t")],
		});
		const id = "user-settings/travel";
		const commandOf = (kind: string): unknown => {
			const { command } = view(tree.children(group(kind))[0]);
			return command && [command.id, command.argument];
		};
		expect(commandOf("resources")).toEqual(["mcpHost.openResource", { server: id, uri: "x://a" }]);
		expect(commandOf("resourceTemplates")).toEqual([
			"mcpHost.openResourceFromTemplate",
			{ server: id, uriTemplate: "x://{a}" },
		]);
		expect(commandOf("prompts")).toEqual(["mcpHost.runPrompt", { server: id, prompt: "p" }]);
		expect(commandOf("tools")).toBeUndefined();
		// Menus pass the node itself, which carries the same names.
		expect(tree.children(group("prompts"))[0]).toMatchObject({ server: id, prompt: "p" });
		expect(tree.children(group("resources"))[0]).toMatchObject({ server: id, uri: "x://a" });
		expect(server()).toMatchObject({ server: id });
	});
});

describe("a list that fails", () => {
	test("is a node with the message that tries again, not an empty list", async () => {
		await travel.run({ tools: [] });
		void travel.resources.connect(() => Promise.reject(new Error("database is locked")));
		await travel.resources.refresh();
		expect(view(group("resources"))).toMatchObject({
			description: "could not be read",
			icon: { id: "warning" },
			isCollapsible: true,
		});
		const [problem] = tree.children(group("resources"));
		expect(view(problem)).toMatchObject({
			label: "database is locked",
			description: "Retry",
			context: "list-problem",
			command: { id: "mcpHost.refresh" },
		});
	});

	test("keeps the items that were read before", async () => {
		await travel.run();
		let isBroken = false;
		void travel.tools.connect(() =>
			isBroken ? Promise.reject(new Error("gone")) : Promise.resolve({ items: [tool("a")] }),
		);
		await travel.tools.refresh();
		isBroken = true;
		await travel.tools.refresh();
		expect(tree.children(group("tools")).map(({ kind }) => kind)).toEqual(["list-problem", "tool"]);
	});

	test("is loading until then, and says when it was cut short", async () => {
		await travel.run();
		void travel.tools.connect(() => new Promise(() => undefined));
		expect(view(group("tools"))).toMatchObject({ description: "loading…", isCollapsible: true });
		expect(picture(group("tools"))).toBe("Loading…\n");
		void travel.tools.connect(() => Promise.resolve({ items: [tool("a")], nextCursor: "same" }));
		await travel.tools.refresh();
		expect(view(group("tools")).description).toBe("1+");
		expect(picture(group("tools"))).toBe("a\nIncomplete: the server repeated a page cursor\n");
	});
});

describe("a long list", () => {
	test("shows its first hundred items, then twice as many each time", async () => {
		await travel.run({ resources: resources(1204) });
		const shown = (): readonly TreeNode[] => tree.children(group("resources"));
		expect(view(group("resources")).description).toBe("1,204");
		expect(shown()).toHaveLength(101);
		expect(view(shown()[100])).toMatchObject({ label: "Show More (100 of 1,204)", context: "more" });
		settle();
		announced.length = 0;
		tree.showMore(shown()[100] as MoreNode);
		settle();
		expect(announced).toEqual([[group("resources")]]);
		expect(shown()).toHaveLength(201);
		for (let round = 0; round < 3; round++) tree.showMore(shown().at(-1) as MoreNode);
		expect(shown()).toHaveLength(1204);
	});

	test("builds only what is shown: ten thousand items cost as little as a hundred", async () => {
		await travel.run({ resources: resources(10_000) });
		const start = performance.now();
		for (let round = 0; round < 100; round++) tree.children(group("resources"));
		expect(performance.now() - start).toBeLessThan(500);
	});
});

describe("changes", () => {
	test("of a list refresh its group alone, gathered, and as the same object", async () => {
		await travel.run({ tools: [tool("a")], resources: [] });
		settle();
		announced.length = 0;
		const before = group("tools");
		for (let round = 0; round < 20; round++) await travel.tools.refresh();
		settle();
		expect(announced).toEqual([[before]]);
		expect(announced[0]?.[0]).toBe(before);
		expect(group("tools")).toBe(before);
	});

	test("keep the ids of items that stay, whatever else changes", async () => {
		await travel.run();
		let items = [tool("a"), tool("b")];
		void travel.tools.connect(() => Promise.resolve({ items }));
		await travel.tools.refresh();
		const idOfB = tree.children(group("tools"))[1]?.id;
		items = [tool("c"), tool("b", { title: "New Title" })];
		await travel.tools.refresh();
		const [, after] = tree.children(group("tools"));
		expect(after?.id).toBe(idOfB);
		expect(view(after).label).toBe("New Title");
	});

	test("of the state refresh the server, also when a group comes or goes", async () => {
		travel.setState({ kind: "starting" });
		settle();
		expect(announced).toEqual([[server()]]);
		announced.length = 0;
		await travel.run({ tools: [tool("a")] });
		settle();
		expect(announced.flat()).toContain(server());
		announced.length = 0;
		travel.tools.disconnect();
		settle();
		expect(announced).toEqual([[server()]]);
	});

	test("of the list of servers refresh the tree and keep the nodes of those that stay", () => {
		const before = server();
		directory.set(new FakeSession("other"), travel);
		settle();
		expect(announced).toEqual([undefined]);
		expect(tree.children()[1]).toBe(before);
		directory.set(travel);
		directory.set();
		settle();
		expect(announced).toEqual([undefined, undefined]);
		expect(tree.children()).toEqual([]);
		announced.length = 0;
		travel.setState({ kind: "starting" });
		settle();
		expect(announced).toEqual([]);
	});

	test("of the roots refresh the roots", async () => {
		await travel.run();
		settle();
		announced.length = 0;
		rootList = [];
		rootsChanged.fire();
		settle();
		expect(announced).toEqual([[group("roots")]]);
		expect(view(group("roots"))).toMatchObject({ description: "0", isCollapsible: false });
	});
});

test("faults of the configuration stand below the servers", () => {
	problemList = [
		{
			origin: { kind: "mcp-json", label: ".vscode/mcp.json (ws1)", file: "/ws1/.vscode/mcp.json", isWorkspace: true },
			path: ["servers", "x"],
			message: "The server has neither a command nor a URL.",
			severity: "error",
			server: "x",
		},
	];
	problemsChanged.fire();
	settle();
	expect(announced).toEqual([undefined]);
	expect(picture()).toBe("travel  stopped\nx: The server has neither a command nor a URL.  .vscode/mcp.json (ws1)\n");
});
