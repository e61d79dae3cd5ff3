import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** The replacement for GitHub's model API on loopback. */
export interface ModelApi {
	readonly url: string;
	/** The endpoint that provides its completions. */
	readonly models: string;
	/** The requests that it could not answer, each once: paths of its own, and other hosts, as it is the proxy as well. */
	readonly refused: ReadonlySet<string>;
	close(): Promise<void>;
}

/** Its only model. */
export const modelName = "Stand-In";

/**
 * Answers the requests of Copilot's runtime to GitHub before and beside a completion, for a user with a plan;
 * completions come from an OpenAI-compatible endpoint at `models`, whose only model is `model`.
 */
export async function startModelApi(models: string, model: string): Promise<ModelApi> {
	const refused = new Set<string>();
	const server = createServer((request, response) => {
		handle(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
	});

	server.on("connect", ({ url = "" }, socket) => {
		refused.add(`CONNECT ${url}`);
		socket.destroy();
	});

	async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const body = await text(request);
		const { pathname } = new URL(request.url ?? "/", "http://localhost");
		if (request.method === "POST" && pathname === "/chat/completions") {
			const headers = { "content-type": "application/json" };
			const answer = await fetch(`${models}/chat/completions`, { method: "POST", headers, body });
			response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" });
			response.end(await answer.text());
			return;
		}
		const known = answers(url(), model)[pathname];
		if (known === undefined) refused.add(`${request.method ?? ""} ${pathname}`);
		response.writeHead(known === undefined ? 404 : 200, { "content-type": "application/json" });
		response.end(JSON.stringify(known ?? { message: "Not Found" }));
	}

	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		url: url(),
		models,
		refused,
		close: async () => {
			const closed = once(server, "close");
			server.close();
			server.closeAllConnections();
			await closed;
		},
	};
}

/** The known answers, by path. */
function answers(url: string, model: string): Readonly<Record<string, object>> {
	const endpoints = { api: url, proxy: url, telemetry: url, "origin-tracker": url };
	return {
		"/models": { object: "list", data: [modelOf(model)] },
		"/copilot_internal/user": {
			login: "somebody",
			copilot_plan: "individual_pro",
			access_type_sku: "plus",
			chat_enabled: true,
			organization_login_list: [],
			endpoints,
		},
	};
}

function modelOf(id: string): object {
	return {
		id,
		name: modelName,
		vendor: "Scripted",
		version: id,
		object: "model",
		model_picker_enabled: true,
		is_chat_default: true,
		is_chat_fallback: true,
		preview: false,
		policy: { state: "enabled", terms: "" },
		supported_endpoints: ["/chat/completions"],
		capabilities: {
			family: "scripted",
			type: "chat",
			object: "model_capabilities",
			tokenizer: "o200k_base",
			limits: { max_context_window_tokens: 200_000, max_prompt_tokens: 180_000, max_output_tokens: 8000 },
			supports: { tool_calls: true, streaming: true, parallel_tool_calls: false },
		},
	};
}
