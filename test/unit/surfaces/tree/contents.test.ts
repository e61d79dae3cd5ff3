import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Page } from "../../../../src/protocol/connection.ts";
import type { Resource } from "../../../../src/servers/sessions/session.ts";
import type { TreeNode } from "../../../../src/surfaces/tree/nodes.ts";
import { TreeScene, manyResources, tool } from "./treeScene.ts";

let scene: TreeScene;

beforeEach(() => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	scene = new TreeScene();
});
afterEach(() => {
	scene.dispose();
	vi.useRealTimers();
});

const labels = (nodes: readonly TreeNode[]): readonly string[] => nodes.map((node) => scene.view(node).label);
const resources = (): string => scene.picture(scene.group("resources"));

/** Every item that can be reached below a node by opening folders and loading more. */
function reachable(node: TreeNode): readonly string[] {
	let rows = scene.children(node);
	while (rows.some(({ kind }) => kind === "more")) {
		scene.loadMore(rows);
		rows = scene.children(node);
	}
	return rows.flatMap((row) => (row.kind === "folder" ? reachable(row) : row.kind === "resource" ? [row.uri] : []));
}

describe("a long list", () => {
	beforeEach(() => scene.arrangements.choose({ layout: "list" }));

	test("shows its first hundred items, then twice as many each time", async () => {
		await scene.travel.run({ resources: manyResources(1204) });
		const shown = (): readonly TreeNode[] => scene.rows("resources");
		expect(scene.view(scene.group("resources")).description).toBe("1,204");
		expect(shown()).toHaveLength(101);
		expect(scene.view(shown()[100])).toMatchObject({ label: "Load More… (100 of 1,204)", context: "more" });
		scene.settle();
		scene.announced.length = 0;
		const next = scene.loadMore(shown());
		expect(next).toMatchObject({ kind: "resource", uri: "x://all/100" });
		scene.settle();
		expect(scene.announced).toEqual([[scene.group("resources")]]);
		expect(shown()).toHaveLength(201);
		for (let round = 0; round < 3; round++) scene.loadMore(shown());
		expect(shown()).toHaveLength(1204);
	});

	test("never shows a thousand rows more for one choice", async () => {
		await scene.travel.run({ resources: manyResources(50_000) });
		let before = 100;
		for (let round = 0; round < 10; round++) {
			scene.loadMore(scene.rows("resources"));
			const now = scene.rows("resources").length - 1;
			expect(now - before).toBeLessThanOrEqual(1000);
			before = now;
		}
		expect(labels(scene.rows("resources")).at(-1)).toBe("Load More… (7,600 of 50,000)");
	});

	test("is processed only as far as it is shown", async () => {
		let looks = 0;
		const resource = (index: number): Resource => ({
			uri: `x://${index}`,
			get name() {
				looks++;
				return `resource ${index}`;
			},
		});
		await scene.travel.run({ resources: Array.from({ length: 50_000 }, (_, index) => resource(index)) });
		looks = 0;
		for (const row of scene.rows("resources")) scene.view(row);
		expect(looks).toBeLessThan(500);
	});

	test.each(["list", "tree"] as const)(
		"has every item exactly once as a %s, for any order of loading",
		async (layout) => {
			scene.arrangements.choose({ layout });
			const items = Array.from({ length: 1500 }, (_, index) => ({
				uri: `x://${index % 7}/${index % 3 === 0 ? "" : `${index % 211}/`}${index}`,
				name: `item ${index}`,
			}));
			await scene.travel.run({ resources: items });
			const found = reachable(scene.group("resources"));
			expect(found.length).toBe(items.length);
			expect(found.toSorted()).toEqual(items.map(({ uri }) => uri).toSorted());
		},
	);
});

