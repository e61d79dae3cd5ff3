import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import type { ModelPart } from "../../../../src/models/model.ts";
import type { Session } from "../../../../src/servers/sessions/session.ts";
import type { HostToolAnswer } from "../../../../src/features/tools/hostTools.ts";
import { readResult } from "../../../../src/features/tools/results/result.ts";
import { KeptResults, readingLimits, ResultReading } from "../../../../src/features/tools/results/resultReading.ts";
import { readResourceTool, listResourcesTool } from "../../../../src/features/agentTools/resourceTool.ts";
import { resourceReadName } from "../../../../src/permissions/catalog/names.ts";
import { resultTools } from "../../../../src/features/agentTools/resultTools.ts";
import { FakeSession } from "../resources/fakeSession.ts";

async function travel(name = "travel", id = `user-settings/${name}`): Promise<FakeSession> {
	const session = new FakeSession(name, { id });
	await session.run({
		resources: [
			{ uri: "trips://1", name: "Rome", description: "A trip \u202E to Rome", mimeType: "text/plain" },
			{ uri: "file:///etc/hosts", name: "Hosts" },
			{ uri: "trips://secret", name: "Diary", annotations: { audience: ["user"] } },
		],
		resourceTemplates: [{ uriTemplate: "trips://{year}/{city}", name: "Trip of a year" }],
	});
	return session;
}

function resolve(sessions: readonly Session[], args: JsonObject, isLinked = false) {
	const tool = readResourceTool({ sessions, isLinked: () => isLinked });
	if (tool.kind !== "call") throw new Error("a read has to be a call");
	return tool.resolve(args);
}

describe("a model that reads a resource", () => {
	test("makes a call to that server, which is handled like every call", async () => {
		const session = await travel();
		const call = resolve([session], { server: "travel", uri: "trips://1" });
		if (!("entry" in call)) throw new Error(call.problem);
		expect(call.arguments).toEqual({ uri: "trips://1" });
		expect(call.entry).toMatchObject({
			session,
			tool: { name: resourceReadName, annotations: { readOnlyHint: true } },
		});
		expect(session.reads).toEqual([]);
		const raw = await call.entry.perform?.(call.arguments, {});
		expect(session.reads).toEqual(["trips://1"]);
		expect(readResult(raw ?? {}).forModel).toEqual([{ type: "text", text: "Resource trips://1:\ntext of trips://1" }]);
	});

	test("receives several contents, binary ones by name", async () => {
		const session = await travel();
		session.onRead = async (uri) => ({
			contents: [
				{ uri, text: "one" },
				{ uri: `${uri}/zip`, mimeType: "application/zip", blob: "AAEC" },
				{ uri: `${uri}/2`, text: "two" },
			],
		});
		const call = resolve([session], { server: "travel", uri: "trips://1" });
		const raw = "entry" in call ? await call.entry.perform?.(call.arguments, {}) : undefined;
		expect(readResult(raw ?? {}).forModel.map((part) => (part.type === "text" ? part.text : ""))).toEqual([
			"Resource trips://1:\none",
			"Resource trips://1/zip:\n(binary, application/zip: left out)",
			"Resource trips://1/2:\ntwo",
		]);
	});

	test.each([
		["listed", "trips://1", true],
		["listed, whatever its scheme: it is read from the server, never from disk", "file:///etc/hosts", true],
		["made by a template", "trips://2024/Oslo", true],
		["not listed by any server", "trips://nowhere", false],
		["of another scheme", "https://canary.example/?d=secret", false],
		["a file that is not listed", "file:///etc/passwd", false],
		["meant for the user only", "trips://secret", false],
		["no address", "", false],
	])("gets one that is %s: %s", async (_name, uri, expected) => {
		const session = await travel();
		expect("entry" in resolve([session], { server: "travel", uri })).toBe(expected);
		expect(session.reads).toEqual([]);
	});

	test("gets a resource that a result of that server linked to", async () => {
		expect("entry" in resolve([await travel()], { server: "travel", uri: "x://unlisted" }, true)).toBe(true);
	});

	test.each([{}, { server: "travel" }, { server: 1, uri: 2 }, { server: "none", uri: "trips://1" }])(
		"is informed what is wrong with %j",
		async (args) => {
			expect(resolve([await travel()], args)).toHaveProperty("problem");
		},
	);

	test("gets nothing of a template that is meant for the user only", async () => {
		const session = new FakeSession("travel");
		await session.run({
			resourceTemplates: [
				{ uriTemplate: "diary://{day}", name: "Diary", annotations: { audience: ["user"] } },
				{ uriTemplate: "trips://{day}", name: "Trips" },
			],
		});
		expect(resolve([session], { server: "travel", uri: "diary://today" })).toHaveProperty("problem");
		expect(resolve([session], { server: "travel", uri: "trips://today" })).toHaveProperty("entry");
	});

	test("distinguishes servers of one name by their ids", async () => {
		const [one, two] = [await travel("same", "user/same"), await travel("same", "workspace/same")];
		const call = resolve([one, two], { server: "workspace/same", uri: "trips://1" });
		expect("entry" in call && call.entry.session).toBe(two);
		expect(resolve([one, two], { server: "same", uri: "trips://1" })).toHaveProperty("problem");
	});
});

