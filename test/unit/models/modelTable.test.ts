/**
 * docs/models.md shows for each family of endpoints what works with it, and no more than its fixtures prove: each cell
 * is based on a stub that is as strict as the service, or on shapes that are replayed elsewhere.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { ModelEvent, ModelMessage, ModelTool } from "../../../src/models/model.ts";
import { deepSeek, gemini, liteLlm, mistral, openAi, openRouter } from "../../servers/strictFamilies.ts";
import { opaqueMark, startStrictModel, type PlainAnswer, type StrictFamily } from "../../servers/strictModels.ts";
import {
	anthropic,
	azure,
	gitHub,
	llamaCpp,
	lmStudio,
	ollama,
	qwen,
	strictKey,
	vllm,
} from "../../servers/strictSchemas.ts";
import { ask } from "./asking.ts";
import { failureShapes } from "./shapes/failures.ts";

/** The families, and the user's name of those whose stub has another. */
const families: readonly (readonly [make: () => StrictFamily, name?: string])[] = [
	[ollama],
	[lmStudio, "LM Studio"],
	[llamaCpp],
	[vllm],
	[openAi],
	[azure],
	[gitHub, "GitHub Models"],
	[gemini],
	[anthropic],
	[mistral],
	[deepSeek],
	[qwen],
	[openRouter],
	[liteLlm],
];

const tools: readonly ModelTool[] = ["look", "book"].map((name) => ({
	name,
	description: name,
	inputSchema: { type: "object", properties: { at: { type: "string" } } },
}));
const call = (name: string) => ({ name, arguments: { at: "sea" } });

/** The events of an answer of a family, and the request sent to it; an answer that is refused throws. */
async function answered(
	family: StrictFamily,
	answer: PlainAnswer,
	goOn?: (events: readonly ModelEvent[]) => readonly ModelMessage[],
): Promise<{ readonly events: readonly ModelEvent[]; readonly sent: string }> {
	await using endpoint = await startStrictModel(family);
	endpoint.say(() => answer);
	const more = { kind: family.name.toLowerCase(), images: true };
	const asking = { url: endpoint.url, apiKey: strictKey, more, options: { tools } };
	const events = await ask({ ...asking, messages: picture });
	if (goOn !== undefined) await ask({ ...asking, messages: goOn(events) });
	expect([family.name, endpoint.refused]).toEqual([family.name, []]);
	return { events, sent: JSON.stringify(endpoint.bodies) };
}

const picture: readonly ModelMessage[] = [
	{
		role: "user",
		content: [
			{ type: "text", text: "Look" },
			{ type: "image", data: "AAAA", mimeType: "image/png" },
		],
	},
];

/** The conversation with the answer and the results of its calls. */
function withResults(events: readonly ModelEvent[]): readonly ModelMessage[] {
	const done = events.find((event) => event.type === "done");
	const calls = events.filter((event) => event.type === "tool-call");
	return [
		...picture,
		{ role: "assistant", content: calls, ...(done?.kept && { kept: done.kept }) },
		{
			role: "user",
			content: calls.map(({ callId }) => ({
				type: "tool-result",
				callId,
				isError: false,
				content: [{ type: "text", text: "seen" }],
			})),
		},
	];
}

const yes = "✓";
const no = "·";

async function rowOf(make: () => StrictFamily, name: string): Promise<string> {
	const chat = await answered(make(), { text: "Waves." });
	const one = await answered(make(), { calls: [call("look")] }, withResults);
	const two = await answered(make(), { calls: [call("look"), call("book")] }, withResults);
	const callsOf = (events: readonly ModelEvent[]): readonly string[] =>
		events.flatMap((event) => (event.type === "tool-call" && event.malformed === undefined ? [event.name] : []));
	const isShown = one.events.some((event) => event.type === "reasoning");
	const isSentBack = one.sent.includes(opaqueMark);
	const reasoning = [...(isShown ? ["shown"] : []), ...(isSentBack ? ["sent back"] : [])].join(", ");
	const failures = failureShapes.filter((shape) => shape.name.startsWith(`${name}:`)).length;
	const cells = [
		chat.events.some((event) => event.type === "text" && event.text === "Waves.") ? yes : no,
		callsOf(one.events).join() === "look" ? yes : no,
		callsOf(two.events).join() === "look,book" ? yes : no,
		chat.sent.includes("data:image/png;base64,AAAA") ? yes : no,
		reasoning === "" ? no : reasoning,
		failures === 0 ? no : String(failures),
		["", "MDL-05: "].some((id) => listTests.includes(`test("${id}${name} `)) ? yes : no,
		make().source,
	];
	return `| ${[name, ...cells].join(" | ")} |`;
}

const listTests = readFileSync(path.join(import.meta.dirname, "listModels.test.ts"), "utf8");

test("MDL-15: the table of docs/models.md matches the fixtures exactly", async () => {
	const file = readFileSync(path.resolve(import.meta.dirname, "../../../docs/models.md"), "utf8");
	const rows: string[] = [];
	for (const [make, name = make().name] of families) rows.push(await rowOf(make, name));
	const [, , ...written] = file.split("\n").filter((line) => line.startsWith("|"));
	expect(written).toEqual(rows);
});
