import { crc32 } from "node:zlib";
import type { Entry, ZipFile } from "yauzl";
import { HostError, messageOf } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import { PathSet, pathFault } from "./archivePath.ts";

/** How much an archive may hold. Bytes, but for `files`. */
export interface ArchiveLimits {
	/** The archive itself. */
	readonly archive: number;
	readonly files: number;
	/** One file, unpacked. */
	readonly file: number;
	/** All files and folders together, unpacked, as a disk has them. */
	readonly total: number;
	/** The maximum ratio of their size to the archive's, except for small ones. */
	readonly ratio: number;
}

const megabyte = 1024 * 1024;
/** The space of a file or a folder on a disk, even if it is empty. */
const block = 4096;

/** Servers with all that they depend on have tens of thousands of files, and models of their own hundreds of megabytes. */
export const archiveLimits: ArchiveLimits = {
	archive: 256 * megabyte,
	files: 50_000,
	file: 512 * megabyte,
	total: 1024 * megabyte,
	ratio: 100,
};

/** Below this, no ratio is too large: an empty log of a few megabytes packs well. */
const small = 10 * megabyte;

/** A file of an archive; nothing of it is unpacked yet. */
export interface ArchiveFile {
	/** Where it belongs within the folder, with `/`: checked, see `pathFault`. */
	readonly path: string;
	/** Its size unpacked; one that has another is refused while it is read. */
	readonly size: number;
	readonly isExecutable: boolean;
	/**
	 * Its contents, piece by piece.
	 * @throws HostError `invalid` where they are damaged, or of another size than the archive says.
	 */
	read(): AsyncIterable<Buffer>;
}

/** The contents of an archive, every name and size checked. */
export interface Archive {
	readonly files: readonly ArchiveFile[];
	/** For all files together, unpacked. */
	readonly total: number;
}

/**
 * Reads the directory of a ZIP archive (PKWARE APPNOTE 4.3) and checks all of it, before anything is unpacked. Only the
 * central directory counts; the rest of the archive is never read.
 * @throws HostError `limit` if it contains too much, `invalid` if it is damaged, encrypted, or contains an entry that
 * is not a plain file or is outside of one folder. The message is a sentence about “it”, the archive.
 */
export async function openArchive(
	bytes: Buffer,
	limits: ArchiveLimits = archiveLimits,
	isWindows = process.platform === "win32",
): Promise<Archive> {
	if (bytes.length > limits.archive)
		throw new HostError("limit", `It has ${inMegabytes(bytes.length)}, more than ${inMegabytes(limits.archive)}.`);
	const { default: yauzl } = await import("yauzl");
	// Names are decoded and checked here, with our own words.
	const zip = await yauzl.fromBufferPromise(bytes, { decodeStrings: false }).catch((cause: unknown) => {
		throw new HostError("invalid", "It is not a ZIP archive, or it is incomplete.", { cause });
	});
	if (zip.entryCount > limits.files) {
		const counts = [zip.entryCount, limits.files].map((count) => count.toLocaleString("en-US"));
		throw new HostError("limit", `It contains ${counts[0]} files; at most ${counts[1]} are unpacked.`);
	}
	const files: ArchiveFile[] = [];
	const paths = new PathSet();
	let total = 0;
	let rounded = 0;
	let packed = 0;
	try {
		for await (const entry of zip.eachEntry()) {
			const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
			const written = yauzl.getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true);
			const isFolder = written.endsWith("/");
			const path = isFolder ? written.slice(0, -1) : written;
			refuseFault(entry, path, isFolder, pathFault(path, isWindows));
			const other = paths.add(path, isFolder);
			if (other !== undefined)
				throw new HostError(
					"invalid",
					`It contains both ${named(path)} and ${named(other)}, which are the same file on some systems.`,
				);
			total += entry.uncompressedSize;
			// The first block is that of its name.
			rounded += Math.max(0, entry.uncompressedSize - block);
			packed += entry.compressedSize;
			const onDisk = rounded + paths.size * block;
			refuseSize(entry, path, { total: onDisk, packed, archive: bytes.length }, limits);
			if (!isFolder) files.push(fileOf(zip, entry, path));
		}
	} catch (cause) {
		if (HostError.is(cause)) throw cause;
		throw new HostError("invalid", "Its directory is damaged.", { cause });
	}
	return { files, total };
}

function refuseFault(entry: Entry, path: string, isFolder: boolean, fault: string | undefined): void {
	const refuse = (reason: string): never => {
		throw new HostError("invalid", reason);
	};
	if (fault !== undefined) refuse(`The path ${named(path)} in it ${fault}.`);
	if (entry.isEncrypted()) refuse(`${named(path)} in it is encrypted.`);
	if (!isFolder && !entry.canDecodeFileData())
		refuse(`${named(path)} in it uses a compression that MCP Host does not support.`);
	// The file's attributes from a Unix system: the upper half is its mode (APPNOTE 4.4.15).
	const kind = modeOf(entry) & 0o170000;
	if (kind !== 0 && kind !== (isFolder ? 0o040000 : 0o100000))
		refuse(`${named(path)} in it is a link or a device, not a regular file.`);
	if (isFolder && entry.uncompressedSize > 0) refuse(`${named(path)} in it is a folder entry that contains data.`);
}

function refuseSize(
	{ uncompressedSize }: Entry,
	path: string,
	{ total, packed, archive }: { readonly total: number; readonly packed: number; readonly archive: number },
	limits: ArchiveLimits,
): void {
	const refuse = (reason: string): never => {
		throw new HostError("limit", reason);
	};
	if (uncompressedSize > limits.file)
		refuse(`${named(path)} in it would have more than ${inMegabytes(limits.file)} when unpacked.`);
	if (total > limits.total) refuse(`It would have more than ${inMegabytes(limits.total)} when unpacked.`);
	if (packed > archive) refuse("Its files overlap. It would unpack to far more data than it contains.");
	if (total > Math.max(small, archive * limits.ratio))
		refuse(`It would unpack to more than ${limits.ratio} times its size.`);
}

function fileOf(zip: ZipFile, entry: Entry, path: string): ArchiveFile {
	return {
		path,
		size: entry.uncompressedSize,
		isExecutable: (modeOf(entry) & 0o111) !== 0,
		async *read() {
			let sum = 0;
			try {
				// More or fewer bytes than the directory says are an error of the stream.
				const pieces: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry);
				for await (const piece of pieces) {
					sum = crc32(piece, sum);
					yield piece;
				}
			} catch (cause) {
				throw new HostError("invalid", `${named(path)} in it is damaged: ${oneLine(messageOf(cause))}.`, { cause });
			}
			if (sum !== entry.crc32)
				throw new HostError("invalid", `${named(path)} in it is damaged: its checksum is wrong.`);
		},
	};
}

function modeOf({ externalFileAttributes }: Entry): number {
	return externalFileAttributes >>> 16;
}

function named(path: string): string {
	return `“${oneLine(path, 120)}”`;
}

function inMegabytes(bytes: number): string {
	return `${Math.ceil(bytes / megabyte).toLocaleString("en-US")} MB`;
}
