import { createScanner, parseTree, type Node, type ParseError } from "jsonc-parser";
import { HostError } from "../../base/errors.ts";
import type { JsonPath } from "../../base/configText.ts";
import { canonicalJson, isJsonObject } from "../../base/json.ts";
import type { TextChange } from "../../base/textChange.ts";

/** Largest text that is edited, in characters: no larger one is read as a configuration (CFG-18). */
const maxLength = 1_000_000;
/** Up to how many characters a list of plain values is on one line. */
const lineLength = 100;

/** The input of an edit: the text without its byte order mark, its value, and its layout. */
interface Layout {
	readonly text: string;
	readonly root: Node;
	readonly eol: string;
	/** The indentation of a level. */
	readonly unit: string;
}

/**
 * A JSON text with comments, with a value set at a path; missing objects on the way to it are made. The rest is
 * unchanged: comments, order, indentation, line ends, a byte order mark.
 * @throws HostError `invalid` when the text is not valid JSON, because an edit might lose something.
 */
export function withValue(text: string, path: JsonPath, value: unknown): string {
	return edited(text, (layout) => {
		const { node, missing } = walk(layout.root, path);
		const [next, ...rest] = missing;
		const inner = rest.reduceRight((nested: unknown, key) => ({ [key]: nested }), value);
		if (next === undefined) return [replacement(layout, node, value)];
		if (node.type === "array") return insertion(layout, node, written(layout, inner, node, ""));
		// A value in place of an expected object has nothing that could be kept.
		if (node.type !== "object") return [replacement(layout, node, { [next]: inner })];
		return insertion(layout, node, written(layout, inner, node, `${JSON.stringify(String(next))}: `));
	});
}

/**
 * The text without the member or item at a path, and without a comment that ends its line; the text itself if there is
 * none. It reverts exactly the additions of `withValue` to an object with members.
 * @throws HostError `invalid` when the text is not valid JSON.
 */
export function withoutValue(text: string, path: JsonPath): string {
	return edited(text, (layout) => {
		const { node, missing } = walk(layout.root, path);
		const member = node.parent?.type === "property" ? node.parent : node;
		const container = member.parent;
		return missing.length > 0 || container === undefined ? [] : removal(layout, container, member);
	});
}

/** The text with the differences at a path changed to `value`: equal parts stay as written. */
export function withMerged(text: string, path: JsonPath, value: unknown): string {
	const present = valueAt(text, path);
	if (canonicalJson(present) === canonicalJson(value)) return text;
	if (!isJsonObject(present) || !isJsonObject(value)) return withValue(text, path, value);
	const wanted = new Map(membersOf(value));
	let result = text;
	for (const key of Object.keys(present)) if (!wanted.has(key)) result = withoutValue(result, [...path, key]);
	for (const [key, member] of wanted) result = withMerged(result, [...path, key], member);
	return result;
}

/** The text with an object's member renamed, at its place; the text itself if there is none. */
export function withKey(text: string, path: JsonPath, key: string): string {
	return edited(text, ({ root }) => {
		const { node, missing } = walk(root, path);
		const name = node.parent?.type === "property" ? node.parent.children?.[0] : undefined;
		if (missing.length > 0 || name === undefined) return [];
		return [{ offset: name.offset, length: name.length, content: JSON.stringify(key) }];
	});
}

/** The value at a path of a text; undefined if there is none, or if the text is not valid JSON. */
export function valueAt(text: string, path: JsonPath): unknown {
	const root = parseTree(text.replace(/^\uFEFF/, ""), [], { allowTrailingComma: true });
	if (root === undefined) return undefined;
	const { node, missing } = walk(root, path);
	return missing.length > 0 ? undefined : valueOf(node);
}

/** How a value is written at a path, with its comments; its lines after the first begin with a tab for each level below it. */
export function sourceAt(text: string, path: JsonPath): string | undefined {
	const plain = text.replace(/^\uFEFF/, "");
	const root = parseTree(plain, [], { allowTrailingComma: true });
	const { node, missing } = root === undefined ? { missing: path } : walk(root, path);
	if (root === undefined || node === undefined || missing.length > 0) return undefined;
	const indent = indentAt(plain, node.offset);
	const unit = unitOf(plain, root);
	const [first = "", ...rest] = plain.slice(node.offset, node.offset + node.length).split(/\r?\n/);
	const lines = rest.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()));
	return [first, ...lines.map((line) => line.replace(/^[ \t]+/, (blanks) => blanks.replaceAll(unit, "\t")))].join("\n");
}

/** The text with the value at a path written as `source`, a value with comments from `sourceAt`. */
export function withSource(text: string, path: JsonPath, source: string): string {
	return edited(text, ({ root, text: plain, eol, unit }) => {
		const { node, missing } = walk(root, path);
		if (missing.length > 0) return [];
		const inner = source.replace(/(?<=\n)\t+/g, (tabs) => unit.repeat(tabs.length));
		const content = inner.replaceAll("\n", eol + indentAt(plain, node.offset));
		return [{ offset: node.offset, length: node.length, content }];
	});
}

