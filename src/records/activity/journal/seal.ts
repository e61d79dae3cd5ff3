import { createHmac, randomBytes } from "node:crypto";
import { HostError, messageOf } from "../../../base/errors.ts";
import { canonicalJson, type Json } from "../../../base/json.ts";
import type { Secrets } from "../../../base/storage.ts";

/** The name of the key in the secret storage. */
const keyName = "activityKey";

/**
 * Proves that MCP Host itself removed something: by a key that is in VS Code's secret storage, and not where the files
 * are. A writer of the files alone can remove entries, but cannot make it look like a removal.
 */
export class Seal {
	private readonly key: string | HostError;

	/** Without a key, why there is none. */
	constructor(key: string | HostError) {
		this.key = key;
	}

	/**
	 * The proof of a value in the chain of a window (HMAC-SHA256, hex).
	 * @throws HostError without a key.
	 */
	over(window: string, value: Json): string {
		if (typeof this.key !== "string") throw this.key;
		return createHmac("sha256", this.key)
			.update(canonicalJson([window, value]))
			.digest("hex");
	}

	/** Whether a proof is that of the value. */
	holds(window: string, value: Json, proof: string | undefined): boolean {
		return typeof this.key === "string" && proof === this.over(window, value);
	}
}

/**
 * The seal with the key of this machine's editor, which is made once. Without one nothing can be removed; everything
 * else works.
 */
export async function openSeal(secrets: Pick<Secrets, "get" | "store">): Promise<Seal> {
	try {
		const known = await secrets.get(keyName);
		if (known !== undefined) return new Seal(known);
		const made = randomBytes(32).toString("hex");
		await secrets.store(keyName, made);
		// Another window may have made one in the same moment.
		return new Seal((await secrets.get(keyName)) ?? made);
	} catch (error) {
		const why = `The secret store of VS Code cannot be read: ${messageOf(error)}`;
		return new Seal(new HostError("denied", `Entries cannot be removed from the activity. ${why}`));
	}
}
