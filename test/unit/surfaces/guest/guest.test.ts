import { describe, expect, test } from "vitest";
import type { ActivityEntry } from "../../../../src/records/activity/journal/entry.ts";
import type { JsonObject } from "../../../../src/base/json.ts";
import { RequestRefusal } from "../../../../src/base/refusal.ts";
import { Guest, type GuestAnswer, type GuestPreview } from "../../../../src/surfaces/guest/guest.ts";
import { guestTools } from "../../../../src/surfaces/guest/guestTools.ts";
import type { ToolAnswer, ToolQuestion } from "../../../../src/features/tools/approval.ts";
import type { Verdict } from "../../../../src/permissions/policy/verdict.ts";
import { partsText } from "../chat/scripted.ts";
import { directoryOf, User, serve, tool, type ToolSession } from "../../features/tools/toolSession.ts";

/** A guest of these servers, and its user. */
class Scene {
	readonly user: User;
	readonly notes: ActivityEntry[] = [];
	readonly asked: ToolQuestion[] = [];
	readonly guest: Guest;
	isOn = true;
	mostUnasked = 100;
	time = 0;

	constructor(sessions: readonly ToolSession[], answer?: ToolAnswer, whyFull?: RequestRefusal) {
		this.user = new User({ kind: "deny" });
		const { approvals, policy, pins } = this.user;
		this.guest = new Guest({
			directory: directoryOf(...sessions),
			approvals,
			policy,
			pins,
			refreshRules: async () => undefined,
			notes: { note: (entry) => void this.notes.push(entry) },
			caller: {
				during: "a turn of VS Code's agent",
				list: (question) => {
					if (whyFull !== undefined) throw whyFull;
					this.asked.push(question);
					if (answer !== undefined) queueMicrotask(() => question.decision.answer(answer));
				},
			},
			isOn: () => this.isOn,
			mostUnasked: () => this.mostUnasked,
			now: () => this.time,
		});
	}

	preview(name: string, input: JsonObject): Promise<GuestPreview> {
		return this.guest.preview(name, input, new AbortController().signal);
	}

	rule(name: string, decision: Verdict["decision"]): void {
		this.user.rules.set(name, { decision, by: { kind: "rule", label: `rule 1: ${decision} ${name}` } });
	}

	async answer(name: string, input: JsonObject = {}, signal = new AbortController().signal): Promise<string> {
		return textOf(await this.guest.answer(name, input, undefined, signal));
	}

	call(name: string, args: JsonObject = {}): Promise<string> {
		return this.answer(guestTools.call, { tool: name, arguments: args });
	}
}

function textOf({ content }: GuestAnswer): string {
	return partsText(content);
}

const book = tool("book", { city: { type: "string" } }, { description: "Books a hotel room" });

describe("tools for other agents (GST-01)", () => {
	test("are found by words and described in full, in the words for models", async () => {
		const scene = new Scene([await serve("travel", book, tool("weather", {}, { description: "Tells the forecast" }))]);
		const found = await scene.answer(guestTools.find, { query: "hotel" });
		expect(found).toContain("Call these tools with mcphost_call_tool");
		expect(JSON.parse(found.split("\n").find((line) => line.startsWith("{")) ?? "")).toEqual({
			tool: "travel_book",
			server: "travel",
			description: "Books a hotel room",
			inputSchema: book.inputSchema,
		});
		expect(await scene.answer(guestTools.find)).toMatch(/Enter a query.*- travel \(2\)/s);
		expect(await scene.answer(guestTools.find, { server: "travel" })).toMatch(/travel_book.*travel_weather/s);
		expect(await scene.answer(guestTools.find, { query: "zzz", server: "nobody" })).toMatch(
			/No server is named nobody/,
		);
	});

	test("are limited, for any number and length of definitions", async () => {
		const many = Array.from({ length: 500 }, (_, index) =>
			tool(`find${index}`, {}, { description: "word ".repeat(3000) }),
		);
		const found = await new Scene([await serve("big", ...many)]).answer(guestTools.find, { query: "word" });
		expect(found.length).toBeLessThan(60_000);
		expect(found).toContain("and 486 more");
	});

	test("are none without a server that runs", async () => {
		const scene = new Scene([]);
		expect(await scene.answer(guestTools.find, { query: "hotel" })).toContain("No server with tools is running");
		expect(await scene.answer(guestTools.list)).toContain("0 resources");
		expect(await scene.call("travel_book")).toContain("There is no tool named");
	});

	test("are not offered if the user turned them off", async () => {
		const travel = await serve("travel", book);
		const scene = new Scene([travel], { kind: "allow" });
		scene.isOn = false;
		for (const name of Object.values(guestTools))
			expect(await scene.answer(name)).toContain("does not allow other agents");
		expect(await scene.call("travel_book", { city: "Rome" })).toContain("mcpHost.chat.otherAgents");
		expect((await scene.preview(guestTools.call, { tool: "travel_book" })).confirmation).toBeUndefined();
		expect([travel.received, scene.asked]).toEqual([[], []]);
	});
});

