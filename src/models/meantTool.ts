/** Namespaces that templates and training put before the names of tools. */
const namespaces = /^(?:(?:functions?|default_api|tools?|api|mcp|namespace|call)(?:\.|::?|\/)|mcp__|to=)+/i;
/**
 * The text that models put around a name: marks of their templates, quotation marks, the call itself, a number after a
 * colon.
 */
const mark = /<\|[^<>|]{0,40}\|?>?|<\/?(?:tool_call|function|tool)[^<>]{0,40}>/;
const around = /^[\s"'`*([{]+|(?<![\s"'`*)\]}.,:;])[\s"'`*)\]}.,:;]+$|\(\s*\)$|:\d{1,4}$/g;

/** Longer than any name with all of its decoration. */
const longest = 500;

/**
 * Those of the offered tools that a model may mean by the name that it wrote: the one of exactly that name, otherwise those whose names
 * are left when decoration is taken away, or differ only in case and in the marks between words. A call is made only where
 * that is exactly one (TOL-18).
 */
export function meantTools(written: string, names: ReadonlySet<string>): readonly string[] {
	if (names.has(written)) return [written];
	if (written.length > longest) return [];
	const plain = [...written.split(mark), written.replaceAll(new RegExp(mark, "g"), "")]
		.map(undecorated)
		.filter((name) => name !== "");
	const exact = plain.filter((name) => names.has(name));
	const folded = new Set([written, ...(exact.length > 0 ? [] : plain)].map(fold));
	const alike = [...names].filter((name) => folded.has(fold(name)));
	return [...new Set([...exact, ...alike])];
}

function undecorated(text: string): string {
	let name = text;
	for (let before = ""; before !== name;) {
		before = name;
		name = name.replaceAll(around, "").replace(namespaces, "");
	}
	return name;
}

function fold(name: string): string {
	return name
		.trim()
		.toLowerCase()
		.replace(/[\s._:/-]+/g, "_");
}
