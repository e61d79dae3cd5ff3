import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { Emitter, type Event } from "../../../base/event.ts";
import type { Disposable } from "../../../base/lifecycle.ts";
import type { Secrets } from "../../../base/storage.ts";

type KeyStore = Pick<Secrets, "get" | "store" | "onDidChange">;

/** The name of the key in the secret store. */
const name = "mcpHost.windowsKey";
const keyBytes = 32;
/** How long the secret store may take, in milliseconds. */
const storeMs = 5000;

/**
 * The key by which windows of one VS Code know each other: they share a secret store, which no other program can read. It
 * is never sent; what is sent are digests that only its holder can make (GST-17).
 */
export class WindowKey implements Disposable {
	private readonly secrets: KeyStore;
	private readonly changes: Disposable | undefined;
	/** The key, once it was read: the secret store of a window in the background may be slow. */
	private known: Promise<Buffer> | undefined;
	private readonly changed = new Emitter<void>();
	/** Another key counts from now on: digests of the former one are of no use. */
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(secrets: KeyStore) {
		this.secrets = secrets;
		// Another window may have made it at the same moment: the one that was stored last counts.
		this.changes = secrets.onDidChange?.(({ key }) => {
			if (key !== name) return;
			this.known = undefined;
			this.changed.fire();
		});
	}

	/** The digest of some texts, in hex; rejects if there is no key. `purpose` keeps a digest for one purpose from another. */
	async sign(purpose: string, ...texts: readonly string[]): Promise<string> {
		const hmac = createHmac("sha256", await this.read());
		return hmac.update(JSON.stringify([purpose, ...texts])).digest("hex");
	}

	/** Whether a digest that was sent is that of these texts. */
	async verify(sent: string, purpose: string, ...texts: readonly string[]): Promise<boolean> {
		const known = Buffer.from(await this.sign(purpose, ...texts));
		const given = Buffer.from(sent);
		return known.length === given.length && timingSafeEqual(known, given);
	}

	dispose(): void {
		this.changes?.dispose();
		this.changed.dispose();
	}

	/** Rejects if the store does not answer, or does not keep the key. */
	private read(): Promise<Buffer> {
		if (this.known !== undefined) return this.known;
		// A store that waits for its user must hold up neither a server nor an agent.
		const late = Promise.withResolvers<never>();
		const timer = setTimeout(() => late.reject(new Error("The secret store does not answer.")), storeMs);
		const read = Promise.race([this.readOrMake(), late.promise]).finally(() => clearTimeout(timer));
		this.known = read;
		read.catch(() => {
			if (this.known === read) this.known = undefined;
		});
		return read;
	}

	private async readOrMake(): Promise<Buffer> {
		const stored = async (): Promise<Buffer> => Buffer.from((await this.secrets.get(name)) ?? "", "hex");
		const known = await stored();
		if (known.length === keyBytes) return known;
		await this.secrets.store(name, randomBytes(keyBytes).toString("hex"));
		const made = await stored();
		if (made.length !== keyBytes) throw new Error("The secret store keeps nothing.");
		return made;
	}
}
