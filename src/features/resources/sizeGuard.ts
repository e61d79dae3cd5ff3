import { HostError } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import { readableSize } from "../../base/amounts.ts";
import { keyOf, type ResourceAddress } from "./uri.ts";

/** Contents that are not opened unless the user says so. */
export class TooLarge extends HostError {
	readonly size: number;

	constructor(name: string, size: number, limit: number) {
		super(
			"limit",
			`${name} has ${readableSize(size)}. Resources of more than ${readableSize(limit)} are opened only if you confirm it.`,
		);
		this.size = size;
	}
}

/** Asks before large contents open in an editor, once per opening (RES-06). */
export class SizeGuard {
	private readonly limit: () => number;
	private readonly nameOf: (server: string) => string | undefined;
	private readonly allowed = new Set<string>();

	/** `limit` in bytes, read at each use. `nameOf` gives the name of a server that is configured. */
	constructor(limit: () => number, nameOf: (server: string) => string | undefined) {
		this.limit = limit;
		this.nameOf = nameOf;
	}

	/** Why contents of this size are not opened yet; undefined when they are. */
	refusal(address: Pick<ResourceAddress, "server" | "uri">, size: number): TooLarge | undefined {
		const limit = this.limit();
		if (size <= limit || this.allowed.has(keyOf(address))) return undefined;
		const server = this.nameOf(address.server);
		return new TooLarge(`"${oneLine(address.uri)}"${server === undefined ? "" : ` of ${server}`}`, size, limit);
	}

	/** The user opens it anyway. */
	allow(address: Pick<ResourceAddress, "server" | "uri">): void {
		this.allowed.add(keyOf(address));
	}

	/** The last editor was closed: the next opening asks again. */
	forget(address: Pick<ResourceAddress, "server" | "uri">): void {
		this.allowed.delete(keyOf(address));
	}
}