/**
 * Throws the errors of the edits if a text cannot be edited.
 * @throws HostError `invalid` when the text is not valid JSON.
 */
export function requireJson(text: string): void {
	edited(text, () => []);
}

function edited(original: string, edit: (layout: Layout) => readonly TextChange[]): string {
	const mark = original.startsWith("\uFEFF") ? "\uFEFF" : "";
	const text = original.trim() === "" ? "{}\n" : original.slice(mark.length);
	const errors: ParseError[] = [];
	const root = text.length > maxLength ? undefined : parsed(text, errors);
	if (root === undefined || errors.length > 0) throw new HostError("invalid", "It is not valid JSON.");
	const layout: Layout = { text, root, eol: text.includes("\r\n") ? "\r\n" : "\n", unit: unitOf(text, root) };
	let result = text;
	for (const { offset, length, content } of edit(layout).toSorted((a, b) => b.offset - a.offset))
		result = result.slice(0, offset) + content + result.slice(offset + length);
	return mark + result;
}

/** The tree of a text; the parser recurses, and a text of nothing but brackets exhausts the stack. */
function parsed(text: string, errors: ParseError[]): Node | undefined {
	try {
		return parseTree(text, errors, { allowTrailingComma: true });
	} catch {
		return undefined;
	}
}

/** The node of the longest part of a path that exists, and the rest of the path. */
function walk(root: Node, path: JsonPath): { readonly node: Node; readonly missing: JsonPath } {
	let node = root;
	for (const [index, segment] of path.entries()) {
		// For a repeated key the last one counts.
		const next =
			node.type === "array"
				? node.children?.[Number(segment)]
				: node.children?.findLast(({ children }) => children?.[0]?.value === segment)?.children?.[1];
		if (next === undefined) return { node, missing: path.slice(index) };
		node = next;
	}
	return { node, missing: [] };
}

function valueOf(node: Node): unknown {
	if (node.type === "array") return (node.children ?? []).map(valueOf);
	if (node.type !== "object") return node.value;
	return Object.fromEntries(
		(node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
			key === undefined || value === undefined ? [] : [[String(key.value), valueOf(value)]],
		),
	);
}

/** The indentation of the members of the outermost object that has any on lines of their own. */
function unitOf(text: string, node: Node): string {
	const [first] = node.children ?? [];
	if (first === undefined || !isBroken(text, node)) return "\t";
	const own = indentAt(text, first.offset);
	const outer = indentAt(text, node.offset);
	return own.startsWith(outer) && own.length > outer.length ? own.slice(outer.length) : "\t";
}

/** Whether the members of an object are on lines of their own. */
function isBroken(text: string, { offset, children: [first] = [] }: Node): boolean {
	return first === undefined || text.slice(offset, first.offset).includes("\n");
}

