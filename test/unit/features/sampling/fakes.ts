import { Emitter } from "../../../../src/base/event.ts";
import type {
	ChatModel,
	ModelDirectory,
	ModelEvent,
	ModelInfo,
	ModelMessage,
	ModelRequestOptions,
} from "../../../../src/models/model.ts";
import type { Session, SessionState } from "../../../../src/servers/sessions/session.ts";

/** A model whose answer a test dictates event by event, and that keeps its requests. */
export class FakeModel implements ChatModel {
	readonly info: ModelInfo;
	readonly requests: { messages: readonly ModelMessage[]; options: ModelRequestOptions }[] = [];
	private readonly events: (ModelEvent | Error | "end")[] = [];
	private wake = Promise.withResolvers<void>();

	constructor(name: string, provider = "Test", traits: Partial<ModelInfo> = {}) {
		this.info = {
			id: `${provider}/${name}`.toLowerCase(),
			name,
			provider,
			maxInputTokens: 1000,
			maxOutputTokens: 1000,
			supportsTools: false,
			supportsImages: true,
			...traits,
		};
	}

	/** The next event; an error breaks the answer, and `end` ends it silently. */
	say(...events: (ModelEvent | Error | "end")[]): void {
		this.events.push(...events);
		this.wake.resolve();
		this.wake = Promise.withResolvers();
	}

	answer(text: string, stopReason = "endTurn"): void {
		this.say({ type: "text", text }, { type: "done", stopReason, model: `${this.info.name}-1` });
	}

	async *respond(messages: readonly ModelMessage[], options: ModelRequestOptions): AsyncIterable<ModelEvent> {
		this.requests.push({ messages, options });
		for (;;) {
			const event = this.events.shift();
			if (event instanceof Error) throw event;
			if (event === "end") return;
			if (event !== undefined) yield event;
			if (event?.type === "done") return;
			if (event === undefined) await this.wake.promise;
		}
	}
}

/** A directory of models that can change. */
export class FakeDirectory implements ModelDirectory {
	models: readonly ChatModel[];
	private readonly changed = new Emitter<void>();
	readonly onDidChange = this.changed.event;

	constructor(...models: readonly ChatModel[]) {
		this.models = models;
	}

	set(...models: readonly ChatModel[]): void {
		this.models = models;
		this.changed.fire();
	}
}

/** The part of a session that a service uses. */
export function fakeSession(name: string): Session & { state: SessionState } {
	return { definition: { name }, state: { kind: "running" } } as unknown as Session & { state: SessionState };
}

/** Waits until a condition holds, by yielding to other tasks; fails after a minute. */
export async function until(condition: () => boolean): Promise<void> {
	// Not the clock that tests change.
	const end = process.hrtime.bigint() + 60_000_000_000n;
	while (!condition()) {
		if (process.hrtime.bigint() > end) throw new Error("The condition did not come true");
		await new Promise((resolve) => setImmediate(resolve));
	}
}
