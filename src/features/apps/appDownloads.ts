import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { saveName } from "../resources/fileNames.ts";
import { AppRefusal, rpcCodes } from "./bridgeMessages.ts";

/** A file that an app wants saved: its contents, or its URI at the app's server. All of it is untrusted. */
export interface WantedFile {
	readonly uri: string;
	readonly mimeType: string | undefined;
	/** Absent for a link. */
	readonly bytes?: Uint8Array;
}

/** A file with a name that is valid on every system and contains no path. */
export interface OfferedFile {
	readonly name: string;
	readonly bytes: Uint8Array;
}

const mostFiles = 10;
/** For all files of a request, in bytes. */
const mostBytes = 20_000_000;

/**
 * Reads the contents of `ui/download-file` (MCP Apps draft, "ui/download-file"): embedded resources and links to
 * resources.
 * @throws AppRefusal when they are invalid, or too many.
 */
export function readWantedFiles({ contents }: JsonObject): readonly WantedFile[] {
	const files = Array.isArray(contents) ? contents.flatMap((block) => wantedFile(block)) : [];
	if (!Array.isArray(contents) || files.length === 0 || files.length < contents.length)
		throw new AppRefusal(rpcCodes.invalidParams, "ui/download-file needs contents of resources or links to resources.");
	if (files.length > mostFiles) throw new AppRefusal(rpcCodes.refused, `At most ${mostFiles} files are saved at once.`);
	return files;
}

/**
 * Names the files, after `read` has read those that are links; `read` returns the result of `resources/read`.
 * @throws AppRefusal when they are too large, and the errors of `read`.
 */
export async function offeredFiles(
	wanted: readonly WantedFile[],
	read: (uri: string) => Promise<JsonObject>,
): Promise<readonly OfferedFile[]> {
	const files: OfferedFile[] = [];
	let size = 0;
	for (const file of wanted) {
		const whole = file.bytes === undefined ? contentsOf(await read(file.uri)) : [file];
		for (const { uri, mimeType, bytes = new Uint8Array() } of whole) {
			size += bytes.length;
			if (size > mostBytes || files.length === mostFiles) {
				const limit = `At most ${mostFiles} files with a total of ${mostBytes / 1_000_000} MB are saved at once.`;
				throw new AppRefusal(rpcCodes.refused, limit);
			}
			files.push({ name: saveName(uri, mimeType, bytes), bytes });
		}
	}
	return files;
}

function contentsOf({ contents }: JsonObject): readonly WantedFile[] {
	return Array.isArray(contents) ? contents.flatMap((resource) => fileOf(resource)) : [];
}

function wantedFile(block: unknown): readonly WantedFile[] {
	if (!isJsonObject(block)) return [];
	const { type, resource, uri, mimeType } = block;
	if (type === "resource") return fileOf(resource);
	return type === "resource_link" && typeof uri === "string" ? [{ uri, mimeType: textOrNone(mimeType) }] : [];
}

function fileOf(resource: unknown): readonly WantedFile[] {
	if (!isJsonObject(resource)) return [];
	const { uri, mimeType, text, blob } = resource;
	const data = typeof text === "string" ? text : blob;
	if (typeof uri !== "string" || typeof data !== "string") return [];
	return [{ uri, mimeType: textOrNone(mimeType), bytes: Buffer.from(data, data === text ? "utf8" : "base64") }];
}

function textOrNone(value: unknown): string | undefined {
	return typeof value === "string" ? value : undefined;
}
