import { inflateRawSync } from "node:zlib";

/** The end of a ZIP archive's directory, an entry of that directory, and the deflate method (PKWARE APPNOTE 4.3, 4.4). */
const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const deflated = 8;

/** The files of a ZIP archive by path. For archives without ZIP64 and encryption, as vsce writes them; others throw. */
export function unzip(archive: Buffer): ReadonlyMap<string, Buffer> {
	const end = archive.lastIndexOf(Buffer.from(Uint32Array.of(endSignature).buffer));
	if (end === -1) throw new Error("This is no ZIP archive.");
	const files = new Map<string, Buffer>();
	let position = archive.readUInt32LE(end + 16);
	for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
		if (archive.readUInt32LE(position) !== entrySignature) throw new Error("The archive's directory is damaged.");
		const method = archive.readUInt16LE(position + 10);
		const size = archive.readUInt32LE(position + 20);
		const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
			archive.readUInt16LE(position + offset),
		);
		const header = archive.readUInt32LE(position + 42);
		const name = archive.toString("utf8", position + 46, position + 46 + (nameLength ?? 0));
		// The file's own header has lengths of its own.
		const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
		const bytes = archive.subarray(start, start + size);
		if (!name.endsWith("/")) files.set(name, method === deflated ? inflateRawSync(bytes) : bytes);
		position += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
	}
	return files;
}
