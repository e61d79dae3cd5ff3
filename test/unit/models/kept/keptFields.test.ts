import { describe, expect, test } from "vitest";
import { mostKept, readKept, toKept } from "../../../../src/models/kept/keptFields.ts";
import { KeptMemory } from "../../../../src/models/kept/keptMemory.ts";
import { toModelCallId } from "../../../../src/models/callIds.ts";
import type { JsonObject } from "../../../../src/base/json.ts";
import type { KeptFields, ModelMessage } from "../../../../src/models/model.ts";

const call = (callId: string, name = "look", args: JsonObject = { at: "the sea" }) => ({
	type: "tool-call" as const,
	callId,
	name,
	arguments: args,
});
const signed = (callId: string, signature: string, by = "here m"): KeptFields => ({
	by,
	message: { reasoning_content: "Hm" },
	calls: [{ callId, fields: { extra_content: { google: { thought_signature: signature } } } }],
});
const answer = (...content: ModelMessage["content"]): ModelMessage => ({ role: "assistant", content });

describe("MDL-02: stored fields", () => {
	test("are read back unchanged", () => {
		const kept = signed("1", "é\u2028/+=");
		expect(readKept(JSON.parse(JSON.stringify(kept)))).toEqual(kept);
	});

	test.each([
		["nothing", undefined],
		["a text", "signed"],
		["no keeper", { message: {}, calls: [] }],
		["a list as the message", { by: "here m", message: ["x"], calls: [] }],
		["nothing kept", { by: "here m", message: {}, calls: [{ callId: 1, fields: {} }, null] }],
		["too much", { by: "here m", message: { reasoning_content: "x".repeat(mostKept) }, calls: [] }],
	])("are ignored if invalid: %s", (_what, value) => {
		expect(readKept(value)).toBeUndefined();
	});

	test("are not kept when they are too large, or empty", () => {
		expect(toKept("here m", {}, [])).toBeUndefined();
		expect(toKept("here m", { reasoning: "x".repeat(mostKept) }, [])).toBeUndefined();
	});
});

describe("MDL-03: the data of an answer's calls", () => {
	const [rome, oslo] = [call("1", "look", { at: "Rome" }), call("2", "look", { at: "Oslo" })];

	test("is added again to the same calls, in the same scope, for the same model", () => {
		const memory = new KeptMemory();
		memory.remember("a", [rome, oslo], signed("1", "S"));
		const [recalled] = memory.recall("a", "here m", [answer(rome, oslo)]);
		expect(recalled?.kept).toEqual(signed("1", "S"));
		// Removing one keeps the other.
		expect(memory.recall("a", "here m", [answer(oslo)])[0]?.kept).toEqual({ ...signed("1", "S"), calls: [] });
	});

	test("is not added to other calls", () => {
		const memory = new KeptMemory();
		memory.remember("a", [rome], signed("1", "S"));
		const others: readonly (readonly [scope: string, by: string, message: ModelMessage])[] = [
			["b", "here m", answer(rome)],
			["a", "there m", answer(rome)],
			["a", "here m", answer({ ...rome, arguments: { at: "Bern" } })],
			["a", "here m", answer({ ...rome, callId: "3" })],
			["a", "here m", answer({ ...rome, name: "book" })],
			["a", "here m", { role: "user", content: [rome] }],
		];
		for (const [scope, by, message] of others) expect(memory.recall(scope, by, [message])).toEqual([message]);
		const own = { ...answer(rome), kept: signed("1", "brought") };
		expect(memory.recall("a", "here m", [own])).toEqual([own]);
	});

	test("finds calls whose ids were replaced by generally valid ones", () => {
		const memory = new KeptMemory();
		const odd = call("functions.look:0");
		memory.remember("a", [odd], signed("functions.look:0", "S"));
		for (const callId of [odd.callId, toModelCallId(odd.callId)]) {
			const [recalled] = memory.recall("a", "here m", [answer({ ...odd, callId })]);
			expect(recalled?.kept?.calls).toEqual(signed(callId, "S").calls);
		}
	});

	test("is forgotten, the oldest first, beyond the limit", () => {
		const memory = new KeptMemory();
		const long = "x".repeat(900_000);
		for (let number = 0; number < 20; number++)
			memory.remember("a", [call(String(number))], signed(String(number), long));
		const known = Array.from({ length: 20 }, (_, number) =>
			memory.recall("a", "here m", [answer(call(String(number)))])[0]?.kept === undefined ? "" : number,
		).filter((number) => number !== "");
		expect(known.at(-1)).toBe(19);
		expect(known.length).toBeLessThan(10);
	});
});
