import { createHash, createPublicKey, verify, X509Certificate } from "node:crypto";

/** The result of checking the signature behind a bundle. Whether the signer can be trusted is not known. */
export type BundleSignature =
	| { readonly kind: "none" }
	/** It was made for exactly this file, with the key of this certificate. */
	| { readonly kind: "fits"; readonly signer: string; readonly issuer: string | undefined }
	/** It was made of another file, or is damaged. */
	| { readonly kind: "broken" }
	/** It is of a form that is not read here. */
	| { readonly kind: "unknown" };

/** Where the archive ends and its signature begins, as the official packer writes it behind the archive. */
const start = Buffer.from("MCPB_SIG_V1");
const end = Buffer.from("MCPB_SIG_END");
/** Largest signature, in bytes, and most certificates in it. */
const most = { bytes: 256 * 1024, certificates: 10 } as const;

/**
 * The bytes in which the archive of a bundle is looked for, one after the other. If a signature fits, these contain
 * nothing after the signed part: another archive could be there.
 */
export function archivesIn(bytes: Buffer, { kind }: BundleSignature): readonly Buffer[] {
	const at = signatureStart(bytes);
	if (at === undefined) return [bytes];
	return [...signedContents(bytes.subarray(0, at), bytes.length - at), ...(kind === "fits" ? [] : [bytes])];
}

/** The index at which the signature of a bundle begins; undefined where it has none. */
function signatureStart(bytes: Buffer): number | undefined {
	if (!bytes.subarray(-end.length).equals(end)) return undefined;
	const at = bytes.lastIndexOf(start);
	return at === -1 ? undefined : at;
}

/**
 * Checks the signature behind a bundle (MCPB, "Signing": a detached PKCS #7 signature, RFC 5652 "SignedData") against its
 * bytes. Never throws. Who vouches for the certificate is not asked.
 */
export function checkSignature(bytes: Buffer): BundleSignature {
	const at = signatureStart(bytes);
	if (at === undefined) return { kind: bytes.subarray(-end.length).equals(end) ? "broken" : "none" };
	const from = at + start.length + 4;
	const length = from <= bytes.length ? bytes.readUInt32LE(from - 4) : 0;
	if (length > most.bytes || from + length !== bytes.length - end.length) return { kind: "broken" };
	try {
		const message = readMessage(bytes.subarray(from, from + length));
		if (message === undefined) return { kind: "unknown" };
		return (
			signedContents(bytes.subarray(0, at), bytes.length - at)
				.map((content) => signerOf(message, content))
				.find((found) => found !== undefined) ?? { kind: "broken" }
		);
	} catch {
		// Values that are not DER, and invalid certificates.
		return { kind: "broken" };
	}
}

/** The archive as it may have been signed: some packers say afterwards in its end that a signature follows (APPNOTE 4.3.16). */
function signedContents(archive: Buffer, signature: number): readonly Buffer[] {
	const isTold = archive.length >= 22 && archive.readUInt16LE(archive.length - 2) === (signature & 0xffff);
	if (!isTold) return [archive];
	const before = Buffer.from(archive);
	before.writeUInt16LE(0, before.length - 2);
	return [archive, before];
}

interface SignedMessage {
	readonly certificates: readonly X509Certificate[];
	readonly digest: string;
	/**
	 * The attributes that contain the digest of the contents, as they were signed; absent if the contents themselves were
	 * signed.
	 */
	readonly attributes: Buffer | undefined;
	readonly contentDigest: Buffer | undefined;
	readonly signature: Buffer;
}

/** The first certificate whose key made the signature, if the contents are those that were signed. */
function signerOf(
	{ certificates, digest, attributes, contentDigest, signature }: SignedMessage,
	content: Buffer,
): Extract<BundleSignature, { kind: "fits" }> | undefined {
	if (attributes !== undefined) {
		const actual = createHash(digest).update(content).digest();
		if (contentDigest === undefined || !actual.equals(contentDigest)) return undefined;
	}
	const signed = attributes ?? content;
	const signer = certificates.find(({ publicKey }) => {
		// A certificate that Node cannot verify with did not sign it.
		const key = createPublicKey(publicKey.export({ type: "spki", format: "pem" }));
		return ["rsa", "ec"].includes(key.asymmetricKeyType ?? "") && verify(digest, signed, key, signature);
	});
	if (signer === undefined) return undefined;
	const isOwn = signer.checkIssued(signer);
	return { kind: "fits", signer: nameIn(signer.subject), issuer: isOwn ? undefined : nameIn(signer.issuer) };
}

