import type { KeyValue } from "../../../src/base/storage.ts";
import { PinnedDefinitions } from "../../../src/pinning/pinnedDefinitions.ts";
import type { ServerFacts, Tool } from "../../../src/servers/session.ts";
import { FakeDirectory, FakeSession } from "../resources/fakeSession.ts";

/** A tool that says something in every field. */
export const book: Tool = {
	name: "book",
	title: "Book a Hotel",
	description: "Books a room. The guest gets a mail.",
	inputSchema: { type: "object", properties: { hotel: { type: "string", description: "Its name" } } },
	outputSchema: { type: "object", properties: { reference: { type: "string" } } },
	annotations: { destructiveHint: true },
};

/** What an editor's store does: what was stored comes back as other objects, the same ones until something is stored. */
export class Store implements KeyValue {
	readonly #values = new Map<string, string>();
	#read = new Map<string, unknown>();
	writes = 0;

	// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the signature of KeyValue
	get<T>(key: string): T | undefined {
		if (!this.#read.has(key)) this.#read.set(key, JSON.parse(this.#values.get(key) ?? "null") ?? undefined);
		return this.#read.get(key) as T | undefined;
	}

	async update(key: string, value: unknown): Promise<void> {
		this.writes++;
		this.#values.set(key, JSON.stringify(value));
		this.#read = new Map();
	}

	/** All that is stored, as text. */
	get text(): string {
		return [...this.#values.values()].join("\n");
	}

	/** Puts something else in place of all that is stored. */
	replace(change: (text: string) => string): void {
		for (const [key, text] of this.#values) this.#values.set(key, change(text));
		this.#read = new Map();
	}
}

/** Servers, what the person approved of them, and the store that outlives the window. */
export class PinScene implements Disposable {
	readonly store: Store;
	readonly directory: FakeDirectory;
	readonly pins: PinnedDefinitions;
	announced = 0;

	constructor(sessions: readonly FakeSession[], store = new Store()) {
		this.store = store;
		this.directory = new FakeDirectory(...sessions);
		this.pins = new PinnedDefinitions(this.directory, store);
		this.pins.onDidChange(() => this.announced++);
	}

	[Symbol.dispose](): void {
		this.pins.dispose();
	}
}

/** A running server with these tools. */
export async function serving(
	name: string,
	tools: readonly Tool[],
	{ hash = name, ...facts }: Partial<ServerFacts> & { readonly hash?: string } = {},
): Promise<FakeSession> {
	const session = new FakeSession(name, { hash });
	await session.run({ tools }, facts);
	return session;
}

/** The tool of a server as it is listed now. */
export function listed(session: FakeSession, name = "book"): Tool {
	const tool = session.tools.get(name);
	if (tool === undefined) throw new Error(`${name} is not listed.`);
	return tool;
}
