import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";

/** Shorter data may be a key, and is no picture, in characters. */
const shortest = 64;
const base64 = /^[A-Za-z\d+/\s]+={0,2}$/;
const dataUrl = /^data:[^,]{1,200};base64,/i;

/**
 * A value as it is searched for secrets: without pictures, sounds and other binary data, which in base64 look like keys. What is
 * text in base64 stands there as that text. Data counts where the protocol has it (MCP 2025-11-25, "Image Content", "Audio
 * Content", "Embedded Resources"), and as an URL of its own, as apps get pictures.
 */
export function searchedTexts(value: Json): Json {
	if (typeof value === "string") {
		const [head] = dataUrl.exec(value) ?? [];
		return head === undefined ? value : textIn(value.slice(head.length));
	}
	if (Array.isArray(value)) return (value as readonly Json[]).map(searchedTexts);
	if (!isJsonObject(value)) return value;
	const entries = Object.entries(value).map(([name, inner]): [string, Json | undefined] => {
		if (inner === undefined) return [name, inner];
		return [name, typeof inner === "string" && isData(value, name) ? textIn(inner) : searchedTexts(inner)];
	});
	return Object.fromEntries(entries);
}

function isData({ type, uri }: JsonObject, name: string): boolean {
	return name === "data" ? type === "image" || type === "audio" : name === "blob" && typeof uri === "string";
}

/** What can be read in data; the data as it is where it may be none. */
function textIn(data: string): string {
	if (data.length < shortest || !base64.test(data)) return data;
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(data, "base64"));
	} catch {
		return "";
	}
}