describe("a call of another agent (GST-02)", () => {
	test("that our policy asks about gets our question, and none of the editor's own", async () => {
		const travel = await serve("travel", book);
		const scene = new Scene([travel], { kind: "allow" });
		const input = { tool: "travel_book", arguments: { city: "Rome\u202E" } };
		const preview = await scene.preview(guestTools.call, input);
		expect(preview.confirmation).toBeUndefined();
		expect(preview.message).toMatch(
			/\*\*book\*\* of \*\*travel\*\* .*needs your decision in MCP Host:.*"Rome\\u202E"/s,
		);
		expect(await scene.answer(guestTools.call, input)).toBe("book done");
		expect(travel.received).toEqual([{ name: "book", text: '{"city":"Rome\u202E"}' }]);
		expect(scene.asked).toHaveLength(1);
		expect(scene.asked[0]?.decision.subject).toMatchObject({
			during: "a turn of VS Code's agent",
			isElsewhere: true,
		});
		expect(scene.notes).toMatchObject(
			["asked", "allowed", "sent", "answered"].map((phase) => ({
				kind: "call",
				phase,
				origin: "agent",
				target: "book",
			})),
		);
	});

	test("that our policy allows is confirmed by the editor, with the exact arguments, and not by us", async () => {
		const travel = await serve("travel", book);
		const scene = new Scene([travel]);
		scene.rule("book", "allow");
		const input = { tool: "travel_book", arguments: { city: "[x](command:evil)" } };
		const { confirmation } = await scene.preview(guestTools.call, input);
		expect(confirmation?.title).toBe("Call **book** of **travel**?");
		expect(confirmation?.message).toMatch(/\*\*city\*\* `"\[x\]\(command:evil\)"`.*does not ask, because of rule 1/s);
		expect(await scene.answer(guestTools.call, input)).toBe("book done");
		expect(scene.asked).toEqual([]);
	});

	test("that our policy denies is not made, and no question is asked", async () => {
		const travel = await serve("travel", book);
		const scene = new Scene([travel], { kind: "allow" });
		scene.rule("book", "deny");
		const input = { tool: "travel_book", arguments: { city: "Rome" } };
		expect((await scene.preview(guestTools.call, input)).message).toMatch(/denied by rule 1/);
		expect(await scene.answer(guestTools.call, input)).toMatch(/a rule denied it/);
		expect([travel.received, scene.asked]).toEqual([[], []]);
	});

	test("with invalid arguments asks no question, and returns the errors", async () => {
		const travel = await serve("travel", book);
		const scene = new Scene([travel], { kind: "allow" });
		scene.rule("book", "allow");
		const input = { tool: "travel_book", arguments: { city: 5 } };
		expect((await scene.preview(guestTools.call, input)).confirmation).toBeUndefined();
		expect(await scene.answer(guestTools.call, input)).toMatch(/not sent.*city/s);
		expect(scene.asked).toEqual([]);
		expect(await scene.answer(guestTools.call, { tool: "travel_book", arguments: "no" })).toContain(
			"not a JSON object",
		);
		expect(await scene.answer(guestTools.call, { tool: "search_tools" })).toContain("There is no tool named");
		expect(travel.received).toEqual([]);
		// As weak models write them.
		expect(await scene.answer(guestTools.call, { tool: "travel_book", arguments: '{"city":"Rome"}' })).toBe(
			"book done",
		);
	});

	test("with arguments in the wrong form is shown and made as intended (TOL-29)", async () => {
		const travel = await serve("travel", tool("stay", { nights: { type: "integer" } }));
		const scene = new Scene([travel], { kind: "deny" });
		scene.rule("stay", "allow");
		const input = { tool: "travel_stay", arguments: { nights: "3" } };
		expect((await scene.preview(guestTools.call, input)).confirmation?.message).toContain("**nights** `3`");
		expect(await scene.answer(guestTools.call, input)).toContain("stay done");
		expect(travel.received).toEqual([{ name: "stay", text: '{"nights":3}' }]);
	});

	test("of a tool that changed since it was approved is asked about, despite a grant", async () => {
		const travel = await serve("travel", book);
		const scene = new Scene([travel], { kind: "deny" });
		await scene.user.pins.accept(travel, { ...book, description: "Tells the weather" });
		expect(await scene.call("travel_book", { city: "Rome" })).toMatch(/the user denied it/);
		expect(scene.asked[0]?.notice.pin.kind).toBe("changed");
		expect(await scene.answer(guestTools.find, { query: "weather" })).toContain("Tells the weather");
	});

	test("ends with the agent's turn, its question as well", async () => {
		const travel = await serve("travel", book);
		const scene = new Scene([travel]);
		const controller = new AbortController();
		const input = { tool: "travel_book", arguments: { city: "Rome" } };
		const answer = scene.answer(guestTools.call, input, controller.signal);
		await expect.poll(() => scene.asked.length).toBe(1);
		controller.abort();
		expect(await answer).toContain("cancelled");
		expect(scene.asked[0]?.decision.outcome).toEqual({ by: "lapse", reason: "cancelled" });
		expect(travel.received).toEqual([]);
	});

	test("is not made when too many questions wait already", async () => {
		const travel = await serve("travel", book);
		const full = new RequestRefusal(-32603, "limit", "20 requests from this server are already waiting for the user");
		const scene = new Scene([travel], undefined, full);
		expect(await scene.call("travel_book", { city: "Rome" })).toContain("was not called: 20 requests");
		expect([travel.received, scene.asked]).toEqual([[], []]);
	});
});