describe("the list of resources for a model", () => {
	async function list(sessions: readonly Session[], args: JsonObject = {}): Promise<HostToolAnswer & { text: string }> {
		const tool = listResourcesTool(sessions);
		if (tool.kind !== "local") throw new Error("a list reaches no server");
		const answer = await tool.run(args, new AbortController().signal);
		return { ...answer, text: answer.content.map((part: ModelPart) => (part.type === "text" ? part.text : "")).join() };
	}

	test("contains resources and templates of the turn's servers, without those for the user only", async () => {
		const { text, note } = await list([await travel(), await travel("other")]);
		expect(text.split("\n")).toHaveLength(7);
		expect(text).toContain('{"server":"travel","uri":"trips://1","name":"Rome","mimeType":"text/plain"');
		expect(text).toContain('"uriTemplate":"trips://{year}/{city}"');
		expect(text).not.toMatch(/Diary|\u202E/);
		expect(note).toBe("Listed 6 of 6 resources and templates");
	});

	test("TOL-15: is bounded, whatever the addresses of a server", async () => {
		const session = new FakeSession("long");
		await session.run({
			resources: [
				{ uri: `n://${"x".repeat(1_000_000)}`, name: "Long" },
				{ uri: "n://short", name: "Short" },
			],
		});
		const { text } = await list([session]);
		expect(text.length).toBeLessThan(17_000);
		expect(text).toContain("n://short");
		expect((await list([session], { offset: "1" })).text).not.toContain("n://short");
	});

	test("can be filtered by server and words, and continues at an offset", async () => {
		const session = new FakeSession("many");
		await session.run({
			resources: Array.from({ length: 1000 }, (_, index) => ({ uri: `n://${index}`, name: `Note ${index}` })),
		});
		expect((await list([session, await travel()], { server: "travel", query: "rome trip" })).text).toContain(
			"(1 resources",
		);
		const first = await list([session]);
		expect(first.text).toContain("Entries 0 to 60 follow. Continue at offset 60");
		expect(first.text.length).toBeLessThan(17_000);
		expect((await list([session], { offset: 60 })).text).toContain("n://60");
		expect(await list([session], { server: "none" })).toMatchObject({ isError: true });
	});
});

test("both are offered only while a server of the turn has something to read", async () => {
	const reading = new ResultReading(new KeptResults(), readingLimits({ maxInputTokens: 8000, supportsTools: true }));
	const namesFor = (...sessions: readonly Session[]) =>
		resultTools(reading, { sessions, isLinked: () => false }).map(({ tool }) => tool.name);
	const empty = new FakeSession("empty");
	await empty.run();
	expect(namesFor()).toEqual([]);
	expect(namesFor(empty)).toEqual([]);
	const session = await travel();
	expect(namesFor(empty, session)).toEqual(["list_resources", "read_resource"]);
	session.setState({ kind: "stopped" });
	expect(namesFor(session)).toEqual([]);
});