describe("resources", () => {
	const uris = ["cal://2026/june", "cal://2026/july", "cal://2027/may", "urn:x:1", "file:///w/a.md"];
	const items = uris.map((uri) => ({ uri, name: `N ${uri.at(-1)}` }));

	test("are one list in the server's order while they fit into a page, and folders above that", async () => {
		await scene.travel.run({ resources: manyResources(100) });
		expect(scene.rows("resources")).toHaveLength(100);
		expect(scene.view(scene.group("resources")).context).toBe("group-resources long as-list");
		await scene.travel.run({ resources: manyResources(101) });
		expect(labels(scene.rows("resources"))).toEqual(["x://all"]);
		expect(scene.view(scene.group("resources")).context).toBe("group-resources long as-tree");
		// And stay so, so that a list of about that length does not change repeatedly.
		await scene.travel.run({ resources: manyResources(100) });
		expect(labels(scene.rows("resources"))).toEqual(["x://all"]);
	});

	test("are grouped by the paths of their URIs when the user wants that", async () => {
		await scene.travel.run({ resources: items });
		scene.arrangements.choose({ layout: "tree" });
		expect(resources()).toBe(
			[
				"cal://  3",
				"  2026  2",
				"    N e  june",
				"    N y  july",
				"  2027  1",
				"    N y  may",
				"urn:x:  1",
				"  N 1  1",
				"file:///w  1",
				"  N d  a.md",
				"",
			].join("\n"),
		);
		const [folder] = scene.rows("resources");
		expect(scene.view(folder)).toMatchObject({
			isCollapsible: true,
			startsOpen: false,
			spoken: "cal://, folder, 3 resources",
			context: "folder",
		});
	});

	test("know their parent rows", async () => {
		await scene.travel.run({ resources: items });
		scene.arrangements.choose({ layout: "tree" });
		const group = scene.group("resources");
		const [folder] = scene.children(group);
		const [inner] = folder === undefined ? [] : scene.children(folder);
		expect([inner, folder, group].map((node) => node && scene.parent(node))).toEqual([folder, group, scene.server()]);
		expect(scene.parent(scene.server())).toBeUndefined();
	});

	test("in one folder only have it open from the beginning", async () => {
		await scene.travel.run({ resources: manyResources(150) });
		expect(scene.view(scene.rows("resources")[0])).toMatchObject({ label: "x://all", startsOpen: true });
	});

	test("keep their ids in list and tree, in every order and under every filter", async () => {
		await scene.travel.run({ resources: items });
		const idOf = (): string | undefined => {
			const visit = (nodes: readonly TreeNode[]): readonly TreeNode[] =>
				nodes.flatMap((node) => (node.kind === "folder" ? visit(scene.children(node)) : [node]));
			return visit(scene.rows("resources")).find((node) => node.kind === "resource" && node.uri === uris[1])?.id;
		};
		const id = idOf();
		expect(id).toBeDefined();
		scene.arrangements.choose({ layout: "tree" });
		expect(idOf()).toBe(id);
		scene.arrangements.choose({ sort: "name" });
		expect(idOf()).toBe(id);
		scene.arrangements.setFilter(scene.id, "resources", "july");
		expect(idOf()).toBe(id);
	});

	test("are sorted in list and folders as the user wants, for one server or all", async () => {
		const sorted = ["b/10", "b/9", "a/1"].map((path) => ({ uri: `x://${path}`, name: path }));
		await scene.travel.run({ resources: sorted });
		scene.arrangements.choose({ sort: "name" }, scene.id);
		expect(labels(scene.rows("resources"))).toEqual(["a/1", "b/9", "b/10"]);
		expect(scene.view(scene.group("resources")).spoken).toBe("Resources, 3, by name");
		scene.arrangements.choose({ layout: "tree" });
		expect(resources()).toBe("x://  3\n  a  1\n    a/1  1\n  b  2\n    b/9  9\n    b/10  10\n");
		scene.arrangements.choose({ sort: "server" });
		expect(labels(scene.rows("resources").flatMap((row) => scene.children(row)))).toEqual(["b", "a"]);
	});

	test("that arrive page by page are shown at once, and their group shows that there are more", async () => {
		await scene.travel.run({});
		let send: (page: Page<Resource>) => void = () => undefined;
		void scene.travel.resources.connect(() => new Promise((resolve) => (send = resolve)));
		const first = new Promise<void>((resolve) => scene.travel.resources.onDidChange(resolve));
		send({ items: manyResources(150), nextCursor: "2" });
		await first;
		expect(scene.view(scene.group("resources")).description).toBe("150+");
		expect(resources()).toContain("Loading…");
		expect(labels(scene.rows("resources"))).toEqual(["x://all", "Loading…"]);
	});
});

describe("a filter", () => {
	const items = ["Alpha Report", "Beta Report", "Alpha Map"].map((name, index) => ({
		uri: `x://d${index}/${name}`,
		name,
	}));

	test("shows items with all its words, is shown on the group's row, and is cleared by one choice", async () => {
		await scene.travel.run({ resources: items });
		scene.arrangements.setFilter(scene.id, "resources", "report alpha");
		expect(scene.view(scene.group("resources"))).toMatchObject({
			description: "1 of 3 for “report alpha”",
			context: "group-resources filtered as-list",
		});
		expect(labels(scene.rows("resources"))).toEqual(["Alpha Report"]);
		scene.arrangements.setFilter(scene.id, "resources", "nothing");
		expect(scene.view(scene.group("resources"))).toMatchObject({ isCollapsible: true });
		expect(scene.view(scene.rows("resources")[0])).toMatchObject({
			label: "Nothing matches “nothing”",
			command: { id: "mcpHost.clearFilter", argument: { server: scene.id, group: "resources" } },
		});
		scene.arrangements.setFilter(scene.id, "resources", "");
		expect(scene.rows("resources")).toHaveLength(3);
	});

	test("opens the folders with few matches, as rows of their own", async () => {
		await scene.travel.run({ resources: items });
		scene.arrangements.choose({ layout: "tree" });
		const [before] = scene.rows("resources");
		scene.arrangements.setFilter(scene.id, "resources", "alpha");
		const [found] = scene.rows("resources");
		expect(scene.view(found)).toMatchObject({ startsOpen: true, description: "2" });
		expect(found?.id).not.toBe(before?.id);
		expect(resources()).toBe("x://  2\n  d0  1\n    Alpha Report\n  d2  1\n    Alpha Map\n");
	});

	test("works on all groups, each on its own", async () => {
		await scene.travel.run({
			tools: [tool("book", { title: "Book a Hotel" }), tool("pay")],
			resourceTemplates: [
				{ uriTemplate: "a://{x}", name: "one" },
				{ uriTemplate: "b://{x}", name: "two" },
			],
			prompts: [{ name: "plan" }, { name: "pack" }],
		});
		scene.rootList = ["app", "docs"].map((name) => ({ uri: `file:///${name}`, name }));
		const found = { tools: "hotel", resourceTemplates: "b://", prompts: "pack", roots: "docs" } as const;
		for (const [group, filter] of Object.entries(found) as [keyof typeof found, string][]) {
			scene.arrangements.setFilter(scene.id, group, filter);
			expect(scene.rows(group)).toHaveLength(1);
			expect(scene.view(scene.group(group)).description).toBe(`1 of 2 for “${filter}”`);
			expect(scene.view(scene.group(group)).context).toBe(`group-${group} filtered`);
		}
	});

	test("redraws the group, and no others", async () => {
		await scene.travel.run({ resources: items, prompts: [] });
		scene.settle();
		scene.announced.length = 0;
		scene.arrangements.setFilter(scene.id, "resources", "a");
		scene.settle();
		expect(scene.announced.flat()).toEqual([scene.group("resources")]);
	});
});
