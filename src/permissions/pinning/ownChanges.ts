import { HostError } from "../../base/errors.ts";
import { Emitter, type Event } from "../../base/event.ts";
import { type Disposable, DisposableStore } from "../../base/lifecycle.ts";
import type { Session, SessionDirectory } from "../../servers/sessions/session.ts";
import type { PinnedDefinitions } from "./pinnedDefinitions.ts";

/** The dependencies of `OwnChanges`. */
export interface OwnChangesServices {
	readonly directory: Pick<SessionDirectory, "sessions" | "onDidChange">;
	readonly pins: Pick<
		PinnedDefinitions,
		"changedTools" | "accept" | "instructionChange" | "acceptInstructions" | "onDidChange"
	>;
	/** Takes what was accepted by it, by names of tools. */
	readonly onAccepted: (session: Session, names: readonly string[]) => void;
}

/**
 * The servers whose changed definitions the user trusts in this window, since they write them: what such a server says
 * otherwise after a restart counts as approved. Only for servers of the workspace, by the user's own command, until the
 * window closes or the definition of the server changes; other windows and grants are not concerned.
 */
export class OwnChanges implements Disposable {
	private readonly services: OwnChangesServices;
	/** The hashes of the definitions that were trusted, by the ids of the servers. */
	private readonly trusted = new Map<string, string>();
	private readonly store = new DisposableStore();
	private readonly changed = new Emitter<Session>();
	/** A server's changes are trusted from now on, or no more. */
	readonly onDidChange: Event<Session> = this.changed.event;

	constructor(services: OwnChangesServices) {
		this.services = services;
		this.store.add(services.pins.onDidChange(() => this.accept()));
	}

	/** Whether the user trusts the changes of a server. */
	has({ definition: { id, hash } }: Pick<Session, "definition">): boolean {
		return this.trusted.get(id) === hash;
	}

	/**
	 * Trusts the changes of a server from now on, those that wait among them.
	 * @throws HostError `invalid` for a server that the workspace does not define.
	 */
	trust(session: Session): void {
		const { id, name, hash, origin, config } = session.definition;
		if (!origin.isWorkspace || config.kind !== "stdio")
			throw new HostError(
				"invalid",
				`"${name}" is not a local server of this workspace. You can trust only changes that you make here.`,
			);
		this.trusted.set(id, hash);
		this.changed.fire(session);
		this.accept();
	}

	/** Changes of a server are shown for review again. */
	end(session: Session): void {
		if (this.trusted.delete(session.definition.id)) this.changed.fire(session);
	}

	dispose(): void {
		this.store.dispose();
		this.changed.dispose();
	}

	private accept(): void {
		const { directory, pins, onAccepted } = this.services;
		for (const session of directory.sessions.filter((one) => this.has(one))) {
			const tools = pins.changedTools(session);
			const instructions = pins.instructionChange(session);
			if (tools.length === 0 && instructions === undefined) continue;
			onAccepted(session, [...(instructions === undefined ? [] : ["instructions"]), ...tools.map(({ name }) => name)]);
			for (const tool of tools) pins.accept(session, tool).catch(() => undefined);
			if (instructions !== undefined) pins.acceptInstructions(session, instructions.after).catch(() => undefined);
		}
	}
}
