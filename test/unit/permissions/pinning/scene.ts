import { writeFileSync, readFileSync } from "node:fs";
import type { Store } from "../../../../src/base/store/store.ts";
import { PinnedDefinitions } from "../../../../src/permissions/pinning/pinnedDefinitions.ts";
import type { Tool } from "../../../../src/servers/sessions/session.ts";
import type { ServerFacts } from "../../../../src/protocol/connection.ts";
import { StoreFolder } from "../../base/store/storeFolder.ts";
import { FakeDirectory, FakeSession } from "../../features/resources/fakeSession.ts";

/** A tool with a text in every field. */
export const book: Tool = {
	name: "book",
	title: "Book a Hotel",
	description: "Books a room. The guest gets a mail.",
	inputSchema: { type: "object", properties: { hotel: { type: "string", description: "Its name" } } },
	outputSchema: { type: "object", properties: { reference: { type: "string" } } },
	annotations: { destructiveHint: true },
};

/** Servers, the user's approvals, and the store that outlives the window. */
export class PinScene implements Disposable {
	readonly folder: StoreFolder;
	readonly store: Store;
	readonly directory: FakeDirectory;
	readonly pins: PinnedDefinitions;
	announced = 0;

	/** Scenes of one folder are windows side by side. */
	constructor(sessions: readonly FakeSession[], folder = new StoreFolder()) {
		this.folder = folder;
		this.store = folder.open();
		this.directory = new FakeDirectory(...sessions);
		this.pins = new PinnedDefinitions(this.directory, this.store);
		this.pins.onDidChange(() => this.announced++);
	}

	/** How often something was written. */
	get writes(): number {
		return this.folder.disk.split("\n").length - 1;
	}

	/** Replaces everything on the disk by a shorter text. */
	replace(change: (text: string) => string): void {
		for (const file of this.folder.files) writeFileSync(file, change(readFileSync(file, "utf8")));
		this.store.journal("pins").refresh();
	}

	[Symbol.dispose](): void {
		this.pins.dispose();
		this.store.dispose();
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

/** The tool of a server in the current list. */
export function listed(session: FakeSession, name = "book"): Tool {
	const tool = session.tools.get(name);
	if (tool === undefined) throw new Error(`${name} is not listed.`);
	return tool;
}
