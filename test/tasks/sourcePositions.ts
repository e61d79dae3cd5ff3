import { existsSync, readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import path from "node:path";

/** A place in a file of the package, as stacks name it: `…/dist/extension.js:12:345`. */
const place = /(?:file:\/\/)?[^\s()]*?\b(dist\/[\w./-]+\.js):(\d+):(\d+)/g;

/** A text with the places in files of the package replaced by those in the sources, as far as `maps` has a source map for them. */
export function withSourcePositions(text: string, maps: string): string {
	const read = new Map<string, SourceMap | undefined>();
	const mapOf = (file: string): SourceMap | undefined => {
		const kept = path.join(maps, `${file}.map`);
		if (!read.has(file) && existsSync(kept))
			read.set(file, new SourceMap(JSON.parse(readFileSync(kept, "utf8")) as SourceMapPayload));
		return read.get(file);
	};
	return text.replaceAll(place, (whole, file: string, line: string, column: string) => {
		const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
		if (entry === undefined || !("originalSource" in entry)) return whole;
		const source = path.posix.join(path.posix.dirname(file), entry.originalSource);
		return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
	});
}