/** The blanks with which a line begins. */
function indentAt(text: string, offset: number): string {
	const start = text.lastIndexOf("\n", offset - 1) + 1;
	return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

function replacement(layout: Layout, node: Node, value: unknown): TextChange {
	const indent = indentAt(layout.text, node.offset);
	return { offset: node.offset, length: node.length, content: print(value, layout, indent) };
}

/** A new member of a container in its written form. */
function written(layout: Layout, value: unknown, container: Node, before: string): string {
	return (
		before + (isBroken(layout.text, container) ? print(value, layout, memberIndent(layout, container)) : flat(value))
	);
}

function memberIndent({ text, unit }: Layout, container: Node): string {
	const last = container.children?.at(-1);
	return last === undefined ? indentAt(text, container.offset) + unit : indentAt(text, last.offset);
}

function insertion(layout: Layout, container: Node, content: string): readonly TextChange[] {
	const { text, eol } = layout;
	const last = container.children?.at(-1);
	const indent = memberIndent(layout, container);
	if (last === undefined) {
		const start = container.offset + 1;
		const inner = text.slice(start, container.offset + container.length - 1);
		const kept = inner.trimEnd();
		const close = eol + indentAt(text, container.offset);
		return [
			{ offset: start + kept.length, length: inner.length - kept.length, content: eol + indent + content + close },
		];
	}
	const end = last.offset + last.length;
	const { comma, lineEnd } = after(text, end);
	if (!isBroken(text, container)) {
		return comma === undefined
			? [{ offset: end, length: 0, content: `, ${content}` }]
			: [{ offset: comma + 1, length: 0, content: ` ${content},` }];
	}
	const line = { offset: lineEnd, length: 0, content: eol + indent + content };
	return comma === undefined
		? [{ offset: end, length: 0, content: "," }, line].reduce<TextChange[]>(joined, [])
		: [{ ...line, content: `${line.content},` }];
}

/** Edits at one place, in their order, as one. */
function joined(edits: readonly TextChange[], edit: TextChange): TextChange[] {
	const last = edits.at(-1);
	if (last?.offset !== edit.offset) return [...edits, edit];
	return [...edits.slice(0, -1), { ...last, content: last.content + edit.content }];
}

function removal({ text }: Layout, container: Node, member: Node): readonly TextChange[] {
	const siblings = container.children ?? [];
	const index = siblings.indexOf(member);
	const previous = siblings[index - 1];
	const isLast = index === siblings.length - 1;
	const start = member.offset;
	const end = start + member.length;
	const { comma, lineEnd } = after(text, end);
	if (siblings.length === 1) {
		const from = container.offset + 1;
		const to = container.offset + container.length - 1;
		const rest = text.slice(from, start) + text.slice(comma === undefined ? end : comma + 1, to);
		if (rest.trim() === "") return [{ offset: from, length: to - from, content: "" }];
	}
	const edits: TextChange[] = [];
	// The comma before it parts it from nothing any more.
	const former = previous === undefined ? undefined : after(text, previous.offset + previous.length).comma;
	const dropsFormer = isLast && comma === undefined && former !== undefined;
	const indent = indentAt(text, start);
	const beginsLine = text.slice(0, start - indent.length).endsWith("\n");
	const endsLine = /^\r?\n/.test(text.slice(lineEnd));
	if (beginsLine && (endsLine || isLast)) {
		const lineStart = start - indent.length;
		const from = text[lineStart - 2] === "\r" ? lineStart - 2 : lineStart - 1;
		const to = endsLine ? lineEnd : comma === undefined ? end : comma + 1;
		edits.push({ offset: from, length: to - from, content: "" });
		if (dropsFormer) edits.push({ offset: former, length: 1, content: "" });
		return edits;
	}
	const to = comma === undefined ? end : comma + 1;
	if (dropsFormer && text.slice(former + 1, start).trim() === "")
		return [{ offset: former, length: to - former, content: "" }];
	if (dropsFormer) edits.push({ offset: former, length: 1, content: "" });
	if (isLast && comma !== undefined && former !== undefined) {
		let from = start;
		while (text[from - 1] === " " || text[from - 1] === "\t") from--;
		return [{ offset: from, length: to - from, content: "" }];
	}
	const blanks = isLast ? 0 : (/^[ \t]*/.exec(text.slice(to))?.[0].length ?? 0);
	edits.push({ offset: start, length: to + blanks - start, content: "" });
	return edits;
}

/** The end of a member: where its comma is, if it has one, and where its line ends, including a comment there. */
function after(text: string, end: number): { readonly comma: number | undefined; readonly lineEnd: number } {
	const scanner = createScanner(text, false);
	scanner.setPosition(end);
	let comma: number | undefined;
	let lineEnd = end;
	let isSameLine = true;
	for (;;) {
		const kind: number = scanner.scan();
		const offset = scanner.getTokenOffset();
		const length = scanner.getTokenLength();
		if (kind === SyntaxKind.comma && comma === undefined) comma = offset;
		else if (kind === SyntaxKind.lineBreak) isSameLine = false;
		else if (kind === SyntaxKind.blockComment && text.slice(offset, offset + length).includes("\n")) isSameLine = false;
		else if (kind !== SyntaxKind.trivia && kind !== SyntaxKind.lineComment && kind !== SyntaxKind.blockComment) break;
		if (isSameLine && kind !== SyntaxKind.trivia) lineEnd = offset + length;
		if (isSameLine) continue;
		// After the line only a comma is looked for.
		if (comma !== undefined) break;
	}
	// A comma on a later line belongs to the member, and so does all before it.
	if (comma !== undefined && comma >= lineEnd) lineEnd = comma + 1;
	return { comma, lineEnd: lineEnd + (/^[ \t]*(?=\r?\n)/.exec(text.slice(lineEnd))?.[0].length ?? 0) };
}

/** The kinds of tokens that are distinguished here, as jsonc-parser numbers them: its enum is for compilers only. */
const SyntaxKind = { comma: 5, lineComment: 12, blockComment: 13, lineBreak: 14, trivia: 15 } as const;

/** A value over several lines, of which all but the first begin with `indent`. */
function print(value: unknown, layout: Layout, indent: string): string {
	const { eol, unit } = layout;
	const isList = Array.isArray(value);
	if (!isList && !isJsonObject(value)) return flat(value);
	const inner = indent + unit;
	const items = isList
		? value.map((item) => print(item, layout, inner))
		: membersOf(value).map(([key, member]) => `${JSON.stringify(key)}: ${print(member, layout, inner)}`);
	const [open, close] = isList ? "[]" : "{}";
	if (items.length === 0) return `${open ?? ""}${close ?? ""}`;
	const isPlain = isList && value.every((item) => typeof item !== "object" || item === null);
	if (isPlain && flat(value).length <= lineLength) return flat(value);
	return `${open ?? ""}${eol}${inner}${items.join(`,${eol}${inner}`)}${eol}${indent}${close ?? ""}`;
}

/** A value on one line. */
function flat(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(flat).join(", ")}]`;
	if (!isJsonObject(value)) return JSON.stringify(value ?? null);
	const members = membersOf(value).map(([key, member]) => `${JSON.stringify(key)}: ${flat(member)}`);
	return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function membersOf(value: object): readonly [string, unknown][] {
	return Object.entries(value).filter(([, member]) => member !== undefined);
}
