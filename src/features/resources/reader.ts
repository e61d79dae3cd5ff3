import type { ActivityNotes } from "../../records/activity/journal/entry.ts";
import { HostError, messageOf } from "../../base/errors.ts";
import { Emitter, type Event } from "../../base/event.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import { type SlowWork, withPatience } from "../../base/patience.ts";
import type { Session, SessionDirectory, CallOptions } from "../../servers/sessions/session.ts";
import { digestOfParts, partsOf, type ResourcePart, wholeOf } from "./content.ts";
import { type Patience, runningSession } from "./runningSession.ts";
import { keyOf, type ResourceAddress } from "./uri.ts";

/**
 * The contents of a resource at the time of a read. `modified` identifies these contents: no others of any resource
 * have the same.
 */
export interface ResourceSnapshot {
	readonly parts: readonly ResourcePart[];
	/** When these contents were first seen, in milliseconds: later for every change, even one that keeps the size. */
	readonly modified: number;
}

/** A read that was answered, and the newest so far. */
export interface ResourceRead {
	readonly address: ResourceAddress;
	readonly snapshot: ResourceSnapshot;
}

/** How long one read serves everyone who asks: an editor asks for the size, then for the bytes. */
const freshMs = 2000;

/** How often a user's read of the same resource is recorded, in milliseconds: an open editor reads each change. */
const quietMs = 60_000;

/** For how many resources changed contents are detected. */
const rememberedLimit = 1000;

/** Notifies the user of a read that takes a while, so that they may cancel it for everyone who waits for it. */
type Announce = (session: Session, uri: string, slow: SlowWork) => unknown;

interface Entry {
	digest: string | undefined;
	mimeTypes: readonly (string | undefined)[];
	modified: number;
	isAsked: boolean;
	/** Whether a user waits for the running read. */
	isAwaited: boolean;
	/** When a user's read of it was recorded last, in milliseconds. */
	notedAt: number;
	reading: Promise<ResourceSnapshot> | undefined;
	timer: NodeJS.Timeout | undefined;
}

/**
 * Reads resources, always by `resources/read` of the server that was named and never from disk or network
 * (RES-01, RES-03). Requests for the same resource within two seconds share one read, unless it is known to have changed.
 */
export class ResourceReader implements Disposable {
	private readonly directory: SessionDirectory;
	private readonly patience: Patience;
	private readonly announce: Announce;
	private readonly notes: ActivityNotes | undefined;
	private readonly entries = new Map<string, Entry>();
	private lastModified = 0;
	private readonly answered = new Emitter<ResourceRead>();
	/** Fires for every answer that was not overtaken by a change. */
	readonly onDidRead: Event<ResourceRead> = this.answered.event;

	/** Reads for which a user waits are recorded in `notes`. */
	constructor(directory: SessionDirectory, patience: Patience, announce: Announce, notes?: ActivityNotes) {
		this.directory = directory;
		this.notes = notes;
		this.patience = patience;
		this.announce = announce;
	}

	/**
	 * The contents of a resource, for every part of it.
	 * @throws HostError as `runningSession`, `Session.readResource` and `partsOf` do.
	 */
	read(address: ResourceAddress): Promise<ResourceSnapshot> {
		return this.share(address, true);
	}

	/** As `read`, for an editor, which also reads when the server says that something changed. */
	readForEditor(address: ResourceAddress): Promise<ResourceSnapshot> {
		return this.share(address, true, true);
	}

