import { expect, test } from "vitest";
import { displayName } from "../../../../src/base/text.ts";
import {
	resourceReference,
	sessionNamed,
	templateGroups,
	templateReference,
} from "../../../../src/features/resources/catalog.ts";
import { listedResources, whenListed } from "../../../../src/features/resources/listed.ts";
import { FakeDirectory, FakeSession } from "./fakeSession.ts";

test("the templates of running servers are offered under their servers' names", async () => {
	const [memo, twin, idle] = [
		new FakeSession("memo"),
		new FakeSession("memo", {
			id: "mcp-json/memo",
			origin: { kind: "mcp-json", label: ".vscode/mcp.json (ws1)", isWorkspace: true },
		}),
		new FakeSession("idle"),
	] as const;
	const directory = new FakeDirectory(memo, idle, twin);
	await memo.run({
		resourceTemplates: [
			{ uriTemplate: "memo://{id}", name: "by id", title: "Note\u202E A\n", description: "d".repeat(400) },
		],
	});
	await twin.run({ resourceTemplates: [{ uriTemplate: "memo://{id}", name: "by id" }] });
	const groups = templateGroups(directory);
	expect(groups.map(({ heading }) => heading)).toEqual(["memo", "memo (.vscode/mcp.json (ws1))"]);
	expect(groups[0]?.rows[0]).toMatchObject({
		label: "Note\\u202E A",
		description: "memo://{id}",
	});
	expect(groups[0]?.rows[0]?.detail).toContain("(100 more characters)");
	expect(groups[1]?.rows[0]).toMatchObject({
		label: "by id",
		description: "memo://{id}",
		detail: "",
		value: { session: twin },
	});
});

test("a blank title does not hide the name", () => {
	expect(displayName({ title: " \n", name: "real" })).toBe("real");
	expect(displayName({ name: "only" })).toBe("only");
});

test("command arguments are read as data", () => {
	expect(resourceReference({ server: "a", uri: "x://y", more: 1 })).toEqual({ server: "a", uri: "x://y" });
	expect(templateReference({ server: "a", uriTemplate: "x://{y}" })).toEqual({ server: "a", uriTemplate: "x://{y}" });
	for (const odd of [
		undefined,
		null,
		"x://y",
		[],
		{},
		{ server: 1, uri: "x" },
		{ uri: "x" },
		{ server: "a", uri: null },
	]) {
		expect(resourceReference(odd)).toBeUndefined();
		expect(templateReference(odd)).toBeUndefined();
	}
});

test("a server is named by its id or its configured name", () => {
	const session = new FakeSession("memo");
	const directory = new FakeDirectory(session);
	expect(sessionNamed(directory, "memo")).toBe(session);
	expect(sessionNamed(directory, "user-settings/memo")).toBe(session);
	expect(() => sessionNamed(directory, "nobody\u202E")).toThrow('No server named "nobody\\u202E" is configured.');
	const twin = new FakeSession("memo", { id: "workspace/memo" });
	directory.set(twin, session);
	expect(() => sessionNamed(directory, "memo")).toThrow(
		'Several servers are named "memo". Choose one of: workspace/memo, user-settings/memo',
	);
	expect(sessionNamed(directory, "workspace/memo")).toBe(twin);
});

test("a picker waits for a list's first page, up to a limit", async () => {
	const session = new FakeSession("memo");
	const directory = new FakeDirectory(session);
	await session.run();
	let answer = (): void => undefined;
	void session.resources.connect(
		() =>
			new Promise((resolve) => {
				answer = () => resolve({ items: [{ uri: "memo://a", name: "a" }] });
			}),
	);
	await whenListed(directory, "resources", AbortSignal.abort());
	expect(listedResources(directory)).toEqual([]);
	const listed = whenListed(directory, "resources", new AbortController().signal);
	answer();
	await listed;
	expect(listedResources(directory)).toHaveLength(1);
});
