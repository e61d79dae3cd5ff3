import { readableSize } from "../../../base/amounts.ts";
import { assertNever } from "../../../base/assert.ts";
import { escapeHidden } from "../../../base/exactJson.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../base/json.ts";
import { hasHiddenCharacters, oneLine, showHidden } from "../../../base/text.ts";
import type { ContentBlock } from "../../../servers/sessions/session.ts";
import {
	contentOf,
	isFor,
	problemTitle,
	type ResultPart,
	structuredOf,
	type ToolResult,
	toResultPart,
} from "./result.ts";
import { sliceOf } from "./resultExcerpts.ts";
import { mediaBlock, mediaRoom, type MediaRoom } from "./resultMedia.ts";
import type { PlacedBlock, ResultBlock, ResultTable, ResultView } from "./resultProtocol.ts";

/** How much of a result a panel holds (TOL-15). The rest can be saved, or read in the log. */
const mostBlocks = 100;
const longestText = 50_000;
const mostText = 400_000;
const longestJson = 200_000;
/** A longer text within the raw message, such as an image, is shortened there. */
const longestRawText = 4000;

/** Views that were made: a panel asks for the same result often, and it may be large. */
const views = new WeakMap<ToolResult, ResultView>();

/** Any result in the form for a panel: bounded, with nothing hidden. Never throws. */
export function resultView(result: ToolResult): ResultView {
	const known = views.get(result);
	if (known !== undefined) return known;
	const view = makeView(result);
	views.set(result, view);
	return view;
}

function makeView({ raw, isError, problems }: ToolResult): ResultView {
	const content = contentOf(raw);
	const room = { media: mediaRoom(), text: mostText };
	const blocks = content
		.slice(0, mostBlocks)
		.map(({ index, block }): PlacedBlock => ({ index, block: blockOf(block, room) }));
	const more = content.length - blocks.length;
	const message = JSON.stringify(raw);
	const structured = structuredOf(raw);
	return {
		isError,
		blocks: [...blocks, ...(more > 0 ? [note(`${more.toLocaleString("en-US")} more parts are not shown here.`)] : [])],
		...(structured === undefined ? {} : { structured: structuredView(structured) }),
		problems,
		problemTitle: problemTitle(problems),
		raw: shownJson(JSON.stringify(raw, shortened, 2)),
		rawTotal: message.length,
	};
}

function structuredView(value: Json): NonNullable<ResultView["structured"]> {
	const json = JSON.stringify(value, undefined, 2);
	const table = resultTable(value);
	return { json: shownJson(json), total: json.length, ...(table === undefined ? {} : { table }) };
}

/** The beginning of a JSON text, with every character to be seen. */
function shownJson(json: string): string {
	return sliceOf(escapeHidden(sliceOf(json, 0, longestJson)), 0, longestJson);
}

function blockOf(block: ContentBlock, room: { readonly media: MediaRoom; text: number }): ResultBlock {
	const audience = audienceOf(block);
	const shown = partBlock(toResultPart(block), room);
	return audience === undefined ? shown : { ...shown, audience };
}

function partBlock(part: ResultPart, room: { readonly media: MediaRoom; text: number }): ResultBlock {
	const take = (text: string): { readonly text: string; readonly total: number } => {
		const taken = sliceOf(text, 0, Math.max(1, Math.min(longestText, room.text)));
		room.text -= taken.length;
		const shown = showHidden(taken);
		return { text: shown, total: shown.length + text.length - taken.length };
	};
	switch (part.kind) {
		case "text":
			return { kind: "text", ...take(part.text) };
		case "media":
			return mediaBlock(part, room.media);
		case "link":
			return {
				kind: "link",
				uri: oneLine(part.uri, 2000),
				label: oneLine(part.name),
				isOpenable: isOpenable(part.uri),
			};
		case "resource": {
			const uri = oneLine(part.uri, 2000);
			const type = part.mimeType === undefined ? "unknown type" : oneLine(part.mimeType, 60);
			if (part.text === undefined)
				return { kind: "resource", uri, label: `${type}, binary`, isOpenable: isOpenable(part.uri) };
			const label = `${type}, ${readableSize(Buffer.byteLength(part.text))}`;
			return { kind: "resource", uri, label, ...take(part.text), isOpenable: isOpenable(part.uri) };
		}
		default:
			return assertNever(part);
	}
}

