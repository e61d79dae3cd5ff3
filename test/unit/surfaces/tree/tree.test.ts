import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { facts, FakeSession } from "../../features/resources/fakeSession.ts";
import type { Resource, Tool } from "../../../../src/servers/sessions/session.ts";
import type { GroupKind } from "../../../../src/surfaces/tree/nodes.ts";
import { TreeScene, tool } from "./treeScene.ts";

let scene: TreeScene;

beforeEach(() => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	scene = new TreeScene();
});
afterEach(() => {
	scene.dispose();
	vi.useRealTimers();
});

describe("a running server", () => {
	test("shows its offers, with counts, titles and real names", async () => {
		await scene.travel.run({
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
		expect(scene.picture()).toBe(
			[
				"travel",
				"  Tools  3",
				"    Book a Hotel  bookHotel",
				"    Search Flights  search",
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
		await scene.travel.run({ prompts: [] });
		expect(scene.picture()).toBe("travel\n  Prompts  0\n  Roots  1\n    app  /work/app\n");
		expect(scene.view(scene.group("prompts")).isCollapsible).toBe(false);
	});

	test("gives commands their arguments", async () => {
		await scene.travel.run({
			resources: [{ uri: "x://a", name: "a" }],
			resourceTemplates: [{ uriTemplate: "x://{a}", name: "t" }],
			prompts: [{ name: "p" }],
			tools: [tool("t")],
		});
		const id = "user-settings/travel";
		const commandOf = (kind: GroupKind): unknown => {
			const { command } = scene.view(scene.rows(kind)[0]);
			return command && [command.id, command.argument];
		};
		expect(commandOf("resources")).toEqual(["mcpHost.openResource", { server: id, uri: "x://a" }]);
		expect(commandOf("resourceTemplates")).toEqual([
			"mcpHost.openResourceFromTemplate",
			{ server: id, uriTemplate: "x://{a}" },
		]);
		expect(commandOf("prompts")).toEqual(["mcpHost.runPrompt", { server: id, prompt: "p" }]);
		expect(commandOf("tools")).toEqual(["mcpHost.runTool", { server: id, tool: "t" }]);
		// Menus pass the node itself, which has the same names.
		expect(scene.rows("prompts")[0]).toMatchObject({ server: id, prompt: "p" });
		expect(scene.rows("resources")[0]).toMatchObject({ server: id, uri: "x://a" });
		expect(scene.server()).toMatchObject({ server: id });
	});
});

describe("a list that fails", () => {
	test("is a node with the message that retries, not an empty list", async () => {
		await scene.travel.run({ tools: [] });
		void scene.travel.resources.connect(() => Promise.reject(new Error("database is locked")));
		await scene.travel.resources.refresh();
		expect(scene.view(scene.group("resources"))).toMatchObject({
			description: "could not be read",
			icon: { id: "warning" },
			isCollapsible: true,
		});
		const [problem] = scene.rows("resources");
		expect(scene.view(problem)).toMatchObject({
			label: "database is locked",
			description: "Retry",
			context: "list-problem",
			command: { id: "mcpHost.refresh" },
		});
	});

	test("keeps the previously read items", async () => {
		await scene.travel.run();
		let isBroken = false;
		void scene.travel.tools.connect(() =>
			isBroken ? Promise.reject(new Error("gone")) : Promise.resolve({ items: [tool("a")] }),
		);
		await scene.travel.tools.refresh();
		isBroken = true;
		await scene.travel.tools.refresh();
		expect(scene.rows("tools").map(({ kind }) => kind)).toEqual(["list-problem", "tool"]);
	});

	test("is loading until then, and shows when it was cut short", async () => {
		await scene.travel.run();
		void scene.travel.tools.connect(() => new Promise(() => undefined));
		expect(scene.view(scene.group("tools"))).toMatchObject({ description: "loading…", isCollapsible: true });
		expect(scene.picture(scene.group("tools"))).toBe("Loading…\n");
		void scene.travel.tools.connect(() => Promise.resolve({ items: [tool("a")], nextCursor: "same" }));
		await scene.travel.tools.refresh();
		expect(scene.view(scene.group("tools")).description).toBe("1+");
		expect(scene.picture(scene.group("tools"))).toBe("a\nIncomplete: the server repeated a page cursor\n");
	});
});

describe("changes", () => {
	test("of a list refresh only its group, at once and then gathered, and as the same object", async () => {
		await scene.travel.run({ resources: [] });
		let count = 0;
		void scene.travel.tools.connect(() => Promise.resolve({ items: [tool(`tool ${count++}`)] }));
		await scene.travel.tools.refresh();
		scene.settle();
		const before = scene.group("tools");
		scene.children(before);
		scene.announced.length = 0;
		await scene.travel.tools.refresh();
		expect(scene.announced).toEqual([[before]]);
		for (let round = 0; round < 20; round++) {
			scene.children(before);
			await scene.travel.tools.refresh();
		}
		expect(scene.announced).toHaveLength(1);
		scene.settle();
		expect(scene.announced).toEqual([[before], [before]]);
		expect(scene.announced[0]?.[0]).toBe(before);
		expect(scene.group("tools")).toBe(before);
	});

	test("that continue are announced with pauses that the editor needs to pass them on", async () => {
		await scene.travel.run({ tools: [tool("a")] });
		scene.settle();
		scene.announced.length = 0;
		for (let round = 0; round < 100; round++) {
			scene.tree.refresh({ server: scene.id, group: "tools" });
			vi.advanceTimersByTime(20);
		}
		expect(scene.announced).toHaveLength(10);
	});

	test("of a running server are announced with its first lists, without the pause of the editor (UI-28)", async () => {
		let answer: (page: { readonly items: readonly Tool[] }) => void = () => undefined;
		scene.travel.setState({ kind: "running", facts });
		void scene.travel.tools.connect(() => new Promise((resolve) => (answer = resolve)));
		vi.advanceTimersByTime(60);
		expect(scene.announced).toEqual([]);
		answer({ items: [tool("a")] });
		await Promise.resolve();
		void scene.travel.resources.connect(() => Promise.resolve({ items: [{ uri: "x://a", name: "a" }] }));
		await scene.travel.resources.refresh();
		vi.advanceTimersByTime(20);
		expect(scene.announced).toHaveLength(1);
		expect(scene.announced.flat()).toContain(scene.server());
		expect(scene.picture()).toContain("Tools  1");
	});

	test("of a server all of whose lists have arrived are announced at once, since nothing is left to wait for (UI-28)", async () => {
		scene.travel.setState({ kind: "running", facts });
		const answers: ((page: { readonly items: readonly Tool[] }) => void)[] = [];
		void scene.travel.tools.connect(() => new Promise((resolve) => answers.push(resolve)));
		void scene.travel.prompts.connect(() => new Promise((resolve) => answers.push(resolve)));
		for (const answer of answers) {
			answer({ items: [tool("a")] });
			await Promise.resolve();
			await Promise.resolve();
		}
		vi.advanceTimersByTime(1);
		expect(scene.announced).toHaveLength(1);
		expect(scene.picture()).toContain("Prompts  1");
	});

	test("of a server with slow lists are announced without them", () => {
		scene.travel.setState({ kind: "running", facts });
		void scene.travel.tools.connect(() => new Promise(() => undefined));
		scene.settle();
		expect(scene.announced).toEqual([[scene.server()]]);
		expect(scene.picture()).toContain("loading…");
	});

	test("while those of the whole tree are gathered are announced with them, and no pause begins before (UI-28)", () => {
		scene.directory.set(scene.travel, new FakeSession("other"));
		scene.tree.refresh({ server: scene.id });
		vi.advanceTimersByTime(60);
		expect(scene.announced).toEqual([undefined]);
	});

	test("without an effect refresh nothing, so that no row is redrawn under the mouse", async () => {
		await scene.travel.run({ tools: [] });
		let items: readonly Resource[] = [{ uri: "x://a", name: "a" }];
		void scene.travel.resources.connect(() => Promise.resolve({ items: structuredClone(items) }));
		await scene.travel.resources.refresh();
		scene.picture();
		scene.settle();
		scene.announced.length = 0;
		await scene.travel.resources.refresh();
		scene.settle();
		expect(scene.announced).toEqual([]);
		// Parts that only the tooltip shows are refreshed as well.
		items = [{ uri: "x://a", name: "a", description: "new" }];
		await scene.travel.resources.refresh();
		scene.settle();
		expect(scene.announced).toEqual([[scene.group("resources")]]);
	});

	test("that restore the list from before a restart are announced, however late the list comes (UI-29)", async () => {
		await scene.travel.run({ tools: [tool("a")] });
		scene.settle();
		expect(scene.view(scene.group("tools")).description).toBe("1");
		scene.travel.setState({ kind: "stopped" });
		scene.travel.tools.disconnect();
		scene.settle();
		let answer: (page: { readonly items: readonly Tool[] }) => void = () => undefined;
		scene.travel.setState({ kind: "running", facts });
		void scene.travel.tools.connect(() => new Promise((resolve) => (answer = resolve)));
		scene.settle();
		expect(scene.view(scene.group("tools")).description).toBe("loading…");
		scene.announced.length = 0;
		answer({ items: [tool("a")] });
		await expect.poll(() => scene.travel.tools.status.kind).toBe("ready");
		scene.settle();
		expect(scene.announced.flat()).toContain(scene.group("tools"));
	});

	test("keep the ids of remaining items, despite other changes", async () => {
		await scene.travel.run();
		let items = [tool("a"), tool("b")];
		void scene.travel.tools.connect(() => Promise.resolve({ items }));
		await scene.travel.tools.refresh();
		const idOfB = scene.rows("tools")[1]?.id;
		items = [tool("c"), tool("b", { title: "New Title" })];
		await scene.travel.tools.refresh();
		const [, after] = scene.rows("tools");
		expect(after?.id).toBe(idOfB);
		expect(scene.view(after).label).toBe("New Title");
	});

	test("of whether any server can be unfolded refresh all of them, which the editor then indents alike (UI-26)", () => {
		const other = new FakeSession("other");
		scene.directory.set(scene.travel, other);
		scene.settle();
		scene.announced.length = 0;
		scene.travel.setState({ kind: "starting" });
		scene.settle();
		expect(scene.announced).toEqual([scene.tree.children()]);
		scene.announced.length = 0;
		other.setState({ kind: "starting" });
		scene.settle();
		expect(scene.announced).toEqual([[scene.tree.children()[1]]]);
	});

	test("of the state refresh the server, also when a group is added or removed", async () => {
		scene.travel.setState({ kind: "starting" });
		scene.settle();
		expect(scene.announced).toEqual([[scene.server()]]);
		scene.announced.length = 0;
		await scene.travel.run({ tools: [tool("a")] });
		scene.settle();
		expect(scene.announced.flat()).toContain(scene.server());
		scene.announced.length = 0;
		scene.travel.tools.disconnect();
		scene.settle();
		expect(scene.announced).toEqual([[scene.server()]]);
	});

	test("of the list of servers refresh the tree and keep the nodes of remaining ones", () => {
		const before = scene.server();
		scene.directory.set(new FakeSession("other"), scene.travel);
		scene.settle();
		expect(scene.announced).toEqual([undefined]);
		expect(scene.tree.children()[1]).toBe(before);
		scene.directory.set(scene.travel);
		scene.directory.set();
		scene.settle();
		expect(scene.announced.every((nodes) => nodes === undefined)).toBe(true);
		expect(scene.tree.children()).toEqual([]);
		scene.announced.length = 0;
		scene.travel.setState({ kind: "starting" });
		scene.settle();
		expect(scene.announced).toEqual([]);
	});

	test("of the roots refresh the roots", async () => {
		await scene.travel.run();
		scene.settle();
		scene.announced.length = 0;
		scene.rootList = [];
		scene.rootsChanged.fire();
		scene.settle();
		expect(scene.announced).toEqual([[scene.group("roots")]]);
		expect(scene.view(scene.group("roots"))).toMatchObject({ description: "0", isCollapsible: false });
		scene.rootRemark = { text: "chosen by you", isWarning: false };
		expect(scene.view(scene.group("roots"))).toMatchObject({ description: "0", spoken: "Roots, 0, chosen by you" });
	});
});

test("faults of the configuration are below the servers", () => {
	scene.problemList = [
		{
			origin: { kind: "mcp-json", label: ".vscode/mcp.json (ws1)", file: "/ws1/.vscode/mcp.json", isWorkspace: true },
			path: ["servers", "x"],
			message: "The server has neither a command nor a URL.",
			severity: "error",
			server: "x",
		},
	];
	scene.problemsChanged.fire();
	scene.settle();
	expect(scene.announced).toEqual([undefined]);
	expect(scene.picture()).toBe(
		"travel  stopped\nx: The server has neither a command nor a URL.  .vscode/mcp.json (ws1)\n",
	);
});
