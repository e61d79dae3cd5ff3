import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ScriptedModel, startScriptedModel } from "../../../servers/scriptedModel.ts";
import { ask } from "../asking.ts";

const wanted = { maxTokens: 50, temperature: 0.3, stopSequences: ["END"], metadata: { user_id: "u1" } };

describe("a server's parameters for a model (BLT-09)", () => {
	let server: ScriptedModel;
	beforeEach(async () => {
		server = await startScriptedModel();
	});
	afterEach(() => server.close());

	test("reach the endpoint", async () => {
		const events = await ask({ url: server.url, options: wanted });
		const { body } = server.requests[0] ?? {};
		expect(body).toMatchObject({ max_tokens: 50, temperature: 0.3, stop: ["END"], metadata: { user_id: "u1" } });
		expect(events.at(-1)).not.toHaveProperty("without");
	});

	test("take precedence over the values of the setting, which never raise the most tokens (SMP-07)", async () => {
		const parameters = { temperature: 1, stop: ["X"], metadata: {}, max_tokens: 9000, max_completion_tokens: 9000 };
		await ask({ url: server.url, more: { parameters }, options: wanted });
		expect(server.requests[0]?.body).toMatchObject({
			max_tokens: 50,
			max_completion_tokens: 50,
			temperature: 0.3,
			stop: ["END"],
			metadata: { user_id: "u1" },
		});
		await ask({ url: server.url, more: { parameters: { max_tokens: 20 } }, options: wanted });
		expect(server.requests[1]?.body).toMatchObject({ max_tokens: 20 });
		await ask({ url: server.url, more: { parameters } });
		expect(server.requests[2]?.body).toMatchObject({ ...parameters });
	});

	test("are reported where they were left out", async () => {
		server.next({ status: 400, errorCode: "unsupported_value", errorParam: "temperature" }, { text: "Fine" });
		const events = await ask({ url: server.url, options: wanted });
		expect(events.at(-1)).toMatchObject({ type: "done", without: ["temperature"] });
		const more = { parameters: { max_tokens: null, metadata: null } };
		expect((await ask({ url: server.url, more, options: wanted })).at(-1)).toMatchObject({
			without: ["max_tokens", "metadata"],
		});
	});

	test("omit stop sequences if there are too many for the endpoint: the host searches for them as well", async () => {
		server.next({ status: 400, errorCode: "array_above_max_length", errorParam: "stop" }, { text: "Fine" });
		const events = await ask({ url: server.url, options: { ...wanted, stopSequences: [..."ABCDE"] } });
		expect(server.requests.map(({ body }) => "stop" in body)).toEqual([true, false]);
		expect(events.at(-1)).toMatchObject({ type: "done" });
	});

	test("end at a stop sequence where the endpoint reports it, like vLLM (BLT-10)", async () => {
		const chunk = (choice: object): object => ({ model: "m", choices: [{ index: 0, ...choice }] });
		server.next({
			chunks: [chunk({ delta: { content: "Yes" } }), chunk({ delta: {}, finish_reason: "stop", stop_reason: "END" })],
		});
		expect((await ask({ url: server.url })).at(-1)).toMatchObject({ type: "done", stopReason: "stopSequence" });
	});

	test("send sound as input_audio, never as an image (BLT-13)", async () => {
		const audio = (mimeType: string) => ({ type: "audio", data: "AAAA", mimeType }) as const;
		const content = [audio("audio/wav"), audio("audio/mpeg"), audio("audio/ogg")];
		await ask({ url: server.url, messages: [{ role: "user", content }] });
		expect(server.requests[0]?.body.messages[0]?.content).toEqual([
			{ type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
			{ type: "input_audio", input_audio: { data: "AAAA", format: "mp3" } },
			{ type: "text", text: expect.stringContaining("audio/ogg left out") },
		]);
	});
});
