/**
 * Model endpoints on loopback that answer in the shapes of known services and refuse what those refuse: above all a
 * conversation without the data that they want back with their answers. Based on the sources that each family names;
 * ids, texts and signatures are made up.
 */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ChatRequestBody } from "./scriptedModel.ts";

/** Part of every signature and every thought: it must not appear elsewhere. */
export const opaqueMark = "opaque-7c1f";

/** The answer of a model, in any shape. */
export interface PlainAnswer {
	readonly text?: string;
	readonly calls?: readonly { readonly name: string; readonly arguments: object }[];
}

/** An answer in place of a completion. */
export interface Refusal {
	readonly status: number;
	readonly body: unknown;
}

export type Message = ChatRequestBody["messages"][number] & { readonly [field: string]: unknown };

/** A service: its answers, and its refusals. Created for each endpoint, since it remembers its answers. */
export interface StrictFamily {
	readonly name: string;
	/** The source of its shapes. */
	readonly source: string;
	/** The path of its API. */
	readonly path: string;
	refuse(body: ChatRequestBody, headers: IncomingHttpHeaders): Refusal | undefined;
	/** The deltas of an answer; `number` identifies it. */
	deltas(answer: PlainAnswer, number: number): readonly object[];
	/** Its reason for ending an answer with calls; default: `tool_calls`. */
	readonly finish?: string;
	/** The answer to `GET …/models`. */
	readonly models?: unknown;
}

/** An endpoint of a family. */
export interface StrictModel extends AsyncDisposable {
	/** Its base URL. */
	readonly url: string;
	/** Its requests, in order of arrival. */
	readonly bodies: readonly ChatRequestBody[];
	/** Its refusals, and their reasons. */
	readonly refused: readonly Refusal[];
	/** Its answers from now on. */
	say(script: (body: ChatRequestBody) => PlainAnswer): void;
}

/** Starts an endpoint for as long as it is used. */
export async function startStrictModel(family: StrictFamily): Promise<StrictModel> {
	const bodies: ChatRequestBody[] = [];
	const refused: Refusal[] = [];
	let script: (body: ChatRequestBody) => PlainAnswer = () => ({ text: "Hello." });
	const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const sendJson = ({ status, body }: Refusal): void => {
			response.writeHead(status, { "content-type": "application/json" });
			response.end(JSON.stringify(body));
		};
		const text = await readBody(request);
		if (request.method === "GET") return sendJson({ status: 200, body: family.models ?? { data: [] } });
		if (request.url !== `${family.path}/chat/completions`) {
			return sendJson({ status: 404, body: { error: { message: `No ${request.url} here` } } });
		}
		const body = JSON.parse(text) as ChatRequestBody;
		bodies.push(body);
		const refusal = family.refuse(body, request.headers);
		if (refusal !== undefined) {
			refused.push(refusal);
			return sendJson(refusal);
		}
		const plain = script(body);
		const deltas = family.deltas(plain, bodies.length).map((delta) => ({ index: 0, delta, finish_reason: null }));
		const end = {
			index: 0,
			delta: {},
			finish_reason: plain.calls === undefined ? "stop" : (family.finish ?? "tool_calls"),
		};
		const chunks = [...deltas, end].map((choice) => ({ model: body.model, choices: [choice] }));
		response.writeHead(200, { "content-type": "text/event-stream" });
		response.end(`${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`);
	};
	const server = createServer((request, response) => {
		answer(request, response).catch((error: unknown) => {
			response.writeHead(500);
			response.end(String(error));
		});
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}${family.path}`,
		bodies,
		refused,
		say: (next) => void (script = next),
		[Symbol.asyncDispose]: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => void server.close(resolve));
		},
	};
}

/** The messages since the user's last one. */
export function currentTurn({ messages }: ChatRequestBody): readonly Message[] {
	return messages.slice(messages.findLastIndex(({ role }) => role === "user") + 1);
}

async function readBody(request: IncomingMessage): Promise<string> {
	const parts: Buffer[] = [];
	for await (const part of request) parts.push(part as Buffer);
	return Buffer.concat(parts).toString("utf8");
}
