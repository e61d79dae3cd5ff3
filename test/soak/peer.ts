import { appendFileSync } from "node:fs";
import type { JsonObject } from "../../src/base/json.ts";
import { tool } from "../servers/lineServer.ts";
import type { CallKind } from "./plan.ts";

/** A JSON-RPC message of the client. */
export interface Message {
	readonly id?: number | string;
	readonly method?: string;
	readonly params?: {
		readonly arguments?: { readonly id: number; readonly kind: CallKind; readonly takesMs: number };
		readonly requestId?: number | string;
		readonly _meta?: { readonly progressToken?: number | string };
	};
}

/** Sends an answer, or something that belongs to the request. */
type Send = (message: JsonObject) => void;

/** How often the list of tools changes, in milliseconds. */
const changeMs = 1000;

/** The server's side of one session: one tool, and a list of tools that changes every second. */
export class SoakPeer {
	private readonly log: string;
	private readonly running = new Map<number | string, NodeJS.Timeout>();
	private readonly changing: NodeJS.Timeout;
	private changes = 0;

	/** `log`: the file that gets the id of each call that is carried out; `notify` reaches the client at any time. */
	constructor(log: string, notify: Send) {
		this.log = log;
		this.changing = setInterval(() => {
			this.changes++;
			notify({ method: "notifications/tools/list_changed" });
		}, changeMs);
	}

	/** The answer of a server of this age to an unknown method. */
	static unknownMethod({ id = 0 }: Message): JsonObject {
		return { id, error: { code: -32601, message: "Method not found" } };
	}

	/** Whether the answer will take a while. */
	isSlow({ params }: Message): boolean {
		return params?.arguments !== undefined && params.arguments.kind !== "quick" && params.arguments.kind !== "failing";
	}

	/** Handles a message; its answers go to `send`, now or later. */
	accept(message: Message, send: Send): void {
		const { id, method, params } = message;
		if (method === "notifications/cancelled") clearTimeout(this.running.get(params?.requestId ?? ""));
		if (id === undefined) return;
		if (method === "initialize") send({ id, result: initialized });
		else if (method === "ping") send({ id, result: {} });
		else if (method === "tools/list") send({ id, result: { tools: this.tools } });
		else if (method === "tools/call") this.call(id, message, send);
		else send(SoakPeer.unknownMethod(message));
	}

	dispose(): void {
		clearInterval(this.changing);
	}

	private get tools(): JsonObject[] {
		return [tool("work"), ...Array.from({ length: this.changes % 5 }, (_, index) => tool(`added-${index}`))];
	}

	private call(id: number | string, { params }: Message, send: Send): void {
		if (params?.arguments === undefined) return;
		const { id: call, kind, takesMs } = params.arguments;
		appendFileSync(this.log, `${call}\n`);
		if (kind === "failing") return send({ id, error: { code: -32000, message: "It failed, as it should" } });
		const answer = (): void => {
			this.running.delete(id);
			send({ id, result: { content: [{ type: "text", text: String(call) }] } });
		};
		if (kind === "quick") return answer();
		const progressToken = params._meta?.progressToken;
		if (progressToken !== undefined) {
			send({ method: "notifications/progress", params: { progressToken, progress: 1, total: 2 } });
		}
		if (kind !== "silent") this.running.set(id, setTimeout(answer, takesMs));
	}
}

const initialized: JsonObject = {
	protocolVersion: "2025-06-18",
	capabilities: { tools: { listChanged: true } },
	serverInfo: { name: "soak", version: "1.0.0" },
};
