import type { Event } from "../../base/event.ts";
import type { ClientKeys } from "./clientKeys.ts";
import type { ClientConsents, KnownClient } from "./consents.ts";

/** Everyone on this machine who may use servers, or may not: programs that the user decided about, and keys. */
export class ListedAgents {
	private readonly consents: ClientConsents;
	private readonly keys: ClientKeys;
	/** One was added or revoked. */
	readonly onDidChange: Event<void>;

	constructor(consents: ClientConsents, keys: ClientKeys) {
		this.consents = consents;
		this.keys = keys;
		this.onDidChange = (listener) => {
			const heard = [consents.onDidChange(listener), keys.onDidChange(listener)];
			return { dispose: () => heard.forEach((one) => one.dispose()) };
		};
	}

	/** All of them; keys are those that `refresh` read last. */
	get all(): readonly KnownClient[] {
		const keys = this.keys.all.map(({ id, name, at }): KnownClient => ({
			key: listedKey(id),
			name,
			at,
			chain: [],
			isProven: true,
			isAllowed: true,
			clientKey: { id, name },
		}));
		return [...this.consents.all, ...keys];
	}

	/** Reads the keys again. */
	refresh(): Promise<void> {
		return this.keys.refresh();
	}

	/** Forgets decisions about programs, and revokes keys. */
	async revoke(listed: readonly string[]): Promise<void> {
		this.consents.revoke(listed);
		const ids = this.keys.all.map(({ id }) => id);
		await this.keys.revoke(ids.filter((id) => listed.includes(listedKey(id))));
	}
}

function listedKey(id: string): string {
	return `key ${id}`;
}
