import { oneLine } from "../../base/text.ts";

/** The words for a version that is not known. */
const otherNode = "another version";

/** The words about a server that needs another version of Node; an empty text if the version is not known. */
export function oldNode(version: string): string {
	const wanted = version === "" ? "a newer version" : `version ${oneLine(version, 40)}`;
	return `The server needs ${wanted} of Node.js, but was run with ${otherNode}. Install that version, or set its path in "command".`;
}

/** The version of Node that ran, as Node writes it below an error, npm in a warning, and many servers themselves. */
const ranNode =
	/^Node\.js v(\d+\.\d+\.\d+)$|current: \{ node: 'v?(\d+\.\d+\.\d+)'|(?:current|found|using|running|detected|have|got)[^\d\n]{0,30}\bv(\d+\.\d+\.\d+)/i;

/** The words about an old Node, with the version that ran if one of the lines gives it. */
export function withNode(words: string, lines: readonly string[]): string {
	const found = lines.flatMap(
		(line) =>
			ranNode
				.exec(line)
				?.slice(1)
				.find((group) => group !== undefined) ?? [],
	);
	const [version] = found;
	return version === undefined ? words : words.replace(`run with ${otherNode}`, `run with version ${version}`);
}
