import type { JsonObject } from "../../src/base/json.ts";
import { isJsonObject } from "../../src/base/json.ts";
import type { ModernMethods } from "./modernServer.ts";

/** The id of the one task: long enough to be masked. */
export const taskId = "0197f2b4-6d61-7a52-9c1e-4f2f6f6e1a11";

const form = { type: "object", properties: { name: { type: "string" } } };
const inputRequests = {
	who: { method: "elicitation/create", params: { mode: "form", message: "Who?", requestedSchema: form } },
};

/** One task of a server of 2026-07-28 that outlives its connections; a test changes how it is. */
export class StoredTask {
	/** The members of its state. */
	state: JsonObject = { status: "working", statusMessage: "Reading…" };
	/** The input that a user gave. */
	answered: unknown;
	/** The interval that it suggests, in milliseconds. */
	pollMs = 1;
	/** Whether the server no longer knows it. */
	isForgotten = false;

	/** Asks the user for a name, and completes with it. */
	askForName(): void {
		this.state = { status: "input_required", inputRequests };
	}

	/** Completes with a text. */
	complete(text: string): void {
		this.state = { status: "completed", result: { resultType: "complete", content: [{ type: "text", text }] } };
	}

	readonly methods: ModernMethods = {
		"tools/call": () => ({ result: { resultType: "task", ...this.now } }),
		"tasks/get": () =>
			this.isForgotten ? { error: { code: -32602, message: "Unknown task" } } : { result: { ...this.now } },
		"tasks/update": ({ inputResponses }) => {
			this.answered = isJsonObject(inputResponses) ? inputResponses : {};
			this.complete(`asked and answered: ${JSON.stringify(this.answered)}`);
			return { result: {} };
		},
		"tasks/cancel": () => {
			this.state = { status: "cancelled" };
			return { result: {} };
		},
	};

	private get now(): JsonObject {
		const createdAt = "2026-01-01T00:00:00Z";
		return { taskId, createdAt, lastUpdatedAt: createdAt, ttlMs: null, pollIntervalMs: this.pollMs, ...this.state };
	}
}
