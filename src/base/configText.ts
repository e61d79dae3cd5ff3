import { parseTree, printParseErrorCode, type Node, type ParseError, findNodeAtLocation } from "jsonc-parser";

/** A path of keys and indices from the root of a JSON text. */
export type JsonPath = readonly (string | number)[];

/** A place in a text, in UTF-16 units. A byte order mark at the beginning is not counted, as in an editor's document. */
export interface TextRange {
	readonly offset: number;
	readonly length: number;
}

/** A JSON text with comments, read as far as it can be. */
export interface ConfigText {
	/** The value; undefined when the text holds none. Objects have no prototype, so that every key is data. */
	readonly value: unknown;
	/** The place where the text is not valid JSON. */
	readonly faults: readonly (TextRange & { readonly message: string })[];
	/** The keys that an object gives more than once; the last one counts. */
	readonly repeated: readonly JsonPath[];
	/** Whether the value at a path could only be read in part: a fault lies in it, or its end is missing. */
	isHalfRead(path: JsonPath): boolean;
	/** Where a value is, or otherwise the longest part of the path that exists. For an object, only its key. */
	rangeOf(path: JsonPath): TextRange | undefined;
	/** Where the key of a member is. */
	keyRangeOf(path: JsonPath): TextRange | undefined;
}

/** The text to write instead of a single backslash; for the end of a sentence. */
export const writeBackslash = "write each backslash of a path as \\\\, or write / instead";

/** The maximum number of syntax errors that are reported for one text. */
const maxFaults = 20;

/** Reads JSON with comments and trailing commas. Never throws. */
export function readConfigText(text: string): ConfigText {
	const source = text.replace(/^\uFEFF/, "");
	const errors: ParseError[] = [];
	try {
		const tree = parseTree(source, errors, { allowTrailingComma: true });
		const repeated: JsonPath[] = [];
		return {
			value: tree === undefined ? undefined : valueOf(tree, [], repeated),
			faults: errors
				.slice(0, maxFaults)
				.map(({ error, offset, length }) => ({ offset, length, message: wordsOf(error) })),
			repeated,
			isHalfRead: (path) => {
				const node = tree === undefined ? undefined : nodeAt(tree, path);
				if (node === undefined) return false;
				const { offset, length } = node;
				return length < 0 || errors.some((error) => error.offset >= offset && error.offset < offset + length);
			},
			rangeOf: (path) => (tree === undefined ? undefined : rangeOf(tree, path)),
			keyRangeOf: (path) => (tree === undefined ? undefined : keyRangeOf(tree, path)),
		};
	} catch {
		// The parser recurses; a text of nothing but brackets exhausts the stack.
		const fault = { offset: 0, length: 1, message: "it is nested too deeply" };
		return {
			value: undefined,
			faults: [fault],
			repeated: [],
			isHalfRead: () => false,
			rangeOf: () => undefined,
			keyRangeOf: () => undefined,
		};
	}
}

/** The parser's `PropertyNameExpected` as `property name expected`. */
function wordsOf(error: ParseError["error"]): string {
	const words = printParseErrorCode(error)
		.replace(/(?<=[a-z])(?=[A-Z])/g, " ")
		.toLowerCase();
	// Almost always a path of Windows as users type it.
	const isBackslash = words === "invalid escape character" || words === "invalid unicode";
	return isBackslash ? `${words}; ${writeBackslash}` : words;
}

function valueOf(node: Node, path: JsonPath, repeated: JsonPath[]): unknown {
	if (node.type === "array")
		return (node.children ?? []).map((child, index) => valueOf(child, [...path, index], repeated));
	if (node.type !== "object") return node.value;
	const result: Record<string, unknown> = Object.create(null);
	for (const property of node.children ?? []) {
		const [key, value] = property.children ?? [];
		if (key === undefined || value === undefined) continue;
		const name = String(key.value);
		if (name in result) repeated.push([...path, name]);
		result[name] = valueOf(value, [...path, name], repeated);
	}
	return result;
}

function rangeOf(root: Node, path: JsonPath): TextRange {
	let node = root;
	for (const segment of path) {
		const next = childOf(node, segment);
		if (next === undefined) break;
		node = next;
	}
	const key = node.parent?.type === "property" ? node.parent.children?.[0] : undefined;
	// An object may be as long as the file; its first character or its key says enough.
	if (node.type === "object") return key ?? { offset: node.offset, length: 1 };
	return { offset: node.offset, length: node.length };
}

function keyRangeOf(root: Node, path: JsonPath): TextRange | undefined {
	const node = nodeAt(root, path);
	const key = node?.parent?.type === "property" ? node.parent.children?.[0] : undefined;
	return key === undefined ? undefined : { offset: key.offset, length: key.length };
}

function nodeAt(root: Node, path: JsonPath): Node | undefined {
	let node: Node | undefined = root;
	for (const segment of path) node = node === undefined ? undefined : childOf(node, segment);
	return node;
}

function childOf(node: Node, segment: string | number): Node | undefined {
	if (node.type === "array") return typeof segment === "number" ? node.children?.[segment] : undefined;
	const property = node.children?.findLast((candidate) => candidate.children?.[0]?.value === segment);
	return property?.children?.[1];
}

/**
 * Where a value is in a JSON text with comments: the position of the longest part of the path that exists. Offset and
 * length in UTF-16 units; undefined when the text holds no value.
 */
export function locate(
	text: string,
	path: readonly (string | number)[],
): { readonly offset: number; readonly length: number } | undefined {
	const tree = parseTree(text, [], { allowTrailingComma: true });
	if (tree === undefined) return undefined;
	for (let length = path.length; length > 0; length--) {
		const node = findNodeAtLocation(tree, path.slice(0, length));
		if (node !== undefined) return { offset: node.offset, length: node.length };
	}
	return { offset: tree.offset, length: 1 };
}
