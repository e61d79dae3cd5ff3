import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Secrets } from "../../../base/storage.ts";

/** The name of the key in the secret store. */
const name = "mcpHost.windowsKey";
const keyBytes = 32;
/** How long the secret store may take, in milliseconds. */
const storeMs = 5000;

/**
 * The key by which windows of one VS Code know each other: they share a secret store, which no other program can read. It
 * is never sent; what is sent are digests that only its holder can make (GST-17).
 */
export class WindowKey {
	private readonly secrets: Pick<Secrets, "get" | "store">;

	constructor(secrets: Pick<Secrets, "get" | "store">) {
		this.secrets = secrets;
	}

	/** The digest of some texts, in hex; rejects if there is no key. `purpose` keeps a digest for one purpose from being used for another one. */
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

	/**
	 * Read at each use: another window may have made it at the same moment, and the one that was stored last counts. Rejects
	 * if the store does not keep it.
	 */
	private async read(): Promise<Buffer> {
		// A store that waits for its user must hold up neither a server nor an agent.
		const late = Promise.withResolvers<never>();
		const timer = setTimeout(() => late.reject(new Error("The secret store does not answer.")), storeMs);
		return Promise.race([this.readOrMake(), late.promise]).finally(() => clearTimeout(timer));
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
