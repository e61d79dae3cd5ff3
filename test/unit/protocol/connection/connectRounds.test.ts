import { describe, expect, it } from "vitest";
import type { Launch } from "../../../../src/protocol/launch.ts";
import type { Connection } from "../../../../src/protocol/connection.ts";
import { control, Scene } from "./connectScene.ts";
import { nodeLaunch, until } from "../stdio/processes.ts";

/** A modern server that answers each `method` by a question until it has `rounds` answers; it records its requests. */
function asking(method: string, rounds: number, result: object): Launch {
	return nodeLaunch(`
		const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
		const done = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
		const state = '{"a": 1,\\u0020 "ü":"\\ud83d\\ude00"}  ';
		let round = 0;
		require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
			const { id, method, params } = JSON.parse(line);
			if (method === "server/discover") {
				const capabilities = { tools: {}, prompts: {}, resources: {} };
				write({ id, result: { ...done, supportedVersions: ["2026-07-28"], capabilities } });
			} else if (method === ${JSON.stringify(method)}) {
				process.stderr.write(JSON.stringify({ id, isSame: params.requestState === state, answers: params.inputResponses }) + "\\n");
				if (round++ >= ${rounds}) return write({ id, result: { ...done, ...${JSON.stringify(result)} } });
				const form = { mode: "form", message: "Round " + round, requestedSchema: { type: "object", properties: {} } };
				const inputRequests = { q: { method: "elicitation/create", params: form } };
				write({ id, result: { resultType: "input_required", inputRequests, requestState: state } });
			}
		});`);
}

interface Leg {
	readonly id: number;
	readonly isSame: boolean;
	readonly answers?: unknown;
}

const legsOf = ({ host }: Scene): readonly Leg[] =>
	host.stderr
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line) as Leg);

const send: Readonly<Record<string, (connection: Connection) => Promise<object>>> = {
	"tools/call": (connection) => connection.callTool("x", {}, undefined, control()),
	"prompts/get": (connection) => connection.getPrompt("x", {}, control()),
	"resources/read": (connection) => connection.readResource("x://y", control()),
};

describe.concurrent("a question of a 2026-07-28 server during a request", () => {
	it.each([
		["tools/call", { content: [] }],
		["prompts/get", { messages: [] }],
		["resources/read", { contents: [] }],
	] as const)("reaches the same handlers from %s, and its state is returned unchanged", async (method, result) => {
		await using scene = new Scene();
		const asked: string[] = [];
		scene.host.elicit = ({ message }) => {
			asked.push(message);
			return Promise.resolve({ action: "accept", content: {} });
		};
		const connection = await scene.connect(asking(method, 2, result));
		expect(await send[method]?.(connection)).toMatchObject(result);
		expect(asked).toEqual(["Round 1", "Round 2"]);
		await until(() => legsOf(scene).length === 3);
		const legs = legsOf(scene);
		expect(legs.map(({ isSame }) => isSame)).toEqual([false, true, true]);
		expect(new Set(legs.map(({ id }) => id)).size).toBe(3);
		expect(legs[2]?.answers).toEqual({ q: { action: "accept", content: {} } });
	});

	it("ends after 25 rounds (TRN-55)", async () => {
		await using scene = new Scene();
		scene.host.elicit = () => Promise.resolve({ action: "accept", content: {} });
		const connection = await scene.connect(asking("tools/call", Number.MAX_SAFE_INTEGER, {}));
		await expect(connection.callTool("x", {}, undefined, control())).rejects.toMatchObject({
			code: "protocol",
			message: expect.stringContaining("25 rounds"),
		});
		await until(() => legsOf(scene).length === 26);
	});
});
