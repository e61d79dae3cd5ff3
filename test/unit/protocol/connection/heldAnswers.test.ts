import type { JSONRPCRequest, StandardSchemaV1 } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { asSent, held, HeldAnswers } from "../../../../src/protocol/connection/heldAnswers.ts";

/** Accepts any value. */
const anything: StandardSchemaV1<unknown, unknown> = {
	"~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) },
};

const request = (method: string, id = 1, params: JSONRPCRequest["params"] = held({})): JSONRPCRequest => ({
	jsonrpc: "2.0",
	id,
	method,
	params,
});
const answer = (result: object, id = 1) => ({ jsonrpc: "2.0" as const, id, result: { ...result } });

/** The SDK's view of an answer, and that of the host's schema. */
async function take(method: string, result: object): Promise<{ readonly sdk: unknown; readonly own: unknown }> {
	const answers = new HeldAnswers();
	answers.note(request(method));
	const taken = answers.take(answer(result));
	const sdk = "result" in taken ? taken.result : undefined;
	return { sdk, own: await asSent(anything["~standard"].validate)["~standard"].validate(sdk) };
}

describe("an answer that the host checks itself", () => {
	it("reaches the SDK empty and the host's schema as sent, in both eras", async () => {
		const tools = [{ name: 7 }];
		const { sdk, own } = await take("tools/list", { tools, nextCursor: null, resultType: "complete", ttlMs: 5 });
		// As text, so that values that no text carries do not count.
		expect(JSON.parse(JSON.stringify(sdk))).toEqual({ tools: [], resultType: "complete", ttlMs: 5 });
		expect(own).toEqual({ value: { tools, nextCursor: null, ttlMs: 5 } });
		expect((await take("resources/read", { contents: "none" })).own).toEqual({ value: { contents: "none" } });
	});

	it("is left to the SDK when it requests input, or is an error", async () => {
		const asks = { resultType: "input_required", requestState: "state" };
		expect((await take("tools/call", asks)).sdk).toEqual(asks);
		const answers = new HeldAnswers();
		answers.note(request("tools/call"));
		const error = { jsonrpc: "2.0" as const, id: 1, error: { code: -32603, message: "no" } };
		expect(answers.take(error)).toBe(error);
	});

	it("is none for a request that was not marked, that was cancelled, or that was earlier", () => {
		const answers = new HeldAnswers();
		answers.note(request("resources/read", 1, {}));
		answers.note(request("resources/read", 2));
		answers.forget(2);
		answers.note(request("resources/read", 3));
		answers.take(answer({ contents: [] }, 3));
		for (const id of [1, 2, 3]) {
			const message = answer({ contents: [] }, id);
			expect(answers.take(message)).toBe(message);
		}
	});

	it("leaves no trace in sent messages", () => {
		expect(JSON.stringify(held({ uri: "a" }))).toBe('{"uri":"a"}');
	});
});
