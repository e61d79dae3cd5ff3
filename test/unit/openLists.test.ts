import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const folder = "src";

/** The calls in a source that open a list or an input box, each up to the end of its arguments. */
function openedIn(source: string): readonly { readonly call: string; readonly before: string }[] {
	return [...source.matchAll(/window\.(?:showQuickPick|showInputBox)\b/g)].map(({ index }) => {
		let depth = 0;
		let end = source.indexOf("(", index);
		do {
			const sign = source[end++] ?? ")";
			if ("([{".includes(sign)) depth++;
			else if (")]}".includes(sign)) depth--;
		} while (depth > 0);
		return { call: source.slice(index, end), before: source.slice(Math.max(0, index - 1000), index) };
	});
}

test("no list or input box closes because something else takes the focus (FST-22)", () => {
	const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
	const closing = files.flatMap((file) => {
		const source = readFileSync(path.join(folder, file), "utf8");
		const lists = openedIn(source).filter(({ call, before }) => {
			const options = /\boptions\b/.test(call) ? /\boptions = \{[^}]*/.exec(before)?.[0] : undefined;
			return !`${call}${options ?? ""}`.includes("ignoreFocusOut: true");
		});
		const made = source.match(/window\.create(?:QuickPick|InputBox)\b/g)?.length ?? 0;
		const isKept = (source.match(/\.ignoreFocusOut = true/g)?.length ?? 0) >= made;
		return lists.map(({ call }) => `${file}: ${call.slice(0, 80)}`).concat(isKept ? [] : [file]);
	});
	expect(closing).toEqual([]);
});
