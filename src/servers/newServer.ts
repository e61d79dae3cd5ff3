import type { JsonObject } from "../base/json.ts";

/**
 * Splits a command line into words as a shell would quote them: blanks part words, single and double quotes join them,
 * a backslash outside single quotes takes the next character as it is. Nothing is expanded and nothing is run.
 */
export function splitCommandLine(line: string): readonly string[] {
	const words: string[] = [];
	let word = "";
	let hasWord = false;
	let quote: string | undefined;
	for (let index = 0; index < line.length; index++) {
		const character = line.charAt(index);
		const next = line.charAt(index + 1);
		// A backslash before other characters stays, so that Windows paths survive.
		if (character === "\\" && quote !== "'" && (next === '"' || next === "\\" || next === " ")) {
			word += next;
			hasWord = true;
			index++;
		} else if (quote !== undefined) {
			if (character === quote) quote = undefined;
			else word += character;
		} else if (character === '"' || character === "'") {
			quote = character;
			hasWord = true;
		} else if (/\s/.test(character)) {
			if (hasWord) words.push(word);
			word = "";
			hasWord = false;
		} else {
			word += character;
			hasWord = true;
		}
	}
	if (hasWord) words.push(word);
	return words;
}

/** The entry for what a person typed: a URL becomes a remote server, anything else a local command. Undefined for nothing. */
export function entryFor(input: string): JsonObject | undefined {
	const text = input.trim();
	if (/^https?:\/\//i.test(text)) return { type: "http", url: text };
	const [command, ...args] = splitCommandLine(text);
	return command === undefined ? undefined : { type: "stdio", command, args };
}

/** A name for a new entry, taken from its package, program or host, such as `server-memory`, and not yet in use. */
export function suggestName(entry: JsonObject, taken: ReadonlySet<string>): string {
	const base =
		nameOf(entry)
			.replace(/[^\w.-]+/g, "-")
			.replace(/^-+|-+$/g, "") || "server";
	let name = base;
	for (let number = 2; taken.has(name); number++) name = `${base}-${number}`;
	return name;
}

function nameOf(entry: JsonObject): string {
	const { url, command, args } = entry as { url?: unknown; command?: unknown; args?: unknown };
	if (typeof url === "string") return URL.canParse(url) ? new URL(url).hostname : "server";
	const words = [command, ...(Array.isArray(args) ? args : [])].filter(
		(word): word is string => typeof word === "string",
	);
	// `npx -y @scope/server-memory@1.0 dir`: the first word behind the runner that is no option names the server.
	const isRunner = /^(npx|bunx|uvx|pnpm|node|python3?|deno|uv|docker)(\.\w+)?$/i.test(
		words[0]?.split(/[\\/]/).at(-1) ?? "",
	);
	const subject = isRunner ? words.slice(1).find((word) => !/^(-|run$|dlx$|exec$)/.test(word)) : words[0];
	return (
		(subject ?? "server")
			.split(/[\\/]/)
			.at(-1)
			?.replace(/(?!^)@.*$/, "")
			.replace(/\.\w+$/, "") ?? "server"
	);
}