	/** As `read`, but without a waiting user: it is not announced, however long it takes. */
	readQuietly(address: ResourceAddress): Promise<ResourceSnapshot> {
		return this.share(address, false, true);
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

	/** Whether the resource was requested before now, so that the displayed contents may be older than now. */
	hasAsked(address: ResourceAddress): boolean {
		return this.entries.get(keyOf(address))?.isAsked === true;
	}

	dispose(): void {
		for (const { timer } of this.entries.values()) clearTimeout(timer);
		this.entries.clear();
		this.answered.dispose();
	}

	private share(address: ResourceAddress, isAwaited: boolean, isUnasked = false): Promise<ResourceSnapshot> {
		const entry = this.entry(keyOf(address));
		if (entry.reading === undefined) entry.isAwaited = false;
		entry.isAwaited ||= isAwaited;
		entry.reading ??= this.start(address, entry, isUnasked);
		return entry.reading;
	}

	private entry(key: string): Entry {
		const known = this.entries.get(key);
		if (known !== undefined) {
			// The one that was used longest ago is forgotten first.
			this.entries.delete(key);
			this.entries.set(key, known);
			return known;
		}
		const entry: Entry = {
			digest: undefined,
			mimeTypes: [],
			modified: 0,
			isAsked: false,
			isAwaited: false,
			notedAt: -Infinity,
			reading: undefined,
			timer: undefined,
		};
		this.entries.set(key, entry);
		const [oldest] = this.entries.keys();
		if (this.entries.size > rememberedLimit && oldest !== undefined) this.entries.delete(oldest);
		return entry;
	}

	private start(address: ResourceAddress, entry: Entry, isUnasked: boolean): Promise<ResourceSnapshot> {
		entry.isAsked = true;
		const askedAt = this.nextTime();
		const reading = this.request(address, entry, isUnasked).then(
			(parts) => {
				// A read during which the resource changed must not count as the newer contents, nor get their identity.
				if (entry.reading !== reading) return { parts, modified: askedAt };
				entry.timer = setTimeout(() => this.invalidate(address), freshMs);
				entry.timer.unref();
				this.note(entry, digestOfParts(parts));
				entry.mimeTypes = parts.map(({ mimeType }) => mimeType);
				const snapshot = { parts, modified: entry.modified };
				this.answered.fire({ address: { server: address.server, uri: address.uri }, snapshot });
				return snapshot;
			},
			(error: unknown) => {
				if (entry.reading === reading) entry.reading = undefined;
				throw error;
			},
		);
		return reading;
	}

	private async request(
		{ server, uri }: ResourceAddress,
		entry: Entry,
		isUnasked: boolean,
	): Promise<readonly ResourcePart[]> {
		const session = await runningSession(this.directory, server, this.patience);
		const now = performance.now();
		const isNoted = entry.isAwaited && now - entry.notedAt >= quietMs;
		if (isNoted) entry.notedAt = now;
		return withPatience(
			(control) =>
				notedRead(isNoted ? this.notes : undefined, session, uri, async (options) =>
					partsOf(await session.readResource(uri, { ...control, ...options, isUnasked }), {
						server: session.definition.name,
						uri,
					}),
				),
			(slow) => {
				if (entry.isAwaited) this.announce(session, uri, slow);
			},
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
 * The bytes of an address: the whole, or the part that it names, or the list of either's bytes.
 * @throws HostError `invalid` when the resource no longer has that many contents.
 */
export function bytesOf({ parts }: ResourceSnapshot, { part, isHex }: ResourceAddress): Uint8Array {
	const found = part === undefined ? wholeOf(parts) : parts[part]?.bytes;
	if (found === undefined) throw new HostError("invalid", `The resource has only ${parts.length} contents now.`);
	return isHex === true ? hexDump(found) : found;
}

/** How many bytes a list shows: beyond this it would be too large for an editor. */
const dumpLimit = 1024 * 1024;

const rowLength = 16;

/** Bytes as text in rows of offset, hexadecimal digits and printable ASCII; the first megabyte, and how much is left out. */
export function hexDump(bytes: Uint8Array): Uint8Array {
	const shown = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, dumpLimit));
	const rows: string[] = [];
	for (let offset = 0; offset < shown.length; offset += rowLength) {
		const row = shown.subarray(offset, offset + rowLength);
		const digits = Array.from(row, (byte) => byte.toString(16).padStart(2, "0"));
		const columns = `${digits.slice(0, 8).join(" ")}  ${digits.slice(8).join(" ")}`.padEnd(rowLength * 3);
		const text = Array.from(row, (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".")).join("");
		rows.push(`${offset.toString(16).padStart(8, "0")}  ${columns}  ${text}`);
	}
	if (bytes.length === 0) rows.push("(no bytes)");
	const left = bytes.length - shown.length;
	if (left > 0) rows.push(`… (${left.toLocaleString("en-US")} more bytes)`);
	return Buffer.from(`${rows.join("\n")}\n`);
}

/**
 * Records a read by a user, as it is sent and as it ends, without the contents (JRN-18). Resolves and rejects as `read`
 * does; without `notes` nothing is recorded.
 */
export async function notedRead<T>(
	notes: ActivityNotes | undefined,
	{ definition }: Pick<Session, "definition">,
	uri: string,
	read: (options: Pick<CallOptions, "onFollowed">) => Promise<T>,
): Promise<T> {
	if (notes === undefined) return read({});
	const of = {
		kind: "call",
		id: crypto.randomUUID(),
		server: definition.name,
		serverId: definition.id,
		target: uri,
		isResource: true,
		origin: "user",
	} as const;
	let followed: { readonly exchange?: string } = {};
	const began = performance.now();
	notes.note({ ...of, phase: "sent" });
	try {
		const result = await read({ onFollowed: ({ exchange }) => (followed = { exchange }) });
		notes.note({ ...of, phase: "answered", ms: Math.round(performance.now() - began), ...followed });
		return result;
	} catch (error) {
		const phase = HostError.is(error, "cancelled") ? "cancelled" : "failed";
		notes.note({ ...of, phase, reason: messageOf(error), ...followed });
		throw error;
	}
}
