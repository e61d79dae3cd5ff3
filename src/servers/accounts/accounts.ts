import { Emitter, type Event } from "../../base/event.ts";
import { canonicalJson } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { ServerId } from "../definitions/config.ts";
import type { SignedIn } from "../../protocol/authorization.ts";

/** Who is signed in at which server, for display. */
export class Accounts {
	private readonly known = new Map<ServerId, SignedIn>();
	private readonly changed = new Emitter<ServerId>();
	/** The server whose account changed. */
	readonly onDidChange: Event<ServerId> = this.changed.event;

	/** Undefined when nobody is signed in. */
	get(id: ServerId): SignedIn | undefined {
		return this.known.get(id);
	}

	/** Everybody who is signed in. */
	values(): Iterable<SignedIn> {
		return this.known.values();
	}

	/** Notes who is signed in from now on; undefined for nobody. */
	set(id: ServerId, signedIn: SignedIn | undefined): void {
		if (canonicalJson(this.known.get(id)) === canonicalJson(signedIn)) return;
		if (signedIn === undefined) this.known.delete(id);
		else this.known.set(id, signedIn);
		this.changed.fire(id);
	}

	/** Notes the account in the stored credentials, unless that changed while they were read. */
	async restore(id: ServerId, stored: Promise<SignedIn | undefined>): Promise<void> {
		let isOvertaken = false;
		const subscription = this.changed.event((changed) => {
			isOvertaken ||= changed === id;
		});
		try {
			const signedIn = await stored;
			if (!isOvertaken) this.set(id, signedIn);
		} finally {
			subscription.dispose();
		}
	}

	dispose(): void {
		this.changed.dispose();
	}
}

/** Who is signed in, in a few words: the account, where it is known. */
export function describeAccount({ account }: SignedIn): string {
	return account === undefined ? "signed in" : oneLine(account, 80);
}