/**
 * Whether a user may read the resource of an address, always by the server that named it: nothing else ever opens the
 * addresses in a result (TOL-17). Web addresses are for a browser, and are only shown.
 */
export function isOpenable(uri: string): boolean {
	return /^[a-z][a-z0-9+.-]*:./i.test(uri) && !/^https?:/i.test(uri) && uri.length <= 4000 && !hasHiddenCharacters(uri);
}

function audienceOf(block: ContentBlock): string | undefined {
	if (!isFor(block, "user")) return "Meant for the model";
	return isFor(block, "assistant") ? undefined : "For you, not sent to the model";
}

function note(text: string): PlacedBlock {
	return { index: -1, block: { kind: "note", text } };
}

function shortened(_key: string, value: unknown): unknown {
	if (typeof value !== "string" || value.length <= longestRawText) return value;
	const rest = (value.length - longestRawText).toLocaleString("en-US");
	return `${sliceOf(value, 0, longestRawText)}… (${rest} more characters)`;
}

/** More than this is for the JSON view, or for another program. */
const mostRows = 500;
const mostColumns = 24;
const mostFacts = 100;
const longestCell = 300;

/**
 * Structured content as a table: a list of objects, an object that holds one such list among plain members, or an
 * object of plain members as names and values. Undefined for other content, which JSON shows better.
 */
export function resultTable(value: Json): ResultTable | undefined {
	if (isRows(value)) return { facts: [], totalFacts: 0, ...rowsOf(value) };
	if (!isJsonObject(value)) return undefined;
	const members = Object.entries(value).filter((member): member is [string, Json] => member[1] !== undefined);
	const lists = members.filter((member): member is [string, readonly JsonObject[]] => isRows(member[1]));
	const others = members.filter(([, member]) => !isRows(member));
	// Deeper structures would be cells full of JSON.
	if (lists.length > 1 || others.some(([, member]) => !isPlain(member)) || members.length === 0) return undefined;
	const facts = (most: number) =>
		others.slice(0, most).map(([name, member]) => [oneLine(name, 100), cellOf(member)] as const);
	const [list] = lists;
	if (list !== undefined) {
		const rows = rowsOf(list[1]);
		return { name: oneLine(list[0], 100), facts: facts(mostFacts), totalFacts: others.length, ...rows };
	}
	const columns = ["Name", "Value"];
	return { facts: [], totalFacts: 0, columns, totalColumns: 2, rows: facts(mostRows), total: others.length };
}

function rowsOf(items: readonly JsonObject[]): Pick<ResultTable, "columns" | "totalColumns" | "rows" | "total"> {
	const shown = items.slice(0, mostRows);
	const all = new Set(shown.flatMap((item) => Object.keys(item)));
	const keys = [...all].slice(0, mostColumns);
	return {
		columns: keys.map((key) => oneLine(key, 60)),
		totalColumns: all.size,
		rows: shown.map((item) => keys.map((key) => (Object.hasOwn(item, key) ? cellOf(item[key]) : ""))),
		total: items.length,
	};
}

function isRows(value: Json): value is readonly JsonObject[] {
	return Array.isArray(value) && value.length > 0 && value.every(isJsonObject);
}

function isPlain(value: Json): boolean {
	return (
		typeof value !== "object" ||
		value === null ||
		(Array.isArray(value) && value.every((item) => typeof item !== "object"))
	);
}

function cellOf(value: Json | undefined): string {
	return oneLine(typeof value === "string" ? value : (JSON.stringify(value) ?? ""), longestCell);
}
