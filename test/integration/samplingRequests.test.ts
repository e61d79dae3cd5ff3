import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import type { ServerSession } from "../../src/servers/sessions/serverSession.ts";
import type { Answer } from "../servers/samplingTools.ts";
import { expectedBody } from "../unit/features/sampling/expectedBody.ts";
import { everything, randomEdits } from "../unit/features/sampling/randomRequest.ts";
import { edits } from "../unit/features/sampling/edits.ts";
import { ApprovingUser } from "./approvingUser.ts";
import { answersOf, samplingReaches } from "./samplingReach.ts";
import { TestHost } from "./testHost.ts";

const question = { role: "user", content: { type: "text", text: "Go on." } };

/** Has the server sample once. */
async function sample(session: ServerSession, params: object): Promise<Answer | undefined> {
	const whole = { messages: [question], maxTokens: 50, ...params } as JsonObject;
	const [answer] = answersOf(await session.callTool("sample", { params: whole }));
	return answer;
}

describe.each(samplingReaches)("sampling over $name", ({ era, reach }) => {
	/** A refusal reaches a legacy server; since revision 2026-07-28 the call during which it asked ends with it. */
	async function refused(session: ServerSession, params: object, message: RegExp): Promise<void> {
		if (era === "modern") await expect(sample(session, params)).rejects.toThrow(message);
		else {
			const error = { code: -32602, message: expect.stringMatching(message) };
			expect(await sample(session, params)).toEqual({ error });
		}
	}

	it("SMP-10: the endpoint's record matches the shown text, byte for byte, over 50 random edits", async () => {
		await using host = new TestHost();
		await using server = await reach();
		await using user = await ApprovingUser.at(host);
		const session = await host.run("sampling", server.config);
		for (let seed = 101; seed <= 150; seed++) {
			const { draft, params, shown } = randomEdits(seed, "unmasked");
			user.request = draft;
			const answer = `The answer to ${seed}.\r\n\u202e"{}`;
			user.completion = edits({ text: answer });
			expect(await sample(session, everything)).toMatchObject({ result: { content: { type: "text", text: answer } } });
			const body = user.model.requests.at(-1)?.body;
			expect(JSON.stringify(body)).toBe(JSON.stringify(expectedBody(params, shown)));
		}
		expect(user.model.requests).toHaveLength(50);
	});

	it("SMP-07: respects the maximum of tokens, and accepts no meaningless one (BLT-09)", async () => {
		await using host = new TestHost();
		await using server = await reach();
		await using user = await ApprovingUser.at(host);
		const session = await host.run("sampling", server.config);
		user.model.next({ text: "Cut", finishReason: "length" });
		const answer = await sample(session, { maxTokens: 3, temperature: 0.5, stopSequences: ["STOP"] });
		expect(user.model.requests[0]?.body).toMatchObject({ max_tokens: 3, temperature: 0.5, stop: ["STOP"] });
		expect(answer).toMatchObject({ result: { content: { text: "Cut" }, stopReason: "maxTokens" } });
		for (const maxTokens of [0, -1]) await refused(session, { maxTokens }, /maxTokens must be a positive integer/);
		for (const maxTokens of [0.5, "many", null]) await refused(session, { maxTokens }, /maxTokens/);
		expect(user.model.requests).toHaveLength(1);
	});

	it("returns the model's stop reason, and nothing behind a stop sequence (BLT-09, BLT-10)", async () => {
		await using host = new TestHost();
		await using server = await reach();
		await using user = await ApprovingUser.at(host);
		const session = await host.run("sampling", server.config);
		user.model.next({ text: "All of it." }, { text: "Before STOP behind" });
		expect(await sample(session, {})).toMatchObject({
			result: { model: "scripted-model", role: "assistant", stopReason: "endTurn" },
		});
		expect(await sample(session, { stopSequences: ["STOP"] })).toMatchObject({
			result: { content: { type: "text", text: "Before " }, stopReason: "stopSequence" },
		});
	});

	it("SMP-03: offers only the server's tools, and returns the model's calls of them (BLT-14)", async () => {
		await using host = new TestHost();
		await using server = await reach();
		await using user = await ApprovingUser.at(host);
		const session = await host.run("sampling", server.config);
		user.model.otherwise(({ tools = [] }, index) => {
			const name = tools.find((offered) => offered.function.name.startsWith("text_shout_"))?.function.name ?? "";
			const calls = [
				{ id: "c1", name: "getWeather", arguments: { city: "Rome" } },
				{ id: "c2", name, arguments: { text: "sunny" } },
			];
			return index === 0 ? { text: "Let me see.", toolCalls: calls } : { text: "SUNNY." };
		});
		const [first, second] = answersOf(await session.callTool("agent", { question: "How is Rome?" }));
		expect(first).toMatchObject({
			result: {
				content: [
					{ type: "text", text: "Let me see." },
					{ type: "tool_use", id: "c1", name: "getWeather", input: { city: "Rome" } },
					{ type: "tool_use", id: "c2", name: "text.shout", input: { text: "sunny" } },
				],
				stopReason: "toolUse",
			},
		});
		expect(second).toMatchObject({ result: { content: { type: "text", text: "SUNNY." }, stopReason: "endTurn" } });
		const [asked, again] = user.model.requests.map(({ body }) => body);
		const names = (asked?.tools ?? []).map((offered) => offered.function.name);
		expect(names).toEqual(["getWeather", expect.stringMatching(/^text_shout_[0-9a-f]{8}$/)]);
		expect(asked).toMatchObject({ tool_choice: "auto" });
		expect(again?.messages.slice(1)).toMatchObject([
			{ role: "assistant", content: "Let me see.", tool_calls: [{ id: "c1" }, { function: { name: names[1] } }] },
			{ role: "tool", tool_call_id: "c1", content: "Sunny, 24 degrees in Rome" },
			{ role: "tool", tool_call_id: "c2", content: "SUNNY" },
		]);
	});

	it("SMP-03: returns no call that is incomplete, or of a tool that was not offered", async () => {
		await using host = new TestHost();
		await using server = await reach();
		await using user = await ApprovingUser.at(host);
		const session = await host.run("sampling", server.config);
		for (const call of [
			{ name: "getWeather", arguments: '{"city": "Ro' },
			{ name: "deleteAll", arguments: {} },
		]) {
			user.model.next({ toolCalls: [call] });
			const agent = session.callTool("agent", {});
			if (era === "modern") await expect(agent).rejects.toThrow("User rejected sampling request");
			else expect(answersOf(await agent)).toEqual([{ error: expect.objectContaining({ code: -1 }) }]);
		}
		expect(user.problems).toEqual([
			expect.stringContaining("called getWeather with arguments that are not a JSON object"),
			expect.stringContaining("called the tool “deleteAll”, which was not offered to it"),
		]);
	});

	it("SMP-12: refuses unbalanced messages with the specified errors", async () => {
		await using host = new TestHost();
		await using server = await reach();
		await using user = await ApprovingUser.at(host);
		const session = await host.run("sampling", server.config);
		const use = { role: "assistant", content: [{ type: "tool_use", id: "1", name: "t", input: {} }] };
		const result = { type: "tool_result", toolUseId: "1", content: [] };
		const image = { type: "image", data: "A*20000000", mimeType: "image/png" };
		await refused(session, { messages: [use, question] }, /Tool result missing in request/);
		await refused(session, { messages: [use] }, /Tool result missing in request/);
		await refused(
			session,
			{ messages: [use, { role: "user", content: [result, question.content] }] },
			/Tool results mixed with other content/,
		);
		await refused(session, { messages: [] }, /must not be empty/);
		await refused(session, { messages: [{ role: "system", content: question.content }] }, /role/);
		await refused(session, { messages: [{ role: "user", content: { type: "video" } }] }, /type|content/i);
		await refused(session, { messages: [{ role: "user", content: image }] }, /10 MB/);
		expect(user.model.requests).toHaveLength(0);
	});

	it("answers with a hint without a name, and sends sound as sound (BLT-11, BLT-13)", async () => {
		await using host = new TestHost();
		await using server = await reach();
		await using user = await ApprovingUser.at(host);
		const session = await host.run("sampling", server.config);
		const audio = { type: "audio", data: "UklGRg==", mimeType: "audio/wav" };
		const answer = await sample(session, {
			modelPreferences: { hints: [{}] },
			messages: [{ role: "user", content: [audio] }],
		});
		expect(answer).toMatchObject({ result: { content: { type: "text" } } });
		expect(user.model.requests[0]?.body.messages).toEqual([
			{ role: "user", content: [{ type: "input_audio", input_audio: { data: "UklGRg==", format: "wav" } }] },
		]);
	});
});
