import { HostError } from "../base/errors.ts";
import { withPatience, type SlowWork } from "../base/patience.ts";
import type { Session, SessionDirectory } from "../servers/session.ts";
import { digestOf, partsOf, wholeOf, type ResourcePart } from "./content.ts";
import { runningSession, type Patience } from "./runningSession.ts";
import { keyOf, type ResourceAddress } from "./uri.ts";

/** What a resource held when it was read. */
export interface ResourceSnapshot {
	readonly parts: readonly ResourcePart[];
	/** When these contents were first seen, in milliseconds: later for every change, even one that keeps the size. */
	readonly modified: number;
}

/** How long one read serves everyone who asks: an editor asks for the size, then for the bytes. */
const freshMs = 2000;

/** For how many resources the last contents are told from new ones. */
const rememberedLimit = 1000;

/** Tells the person of a read that takes a while, so that they may cancel it for everyone who waits for it. */
type Announce = (session: Session, uri: string, slow: SlowWork) => unknown;

interface Entry {
	digest: string | undefined;
	mimeTypes: readonly (string | undefined)[];
	modified: number;
	reading: Promise<ResourceSnapshot> | undefined;
	timer: NodeJS.Timeout | undefined;
}

/**
 * Reads resources, always by `resources/read` of the server that was named and never from disk or network (security.md
 * RES-01, RES-03). Requests for the same resource within two seconds share one read, unless it is known to have changed.
 */
export class ResourceReader {
	private readonly directory: SessionDirectory;
	private readonly patience: Patience;
	private readonly announce: Announce;
	private readonly entries = new Map<string, Entry>();
	private lastModified = 0;

	constructor(directory: SessionDirectory, patience: Patience, announce: Announce) {
		this.directory = directory;
		this.patience = patience;
		this.announce = announce;
	}

	/**
	 * The contents of a resource, whatever part is addressed.
	 * @throws HostError as `runningSession`, `Session.readResource` and `partsOf` do.
	 */
	read(address: ResourceAddress): Promise<ResourceSnapshot> {
		const entry = this.entry(keyOf(address));
		entry.reading ??= this.start(address, entry);
		return entry.reading;
	}

	/** Makes the next request read again, because the resource changed. */
	invalidate(address: ResourceAddress): void {
		const entry = this.entries.get(keyOf(address));
		if (entry === undefined) return;
		clearTimeout(entry.timer);
		entry.reading = undefined;
	}

	/** The MIME type that was read last, without reading; undefined for several contents shown as one. */
	mimeTypeOf(address: ResourceAddress): string | undefined {
		const types = this.entries.get(keyOf(address))?.mimeTypes ?? [];
		if (address.part !== undefined) return types[address.part];
		return types.length === 1 ? types[0] : undefined;
	}

	private entry(key: string): Entry {
		const known = this.entries.get(key);
		if (known !== undefined) return known;
		const entry: Entry = { digest: undefined, mimeTypes: [], modified: 0, reading: undefined, timer: undefined };
		this.entries.set(key, entry);
		const [oldest] = this.entries.keys();
		if (this.entries.size > rememberedLimit && oldest !== undefined) this.entries.delete(oldest);
		return entry;
	}

	private start(address: ResourceAddress, entry: Entry): Promise<ResourceSnapshot> {
		const reading = this.request(address).then(
			(parts) => {
				// A read that was overtaken by a change must not count as the newer contents.
				if (entry.reading === reading) {
					entry.timer = setTimeout(() => this.invalidate(address), freshMs);
					entry.timer.unref();
					this.note(entry, digestOf(parts));
				}
				entry.mimeTypes = parts.map(({ mimeType }) => mimeType);
				return { parts, modified: entry.modified || this.nextTime() };
			},
			(error: unknown) => {
				if (entry.reading === reading) entry.reading = undefined;
				throw error;
			},
		);
		return reading;
	}

	private async request({ server, uri }: ResourceAddress): Promise<readonly ResourcePart[]> {
		const session = await runningSession(this.directory, server, this.patience);
		return withPatience(
			async (control) => partsOf(await session.readResource(uri, control), uri),
			(slow) => this.announce(session, uri, slow),
		);
	}

	private note(entry: Entry, digest: string): void {
		if (entry.digest === digest) return;
		entry.digest = digest;
		entry.modified = this.nextTime();
	}

	/** The current time, but later than ever before: editors compare times, and two changes may fall into one millisecond. */
	private nextTime(): number {
		this.lastModified = Math.max(Date.now(), this.lastModified + 1);
		return this.lastModified;
	}
}

/**
 * The bytes that an address stands for: the whole, or the part that it names.
 * @throws HostError `invalid` when the resource no longer has that many contents.
 */
export function bytesOf({ parts }: ResourceSnapshot, { part }: ResourceAddress): Uint8Array {
	if (part === undefined) return wholeOf(parts);
	const found = parts[part];
	if (found === undefined) throw new HostError("invalid", `The resource has only ${parts.length} contents now.`);
	return found.bytes;
}

/** The codes of "resource not found": of 2025-11-25 and before, and from 2026-07-28 on (spec.md RS4). */
const notFoundCodes: ReadonlySet<unknown> = new Set([-32002, -32602]);

/** Whether a failed read means that the resource is not there now, because the server does not know it or does not run. */
export function isAbsent(error: unknown): boolean {
	if (HostError.is(error, "not-connected") || HostError.is(error, "not-approved")) return true;
	for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
		if ("code" in cause && notFoundCodes.has(cause.code)) return true;
	}
	return false;
}
