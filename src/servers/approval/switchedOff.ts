import { Emitter, type Event } from "../../base/event.ts";
import type { Journal } from "../../base/store/journal.ts";
import type { ServerDefinition, ServerId } from "../definitions/config.ts";

/** The name of the journal of servers that the user switched off or on. */
export const switchedName = "switched";

/**
 * The servers that the user switched off, or on although their entry says `disabled`. If this choice cannot be written
 * into settings of the user, it is stored here, for all windows, and no shared file is changed (EDT-04).
 */
export class SwitchedOff {
	private journal: Journal | undefined;
	private readonly changed = new Emitter<void>();
	/** Fired when this window or another one switched a server. */
	readonly onDidChange: Event<void> = this.changed.event;

	/** Reads the choices from where all windows keep them; until then the entries alone count. */
	open(journal: Journal): void {
		this.journal = journal;
		journal.onDidChange(() => this.changed.fire());
	}

	/** Whether a server is off: by the user's choice, otherwise by its entry. */
	has({ id, isOff }: Pick<ServerDefinition, "id" | "isOff">): boolean {
		const chosen = this.journal?.lines.find(({ key }) => key === id)?.value;
		return typeof chosen === "boolean" ? chosen : isOff === true;
	}

	/** Keeps that a server is off or on; undefined leaves it to its entry. */
	choose(id: ServerId, isOff: boolean | undefined): void {
		if (isOff === undefined) this.journal?.remove(id);
		else this.journal?.put(id, isOff);
	}
}
