/** Signatures of bundles, as the official packer makes them, and with changes by others (BND-09). */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readBundle } from "../../../../src/setup/bundles/bundle.ts";
import { checkSignature } from "../../../../src/setup/bundles/signature.ts";
import { bundleOf } from "./zipArchive.ts";

const packed = (name: string): Buffer => readFileSync(resolve(import.meta.dirname, "../../../bundles", `${name}.mcpb`));
const signed = packed("signed");
const archiveLength = signed.lastIndexOf("MCPB_SIG_V1");
const label = "/a.mcpb";

/** A block as it is at the end of an archive. */
function block(signature: Buffer, length = signature.length): Buffer {
	const size = Buffer.alloc(4);
	size.writeUInt32LE(length);
	return Buffer.concat([Buffer.from("MCPB_SIG_V1"), size, signature, Buffer.from("MCPB_SIG_END")]);
}

function flipped(bytes: Buffer, at: number): Buffer {
	const copy = Buffer.from(bytes);
	copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
	return copy;
}

describe("The signature of a bundle (BND-09)", () => {
	it("of the official packer is valid, and names the subject and the issuer of its certificate", async () => {
		const own = { kind: "fits", signer: "Ada Example", issuer: undefined };
		await expect(readBundle(signed, { label })).resolves.toMatchObject({ signature: own });
		expect(checkSignature(packed("issued"))).toEqual({ ...own, issuer: "Example Authority" });
		expect(checkSignature(packed("binary"))).toEqual({ kind: "none" });
	});

	it("is not valid for another file, whichever byte differs", () => {
		for (let at = 0; at < archiveLength; at++) expect(checkSignature(flipped(signed, at)).kind, `${at}`).toBe("broken");
		const block = signed.subarray(archiveLength);
		expect(checkSignature(Buffer.concat([bundleOf(), block])).kind).toBe("broken");
		expect(checkSignature(Buffer.concat([Buffer.from("x"), signed])).kind).toBe("broken");
		expect(checkSignature(Buffer.concat([bundleOf(), Buffer.from("MCPB_SIG_END")])).kind).toBe("broken");
	});

	it("that was changed itself is never valid with another name, and does no harm", () => {
		const end = signed.length - "MCPB_SIG_END".length;
		for (let at = archiveLength; at < end; at++) {
			const found = checkSignature(flipped(signed, at));
			// The signing key is in the certificate, so its name can be another one: nothing vouches for it here.
			expect(["broken", "unknown", "none", "fits"], `${at}`).toContain(found.kind);
		}
		for (let length = 0; length < signed.length; length += 7) checkSignature(signed.subarray(0, length));
	});

	it.each([
		["nothing", block(Buffer.alloc(0))],
		["invalid DER", block(Buffer.from("not DER"))],
		["a length beyond its end", block(Buffer.alloc(10), 100)],
		["a length that it has not", block(Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff]))],
		["a length without one", block(Buffer.from([0x30, 0x80, 0, 0]))],
		["more than a signature has", block(Buffer.alloc(300 * 1024))],
		["more behind its own end", block(Buffer.concat([signed.subarray(archiveLength + 15, -12), bundleOf()]))],
	])("of %s is not valid", async (_what, behind) => {
		const archive = signed.subarray(0, archiveLength);
		const bundle = await readBundle(Buffer.concat([archive, behind]), { label });
		expect(bundle.signature).toEqual({ kind: "broken" });
		// Only the content before it is read, and nothing hidden in it.
		expect(bundle.manifest.name).toBe("weather-binary");
	});

	it("of another kind of message is reported as that", () => {
		const sequence = (...parts: readonly Buffer[]): Buffer => {
			const content = Buffer.concat(parts);
			return Buffer.concat([Buffer.from([0x30, content.length]), content]);
		};
		const data = Buffer.from("06092a864886f70d010701", "hex");
		const other = sequence(data, Buffer.from([0xa0, 2, 0x30, 0]));
		expect(checkSignature(Buffer.concat([bundleOf(), block(other)]))).toEqual({ kind: "unknown" });
	});
});
