import { readConfigText, type JsonPath } from "../../base/configText.ts";
import type { ConfigProblem } from "../../servers/definitions/config.ts";
import { inputsSetting, serversSetting } from "../../servers/definitions/parseConfig.ts";
import { isSettings } from "../../setup/entries/editable.ts";
import type { EntryText } from "./facts.ts";
import type { FindingPlace } from "./finding.ts";

/** The place of an entry's member, or of the longest existing part of its path; the entry itself for an empty path. */
export function placeIn(entry: EntryText | undefined, path: JsonPath = []): FindingPlace | undefined {
	if (entry === undefined) return undefined;
	const whole = [...entry.path, ...path];
	const range = readConfigText(entry.text).rangeOf(whole);
	return { ...fileOf(entry), path: whole, ...(range === undefined ? {} : positionAt(entry.text, range.offset)) };
}

/** The place of an entry's problem. */
export function placeOfProblem(entry: EntryText, problem: ConfigProblem): FindingPlace {
	const path = wholePath(problem);
	const { range } = problem;
	if (range === undefined) return placeIn({ ...entry, path: [] }, path) ?? { ...fileOf(entry), path };
	return { ...fileOf(entry), path, ...positionAt(entry.text, range.offset) };
}

/** The keys to a problem from the root of its text: settings are read as values, whose paths begin below their key. */
export function wholePath({ origin, path }: ConfigProblem): JsonPath {
	return isSettings(origin.kind) && path[0] !== inputsSetting ? [serversSetting, ...path] : path;
}

function fileOf({ file }: EntryText): { readonly file?: string } {
	return file === undefined ? {} : { file };
}

/** The line of an offset, from 1 on. A byte order mark is not counted, as in an editor. */
function positionAt(text: string, offset: number): { readonly line: number } {
	return {
		line: text
			.replace(/^\uFEFF/, "")
			.slice(0, offset)
			.split("\n").length,
	};
}
