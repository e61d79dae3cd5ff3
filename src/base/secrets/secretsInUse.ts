import { type Log, logThrough } from "../log.ts";
import type { KnownSecret } from "./knownSecret.ts";
import type { SecretMask } from "./secretMask.ts";

/**
 * The secrets that were used since the window opened, by value. Text that is logged, or shown as a state or an error,
 * goes through `redact` first, because a recipient of a secret may repeat it (SEC-10).
 */
export class SecretsInUse {
	private mask: SecretMask | undefined;

	/** Notes secrets; resolves when `redact` knows them. Nobody may receive them before. */
	async add(secrets: readonly KnownSecret[]): Promise<void> {
		if (secrets.length === 0) return;
		const { SecretMask } = await import("./secretMask.ts");
		this.mask ??= new SecretMask();
		this.mask.add(secrets);
	}

	/** The text with `⟦API key⟧` and the like in place of each secret, however it is written. Never throws. */
	readonly redact = (text: string): string => this.mask?.redact(text) ?? text;

	/** The value with all its texts redacted; the same one where none holds a secret. */
	redactAll<T>(value: T): T {
		return this.mask?.redactAll(value) ?? value;
	}

	/** A log that is written without secrets. */
	log(log: Log): Log {
		return logThrough((level, message) => log[level](this.redact(message)));
	}
}
