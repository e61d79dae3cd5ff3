import { createHash } from "node:crypto";
import { HostError, messageOf } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import { type Archive, type ArchiveLimits, openArchive } from "./archive.ts";
import { type BundleManifest, parseManifest } from "./manifest.ts";
import { archivesIn, type BundleSignature, checkSignature } from "./signature.ts";

/** The source of a bundle. */
export interface BundleOrigin {
	/** The path of its file, or its URL, for display. */
	readonly label: string;
	/** Whether it was received over a connection that others could change. */
	readonly isPlainHttp?: true;
	/** The SHA-256 of it from another source, such as a registry: lower or upper case hexadecimal. */
	readonly expectedSha256?: string;
	/** The name under which a registry lists it. */
	readonly listedAs?: string;
}

/** A bundle that was read and checked; nothing of it is unpacked or runs. */
export interface Bundle {
	readonly manifest: BundleManifest;
	/** The text that it was read from. */
	readonly manifestText: string;
	readonly archive: Archive;
	/** For the whole file, as lower case hexadecimal. */
	readonly sha256: string;
	/** The size of the file in bytes. */
	readonly size: number;
	readonly origin: BundleOrigin;
	/** The validity of the signature behind the archive. */
	readonly signature: BundleSignature;
}

/** Largest manifest, in bytes. */
const maxManifest = 1024 * 1024;

/**
 * Reads a bundle (MCPB specification, manifest 0.1 to 0.4): its hash, all names and sizes in it, and its manifest.
 * Writes and starts nothing.
 * @throws HostError `invalid` or `limit` whose message names the file and says why it cannot be installed, or that its
 * hash differs from the expected one.
 */
export async function readBundle(bytes: Buffer, origin: BundleOrigin, limits?: ArchiveLimits): Promise<Bundle> {
	const about = (error: unknown): never => {
		const code = HostError.is(error) ? error.code : "invalid";
		const name = oneLine(origin.label, 300);
		throw new HostError(code, `${name} was not installed. ${messageOf(error)}`, { cause: error });
	};
	const sha256 = createHash("sha256").update(bytes).digest("hex");
	const { expectedSha256 } = origin;
	if (expectedSha256 !== undefined && expectedSha256.toLowerCase() !== sha256) {
		const [expected, found] = [oneLine(expectedSha256, 80), sha256];
		return about(
			new HostError("invalid", `It is not the announced file: its SHA-256 is ${found}, but ${expected} was expected.`),
		);
	}
	try {
		const signature = checkSignature(bytes);
		const archive = await openFirst(archivesIn(bytes, signature), limits);
		const manifestText = await readManifest(archive);
		const manifest = parseManifest(manifestText);
		const { entryPoint, kind } = manifest.server;
		if (!archive.files.some(({ path }) => path === entryPoint))
			throw new HostError(
				"invalid",
				`It does not contain the main file of its ${kind} server, ${oneLine(entryPoint, 120)}.`,
			);
		return { manifest, manifestText, archive, sha256, size: bytes.length, origin, signature };
	} catch (error) {
		return about(error);
	}
}

async function openFirst([first, ...others]: readonly Buffer[], limits: ArchiveLimits | undefined): Promise<Archive> {
	try {
		return await openArchive(first ?? Buffer.alloc(0), limits);
	} catch (error) {
		if (others.length === 0) throw error;
		return openFirst(others, limits);
	}
}

async function readManifest({ files }: Archive): Promise<string> {
	const file = files.find(({ path }) => path === "manifest.json");
	if (file === undefined) throw new HostError("invalid", "It has no manifest.json, so it is not an MCP bundle.");
	if (file.size > maxManifest) throw new HostError("limit", "Its manifest.json has more than 1 MB.");
	const pieces: Buffer[] = [];
	for await (const piece of file.read()) pieces.push(piece);
	return Buffer.concat(pieces).toString("utf8");
}
