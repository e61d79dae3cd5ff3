import type { JsonPath } from "../../base/configText.ts";
import { oneLine } from "../../base/text.ts";
import { programName } from "../../protocol/stdio/launchers.ts";

/** A part of an entry's text that shells and other hosts replace, but that is sent as written here. */
export interface LeftText {
	readonly found: string;
	/** The suggested replacement. */
	readonly write: string;
	/** The keys that lead to the text. */
	readonly path: JsonPath;
}

/** The texts of an entry that may hold such parts; nothing else of it is checked. */
interface EntryWords {
	readonly command?: unknown;
	readonly args?: unknown;
	readonly env?: unknown;
	readonly headers?: unknown;
}

const inArguments = /(?<=^|[=,:])~(?=[\\/]|$)|\$[A-Z_][A-Z\d_]+\b|(?<=^)\$[A-Za-z_]\w*$|%[A-Z_][A-Z\d_()]{2,60}%/g;
/** In places of secrets, a sign within the text may be a part of one. */
const inValues = /^~(?=[\\/]|$)|(?<=^(?:(?:Bearer|Basic|Token) )?)\$[A-Za-z_]\w*$|^%[A-Z_][A-Z\d_()]{2,60}%$/g;
/** They replace variables themselves. */
const shells = /^(?:(?:ba|z|da|fi|c|k|tc)?sh|cmd|powershell|pwsh)$/i;
/** The maximum number of parts that are reported for one entry. */
const most = 5;

/** The parts of an entry that stay as written although a shell would replace them, such as `~` in an argument. */
export function leftAsWritten({ command, args, env, headers }: EntryWords): readonly LeftText[] {
	const isShell = typeof command === "string" && shells.test(programName(command));
	const texts = [...(isShell ? [] : placed(args, ["args"])), ...placed(env, ["env"]), ...placed(headers, ["headers"])];
	return texts.flatMap(({ text, path }) => (text.includes("://") ? [] : partsOf(text, path))).slice(0, most);
}

/** A sentence about such a part: its meaning, its place, and what to write. */
export function leftWords({ found, write, path: [key, at] }: LeftText): string {
	const place =
		key === "args"
			? `argument ${Number(at) + 1}`
			: `${key === "env" ? "the variable" : "the header"} ${oneLine(String(at), 60)}`;
	return `“${oneLine(found, 60)}” in ${place} is sent unchanged; write ${write} instead.`;
}

function placed(value: unknown, path: JsonPath): readonly { readonly text: string; readonly path: JsonPath }[] {
	if (typeof value !== "object" || value === null) return [];
	const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
	return [...entries].flatMap(([key, text]: [string | number, unknown]) =>
		typeof text === "string" ? [{ text, path: [...path, key] }] : [],
	);
}

function partsOf(text: string, path: JsonPath): readonly LeftText[] {
	return [...new Set(text.match(path[0] === "args" ? inArguments : inValues))].map((found) => {
		const name = found.replace(/[$%]/g, "");
		const isHome = found === "~" || found === "$HOME" || found === "%USERPROFILE%";
		return { found, write: isHome ? "${userHome}" : `\${env:${name}}`, path };
	});
}
