import { crc32, deflateRawSync } from "node:zlib";

/** A file of an archive; members beside its name and contents are claims, true or not. */
export interface ZipEntry {
	readonly name: string | Buffer;
	readonly content?: string | Buffer;
	/** The mode of a Unix system, such as `0o120777` of a link. */
	readonly mode?: number;
	readonly isEncrypted?: boolean;
	/** A number of a method; contents are stored then. */
	readonly method?: number;
	readonly claimedSize?: number;
	readonly claimedPackedSize?: number;
	readonly claimedCrc?: number;
	/** Has no contents of its own, but points to those of the entry before. */
	readonly isOverlapping?: boolean;
}

/** Writes a ZIP archive (PKWARE APPNOTE 4.3), well-formed except for the claims of the entries. */
export function zipArchive(entries: readonly ZipEntry[], comment = Buffer.alloc(0)): Buffer {
	const parts: Buffer[] = [];
	const directory: Buffer[] = [];
	let offset = 0;
	let lastStart = 0;
	for (const entry of entries) {
		const name = Buffer.from(entry.name);
		const content = Buffer.from(entry.content ?? "");
		const method = entry.method ?? 8;
		const packed = method === 8 ? deflateRawSync(content) : content;
		const header = Buffer.alloc(26);
		header.writeUInt16LE(20, 0);
		// UTF-8 names.
		header.writeUInt16LE(0x800 | (entry.isEncrypted === true ? 1 : 0), 2);
		header.writeUInt16LE(method, 4);
		header.writeUInt32LE(entry.claimedCrc ?? crc32(content), 10);
		header.writeUInt32LE(entry.claimedPackedSize ?? packed.length, 14);
		header.writeUInt32LE(entry.claimedSize ?? content.length, 18);
		header.writeUInt16LE(name.length, 22);
		if (entry.isOverlapping !== true) {
			lastStart = offset;
			const local = Buffer.concat([signature("PK\u0003\u0004"), header, name, packed]);
			parts.push(local);
			offset += local.length;
		}
		const central = Buffer.alloc(14);
		central.writeUInt32LE(((entry.mode ?? 0) << 16) >>> 0, 6);
		central.writeUInt32LE(lastStart, 10);
		directory.push(signature("PK\u0001\u0002"), Buffer.from([20, 3]), header, central, name);
	}
	const listed = Buffer.concat(directory);
	return Buffer.concat([...parts, listed, end(entries.length, listed.length, offset, comment)]);
}

function end(count: number, size: number, offset: number, comment: Buffer): Buffer {
	const last = Buffer.alloc(18);
	const isLarge = count > 0xfffe;
	for (const at of [4, 6]) last.writeUInt16LE(isLarge ? 0xffff : count, at);
	last.writeUInt32LE(isLarge ? 0xffffffff : size, 8);
	last.writeUInt32LE(isLarge ? 0xffffffff : offset, 12);
	last.writeUInt16LE(comment.length, 16);
	const plain = Buffer.concat([signature("PK\u0005\u0006"), last, comment]);
	if (!isLarge) return plain;
	const large = Buffer.alloc(52);
	large.writeBigUInt64LE(44n, 0);
	for (const at of [20, 28]) large.writeBigUInt64LE(BigInt(count), at);
	large.writeBigUInt64LE(BigInt(size), 36);
	large.writeBigUInt64LE(BigInt(offset), 44);
	const locator = Buffer.alloc(16);
	locator.writeBigUInt64LE(BigInt(offset + size), 4);
	locator.writeUInt32LE(1, 12);
	return Buffer.concat([signature("PK\u0006\u0006"), large, signature("PK\u0006\u0007"), locator, plain]);
}

function signature(text: string): Buffer {
	return Buffer.from(text, "latin1");
}

/** A manifest with its required members, and the given ones. */
export function manifestOf(more: object = {}): string {
	return JSON.stringify({
		manifest_version: "0.3",
		name: "weather",
		version: "1.0.0",
		description: "Tells the weather.",
		author: { name: "Ada" },
		server: {
			type: "node",
			entry_point: "server/index.js",
			mcp_config: { command: "node", args: ["${__dirname}/server/index.js"], env: {} },
		},
		...more,
	});
}

/** A bundle with a manifest and a main file, and the given files. */
export function bundleOf(more: readonly ZipEntry[] = [], manifest = manifestOf()): Buffer {
	return zipArchive([
		{ name: "manifest.json", content: manifest },
		{ name: "server/index.js", content: "// the server" },
		...more,
	]);
}
