import { findNodeAtLocation, parseTree } from "jsonc-parser";

/**
 * Where a value stands in a JSON text with comments: that of the longest part of the path that exists.
 * Offset and length in UTF-16 units; undefined when the text holds no value.
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
