import { ProtocolError, ResourceNotFoundError, type ReadResourceResult } from "@modelcontextprotocol/server";
import { pixelPng, scriptSvg, silentWav } from "./libraryMedia.ts";
import { liveUris, storiedResource } from "./libraryResources.ts";
import { expandedKinds } from "./libraryTemplates.ts";
import type { LibraryWorld } from "./libraryWorld.ts";

type Contents = ReadResourceResult["contents"];

/**
 * The contents of a resource, now. Throws the protocol's error for one that does not exist, and -32603 for one that is
 * forbidden; `fails://slow` takes two seconds.
 */
export async function readContents(world: LibraryWorld, uri: string, signal: AbortSignal): Promise<Contents> {
	if (world.isGone(uri) || uri === "fails://not-found") throw new ResourceNotFoundError(uri);
	if (uri === "fails://forbidden") throw new ProtocolError(-32603, "EACCES: the reading room is closed");
	if (uri === "fails://slow") await waitFor(2000, signal);
	const version = world.version(uri);
	// After the result of this read: only an earlier subscriber is notified, or reads again.
	if (uri === liveUris.early) world.bump(uri);
	return fixed(uri) ?? changing(uri, version) ?? bytes(uri) ?? large(uri) ?? plain(uri);
}

function fixed(uri: string): Contents | undefined {
	switch (uri) {
		case "parts://several":
			return [
				{ uri: "parts://several/text.txt", mimeType: "text/plain", text: "the first part" },
				{ uri: "parts://several/picture.png", mimeType: "image/png", blob: pixelPng },
				{ uri: "parts://several/raw", mimeType: "application/octet-stream", blob: "AAEC/w==" },
			];
		case "parts://same-uri":
			return [
				{ uri, mimeType: "text/plain", text: "the first of one URI" },
				{ uri, mimeType: "text/plain", text: "the second of one URI" },
			];
		case "parts://other-uri":
			return [{ uri: "parts://elsewhere", mimeType: "text/plain", text: "from elsewhere" }];
		case "parts://none":
			return [];
		default:
			return undefined;
	}
}

function changing(uri: string, version: number): Contents | undefined {
	const text = (value: string): Contents => [{ uri, mimeType: "text/plain", text: value }];
	switch (uri) {
		case liveUris.sameLength:
			return text(`tick ${String(version).padStart(6, "0")}\n`);
		case liveUris.otherLength:
			return text(`${"tick ".repeat(version + 1)}\n`);
		case liveUris.vanishing:
		case liveUris.early:
		case liveUris.folder:
			return text(`version ${version}\n`);
		case liveUris.dashboard: {
			const loans = `# Dashboard\n\n| Shelf | Loans |\n|---|---|\n| Poetry | ${12 + version} |\n| Travel | ${7 + 2 * version} |\n`;
			return [{ uri, mimeType: "text/markdown", text: `${loans}\nRevision ${version}\n` }];
		}
		default:
			return undefined;
	}
}

function bytes(uri: string): Contents | undefined {
	const mimeType = storiedResource(uri)?.mimeType;
	const typed = mimeType === undefined ? {} : { mimeType };
	const text = (value: string): Contents => [{ uri, ...typed, text: value }];
	const blob = (value: string): Contents => [{ uri, ...typed, blob: value }];
	switch (uri) {
		case "bytes://picture.png":
			return blob(pixelPng);
		case "bytes://script.svg":
			return text(scriptSvg);
		case "bytes://lying.png":
			return blob(Buffer.from("<script>alert(1)</script>").toString("base64"));
		case "bytes://sound.wav":
			return blob(silentWav);
		case "bytes://book.pdf":
			return blob(Buffer.from("%PDF-1.7\n").toString("base64"));
		case "bytes://raw":
			return blob(Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)).toString("base64"));
		case "bytes://broken-base64":
			return blob("this is *not* base64!");
		case "bytes://code.py":
			return text('def lend(book: str) -> str:\n\treturn f"lent {book}"\n');
		case "bytes://table.csv":
			return text("title,loans\nDracula,3\nEmma,5\n");
		case "bytes://page.html":
			return text("<!doctype html><title>Catalog</title><script>alert(1)</script>\n");
		case "bytes://settings.json":
			return text('{ "openOnSunday": false }\n');
		default:
			return undefined;
	}
}

function large(uri: string): Contents | undefined {
	const line = `${"log ".repeat(24)}end\n`;
	const text = (value: string): Contents => [{ uri, mimeType: "text/plain", text: value }];
	if (uri === "size://huge.log" || uri === "size://secretly-huge.log") return text(line.repeat(600_000));
	if (uri === "size://says-huge.txt") return text("small after all\n");
	return uri === "size://one-line.txt" ? text("x".repeat(100_000)) : undefined;
}

/** Every other resource that is listed, or made by a template, contains its own URI. */
function plain(uri: string): Contents {
	if (!isKnown(uri)) throw new ResourceNotFoundError(uri);
	if (uri.endsWith(".png")) return [{ uri, mimeType: "image/png", blob: pixelPng }];
	if (uri.endsWith(".json")) return [{ uri, mimeType: "application/json", text: `${JSON.stringify({ uri })}\n` }];
	return [{ uri, text: `This is ${uri}\n` }];
}

function isKnown(uri: string): boolean {
	if (storiedResource(uri) !== undefined) return true;
	return /^(?:urn:library:\d+|.*volume-\d{5}\.\w+)$/.test(uri) || expandedKinds.some((start) => uri.startsWith(start));
}

function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(resolve, milliseconds);
		signal.addEventListener("abort", () => {
			clearTimeout(timer);
			reject(new Error("cancelled"));
		});
	});
}
