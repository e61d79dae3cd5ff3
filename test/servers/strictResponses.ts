import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isDeepStrictEqual } from "node:util";
import { opaqueMark, type PlainAnswer } from "./strictModels.ts";

/** An item of a request or an answer. */
interface Item {
	readonly type?: string;
	readonly role?: string;
	readonly id?: string;
	readonly call_id?: string;
	readonly [field: string]: unknown;
}

interface Asked {
	readonly input: readonly Item[];
	readonly [field: string]: unknown;
}

/** An endpoint that offers its model only through the Responses API. */
export interface StrictResponses extends AsyncDisposable {
	readonly url: string;
	/** The requests there, in order of arrival. */
	readonly bodies: readonly Asked[];
	/** The reasons of its refusals. */
	readonly refused: readonly string[];
	/** Its answers from now on, by the number of answers since the user's last message. */
	say(script: (round: number) => PlainAnswer): void;
}

/** The fields of a request that it accepts, of those that a host may send. */
const fields = new Set(
	"model input stream store include tools tool_choice max_output_tokens temperature top_p reasoning parallel_tool_calls metadata".split(
		" ",
	),
);

/**
 * Starts an endpoint that refuses what OpenAI refuses there: completions, fields that it does not know, calls without the
 * encrypted thoughts before them, thoughts without what followed them, and calls without their outputs, or outputs without
 * their calls. Shapes: platform.openai.com/docs/api-reference/responses, "Reasoning models"; sentences:
 * github.com/vercel/ai/issues/7099, github.com/continuedev/continue/issues/11994, github.com/openai/codex/issues/8145.
 */
export async function startStrictResponses(): Promise<StrictResponses> {
	const bodies: Asked[] = [];
	const refused: string[] = [];
	/** The items of each answer, by the thoughts that it began with. */
	const answers = new Map<string, readonly Item[]>();
	let script: (round: number) => PlainAnswer = () => ({ text: "Hello." });

	const refusalOf = ({ input, ...body }: Asked): string | undefined => {
		const unknown = Object.keys(body).find((field) => !fields.has(field));
		if (unknown !== undefined) return `Unknown parameter: '${unknown}'.`;
		const called = input.filter(({ type }) => type === "function_call").map((item) => item.call_id);
		const answered = input.filter(({ type }) => type === "function_call_output").map((item) => item.call_id);
		const open = called.find((id) => !answered.includes(id));
		if (open !== undefined) return `No tool output found for function call ${open}.`;
		const lost = answered.find((id) => !called.includes(id));
		if (lost !== undefined) return `No tool call found for function call output with call_id ${lost}.`;
		for (const [at, item] of input.entries()) {
			if (item.type === "reasoning") {
				const [first, ...rest] = answers.get(item.id ?? "") ?? [];
				if (!isDeepStrictEqual(item, first)) return `The encrypted content for item ${item.id} could not be verified.`;
				const sent = input.slice(at + 1, at + 1 + rest.length);
				if (!rest.every((one, index) => one.call_id === sent[index]?.call_id))
					return `Item '${item.id}' of type 'reasoning' was provided without its required following item.`;
			}
			if (item.type !== "function_call") continue;
			const [thoughts] = [...answers.values()].find((items) => items.some((one) => one.call_id === item.call_id)) ?? [];
			if (!input.slice(0, at).some(({ id }) => id === thoughts?.id))
				return `Item '${item.call_id}' of type 'function_call' was provided without its required 'reasoning' item: '${thoughts?.id}'.`;
		}
		return undefined;
	};

	const eventsOf = ({ text, calls = [] }: PlainAnswer, number: number): readonly object[] => {
		const id = `rs_${number}`;
		const thoughts = { type: "reasoning", id, summary: [], encrypted_content: `${opaqueMark}-${number}` };
		const said = text === undefined ? [] : [{ type: "message", id: `msg_${number}`, role: "assistant", content: [] }];
		const made = calls.map(({ name, arguments: args }, index) => ({
			type: "function_call",
			id: `fc_${number}_${index}`,
			call_id: `call_${number}_${index}`,
			name,
			arguments: JSON.stringify(args),
		}));
		const items: readonly Item[] = [thoughts, ...said, ...made];
		answers.set(id, items);
		const usage = { input_tokens: 20, input_tokens_details: { cached_tokens: 0 }, output_tokens: 5 };
		return [
			{ type: "response.created", response: { id: `resp_${number}` } },
			...(text === undefined ? [] : [{ type: "response.output_text.delta", delta: text }]),
			...items.map((item) => ({ type: "response.output_item.done", item })),
			{ type: "response.completed", response: { model: "gpt-5-pro", usage } },
		];
	};

	const server = createServer((request, response) => {
		const parts: Buffer[] = [];
		request.on("data", (part: Buffer) => parts.push(part));
		request.on("end", () => {
			const fail = (status: number, message: string): void => {
				response.writeHead(status, { "content-type": "application/json" });
				response.end(JSON.stringify({ error: { message, type: "invalid_request_error", param: null, code: null } }));
			};
			if (request.url !== "/v1/responses")
				return fail(404, "This model is only supported in v1/responses and not in v1/chat/completions.");
			const body = JSON.parse(Buffer.concat(parts).toString()) as Asked;
			bodies.push(body);
			const refusal = refusalOf(body);
			if (refusal !== undefined) {
				refused.push(refusal);
				return fail(400, refusal);
			}
			const since = body.input.slice(body.input.findLastIndex(({ role }) => role === "user") + 1);
			const round = since.filter(({ type }) => type === "reasoning").length;
			const events = eventsOf(script(round), bodies.length);
			response.writeHead(200, { "content-type": "text/event-stream" });
			response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
			return undefined;
		});
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		bodies,
		refused,
		say: (next) => void (script = next),
		[Symbol.asyncDispose]: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => void server.close(resolve));
		},
	};
}