function nameIn(distinguished: string): string {
	const names = new Map(
		distinguished.split("\n").map((line) => [line.replace(/=.*$/s, ""), line.replace(/^[^=]*=/, "")]),
	);
	return names.get("CN") ?? names.get("O") ?? distinguished;
}

const oids = {
	signedData: "2a864886f70d010702",
	messageDigest: "2a864886f70d010904",
} as const;
const digests: ReadonlyMap<string, string> = new Map([
	["608648016503040201", "sha256"],
	["608648016503040202", "sha384"],
	["608648016503040203", "sha512"],
]);

/** Reads a signature in its format in the file; undefined if it uses an unsupported feature. */
function readMessage(der: Buffer): SignedMessage | undefined {
	const [type, wrapped] = partsOf(onlyPart(der));
	if (type?.hex !== oids.signedData || wrapped === undefined) return undefined;
	const parts = partsOf(onlyPart(wrapped.content));
	const listed = parts.find(({ tag }) => tag === 0xa0);
	const signers = parts.at(-1);
	const certificates = (listed === undefined ? [] : partsOf(listed))
		.slice(0, most.certificates)
		.map(({ whole }) => new X509Certificate(whole));
	const [signer, ...others] = signers === undefined ? [] : partsOf(signers);
	if (signer === undefined || others.length > 0) return undefined;
	const [, , algorithm, ...rest] = partsOf(signer);
	const digest = digests.get(algorithm === undefined ? "" : (partsOf(algorithm)[0]?.hex ?? ""));
	const attributes = rest[0]?.tag === 0xa0 ? rest[0] : undefined;
	const signature = rest[attributes === undefined ? 1 : 2];
	if (digest === undefined || signature?.tag !== 0x04) return undefined;
	const said = attributes && partsOf(attributes).map((attribute) => partsOf(attribute));
	const found = said?.find(([name]) => name?.hex === oids.messageDigest)?.[1];
	return {
		certificates,
		digest,
		// They are signed as a set, and have the tag of their place here (RFC 5652, 5.4).
		attributes: attributes && Buffer.concat([Buffer.from([0x31]), attributes.whole.subarray(1)]),
		contentDigest: found && partsOf(found)[0]?.content,
		signature: signature.content,
	};
}

/** A value of DER (X.690): its tag, all of it, and its contents. */
interface Part {
	readonly tag: number;
	readonly whole: Buffer;
	readonly content: Buffer;
	readonly hex: string;
}

function partsOf({ content }: Pick<Part, "content">): readonly Part[] {
	const parts: Part[] = [];
	for (let at = 0; at < content.length;) {
		const part = partAt(content, at);
		parts.push(part);
		at += part.whole.length;
	}
	return parts;
}

function onlyPart(der: Buffer): Part {
	const part = partAt(der, 0);
	if (part.whole.length !== der.length) throw new Error("It contains extra data at its end.");
	return part;
}

function partAt(der: Buffer, at: number): Part {
	const first = der.readUInt8(at + 1);
	const more = first < 0x80 ? 0 : first & 0x7f;
	if (more > 3 || (first >= 0x80 && more === 0)) throw new Error("Its length is not valid in DER.");
	const length = more === 0 ? first : der.readUIntBE(at + 2, more);
	const from = at + 2 + more;
	if (from + length > der.length) throw new Error("It ends too early.");
	const content = der.subarray(from, from + length);
	return {
		tag: der.readUInt8(at),
		whole: der.subarray(at, from + length),
		content,
		hex: content.subarray(0, 20).toString("hex"),
	};
}
