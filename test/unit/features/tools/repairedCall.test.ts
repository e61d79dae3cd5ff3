import { expect, test } from "vitest";
import { type CallContext, runCall, type ToolOutcome } from "../../../../src/features/tools/call.ts";
import { readCatalog } from "../../../../src/permissions/catalog/catalog.ts";
import { resultForModel } from "../../../../src/features/tools/outcome.ts";
import { directoryOf, User, serve, tool, type ToolSession } from "./toolSession.ts";

const book = tool("book", { nights: { type: "integer" }, place: { type: "object" } });
const wrong = { nights: "3", place: '{"city":"Rome"}' };

async function call(
	server: ToolSession,
	user: User,
	args: object,
	asker: CallContext["asker"] = "model",
): Promise<ToolOutcome> {
	const [entry] = readCatalog(directoryOf(server)).entries;
	if (entry === undefined) throw new Error("no tool");
	const { approvals, policy, pins } = user;
	const { signal } = new AbortController();
	const run = runCall({ callId: "c1", entry, arguments: { ...args } }, { approvals, policy, pins, signal, asker });
	for (;;) {
		const next = await run.next();
		if (next.done === true) return next.value;
		user.see(next.value);
	}
}

test("a model's arguments in the wrong form are asked about and sent as intended, and both forms are reported (TOL-29)", async () => {
	const server = await serve("s", book);
	const user = new User({ kind: "allow" });
	const outcome = await call(server, user, wrong);
	expect(user.asked[0]?.call).toMatchObject({
		arguments: { nights: 3, place: { city: "Rome" } },
		repairs: ['nights: "3" → 3', String.raw`place: "{\"city\":\"Rome\"}" → {"city":"Rome"}`],
	});
	expect(server.received).toEqual([{ name: "book", text: '{"nights":3,"place":{"city":"Rome"}}' }]);
	expect(JSON.stringify(resultForModel("c1", outcome))).toContain("were corrected to match the tool's input schema");
});

test("arguments that remain invalid are left as written, and a user's own are never changed (TOL-29)", async () => {
	const server = await serve("s", book);
	const user = new User({ kind: "allow" });
	const half = await call(server, user, { nights: "3", place: "Rome" });
	expect(half).toMatchObject({ kind: "invalid", problems: [expect.any(String), expect.any(String)] });
	expect(await call(server, user, wrong, "user")).toMatchObject({ kind: "invalid" });
	expect([user.asked, server.received]).toEqual([[], []]);
});
