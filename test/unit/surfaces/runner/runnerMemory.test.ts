import { expect, test } from "vitest";
import { asksForSecret, holdsSecrets } from "../../../../src/base/secrets/judge.ts";
import { LastArguments } from "../../../../src/surfaces/runner/runnerMemory.ts";
import { MemoryStore } from "../../servers/fixtures.ts";
import { serve, tool } from "../../features/tools/toolSession.ts";
import { entryOf } from "./runScene.ts";

test("the arguments of the last run outlive the window", async () => {
	const state = new MemoryStore();
	const entry = entryOf(await serve("travel", tool("echo", { text: { type: "string" } })));
	await new LastArguments(state).remember(entry, { text: "first" });
	await new LastArguments(state).remember(entry, { text: "second" });
	expect(new LastArguments(state).of(entry)).toEqual({ text: "second" });
	await new LastArguments(state).clear();
	expect(new LastArguments(state).of(entry)).toBeUndefined();
});

test("text that looks like a secret is not kept, and replaces nothing (SEC-03)", async () => {
	const state = new MemoryStore();
	const entry = entryOf(await serve("travel", tool("login", { user: { type: "string" } })));
	const last = new LastArguments(state);
	await last.remember(entry, { user: "ann" });
	await last.remember(entry, { user: "ann", password: "hunter2" });
	expect(last.of(entry)).toBeUndefined();
	expect(JSON.stringify([...state.values])).not.toMatch(/hunter2|ann/);
});

test.each([
	[{}, { apiKey: "x" }, true],
	[{}, { nested: [{ access_token: "x" }] }, true],
	[{}, { url: "https://x.example/?token=abc" }, true],
	[{ properties: { a: { format: "password" } } }, { a: "x" }, true],
	[{ properties: { a: { title: "Your PIN" } } }, { a: "1" }, true],
	[{ properties: { title: { type: "string" } } }, { title: "x", maxTokens: 3 }, false],
	[{}, { auth: "ghp_16C7e42F292c6912E7710c838347Ae178B4a" }, true],
	[{}, { header: "Authorization: Bearer abcdefgh" }, true],
	[{}, { list: ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N"] }, true],
	[{}, { text: "-----BEGIN PRIVATE KEY-----" }, true],
	[{}, { id: "8f14e45f-ceea-467f-a1b2-c3d4e5f60718", file: "report-2026-final-version.pdf" }, false],
	[{}, { url: "https://x.example/Trips/2026/Rome-and-Naples.html", at: "2026-11-21T10:00:00.000Z" }, false],
	[{ properties: { a: { description: "Your API key" } } }, { a: "x" }, true],
])("%j with %j may hold a secret: %s", (schema, args, expected) => {
	expect(asksForSecret(schema) || holdsSecrets(args, "asked")).toBe(expected);
});

test("damaged storage contains no arguments (SEC-08)", async () => {
	const state = new MemoryStore();
	const entry = entryOf(await serve("travel", tool("echo")));
	for (const stored of ["x", [{ key: [entry.session.definition.id, "echo"], texts: ["[1]"] }], 7]) {
		await state.update("mcpHost.toolArguments", stored);
		expect(new LastArguments(state).of(entry)).toBeUndefined();
	}
});