describe("an agent that does not give up (GST-04)", () => {
	test("is informed that the user denied exactly this call, without asking them again, for some minutes", async () => {
		const travel = await serve("travel", book);
		const scene = new Scene([travel], { kind: "deny" });
		for (let round = 0; round < 5; round++) {
			expect(await scene.call("travel_book", { city: "Rome" })).toContain("the user denied it");
		}
		expect(scene.asked).toHaveLength(1);
		const input = { tool: "travel_book", arguments: { city: "Rome" } };
		expect((await scene.preview(guestTools.call, input)).message).toContain("you have just denied it");
		await scene.call("travel_book", { city: "Oslo" });
		expect(scene.asked).toHaveLength(2);
		scene.time = 300_001;
		await scene.call("travel_book", { city: "Rome" });
		expect(scene.asked).toHaveLength(3);
		expect(travel.received).toEqual([]);
	});

	test("is asked about after many calls without a question, and the user's answer restarts the count", async () => {
		const travel = await serve("travel", book);
		const scene = new Scene([travel], { kind: "allow" });
		scene.rule("book", "allow");
		scene.mostUnasked = 3;
		for (let call = 0; call < 8; call++) await scene.call("travel_book", { city: `City ${call}` });
		expect(travel.received).toHaveLength(8);
		expect(scene.asked.map(({ call }) => call.arguments)).toEqual([{ city: "City 3" }, { city: "City 7" }]);
		expect(scene.asked[0]?.notice.why?.label).toContain("the limit of 3 calls");
	});
});

describe("resources for other agents", () => {
	test("are listed and read as by a model of ours: each read is a call", async () => {
		const travel = await serve("travel", book);
		await travel.run({ tools: [book], resources: [{ uri: "trips://1", name: "Trip" }] });
		const scene = new Scene([travel], { kind: "allow" });
		expect(await scene.answer(guestTools.list, { server: "travel" })).toContain('"uri":"trips://1"');
		expect(await scene.answer(guestTools.read, { server: "travel", uri: "file:///etc/passwd" })).toContain(
			"does not list the resource",
		);
		expect(scene.asked).toEqual([]);
		expect(await scene.answer(guestTools.read, { server: "travel", uri: "trips://1" })).toContain("trips://1");
		expect(scene.asked.map(({ call }) => [call.entry.tool.name, call.arguments])).toEqual([
			["resources/read", { uri: "trips://1" }],
		]);
	});
});

test("a long result is returned as its beginning, and the rest is read by the guest's own tool", async () => {
	const travel = await serve("travel", book);
	travel.onCall = async () => ({ content: [{ type: "text", text: "line\n".repeat(50_000) }] });
	const scene = new Scene([travel], { kind: "allow" });
	const told = await scene.call("travel_book", { city: "Rome" });
	expect(told.length).toBeLessThan(5000);
	// So that the trace shows its result (TRC-46).
	expect(JSON.stringify(travel.told)).toContain(told.slice(0, 30));
	const id = /mcphost_read_result with \{"id": "([^"]+)"/.exec(told)?.[1] ?? "";
	expect(await scene.answer(guestTools.readOn, { id, line: 50_000, lines: 1 })).toMatch(
		/starting at line 50,000.*line\n$/s,
	);
	const short = await scene.guest.answer(guestTools.readOn, { id }, 500, new AbortController().signal);
	expect(textOf(short).length).toBeLessThan(1700);
});
