import type { JsonObject } from "../../base/json.ts";
import { hasHiddenCharacters } from "../../base/text.ts";

/** The maximum length of a readable name. */
const longest = 100;
const runner =
	/^(?:npx|bunx|bun|pnpx|pnpm|yarn|npm|uvx|pipx|node|python[\d.]*|py|deno|uv|docker|podman|java|dotnet|go|cmd|mcp-remote)$/i;
/** Words of runners before the actual program. */
const verb = /^(?:run|dlx|exec|x|tool|-m)$/;
/** Options of runners that take the next word. */
const withValue: Readonly<Record<string, RegExp>> = {
	docker:
		/^(?:-e|--env|--env-file|-v|--volume|--mount|--name|-p|--publish|--network|--net|-w|--workdir|-u|--user|--platform|--entrypoint|--label|-l|--add-host|--memory|-m|--cpus|--pull|--log-driver)$/,
	uv: /^(?:--directory|--project|--with|--python|-p|--from|--env-file|--index-url|--extra-index-url)$/,
	npx: /^(?:--registry|--cache|--userconfig)$/,
	node: /^(?:--env-file|--require|-r|--import|--loader)$/,
	dotnet: /^(?:--framework|-f|--configuration|-c)$/,
};
/** Whether a name of a file or package says which server it is. */
export const telling =
	/^(?!(?:index|main|server|mcp|mcp[-_]server|dist|build|src|bin|out|lib|cli|app|start|run|__main__)$)./i;

/** The problem of a server's name, in a sentence; undefined for a valid one. */
export function nameProblem(name: string, taken: ReadonlySet<string>): string | undefined {
	if (name.trim() === "") return "Enter a name.";
	if (name !== name.trim()) return "The name begins or ends with a space.";
	if (name.length > longest) return `The name has more than ${longest} characters.`;
	if (/[\p{Cc}\u2028\u2029]/u.test(name) || hasHiddenCharacters(name)) return "The name contains hidden characters.";
	if (name === "__proto__") return "Enter another name.";
	return taken.has(name) ? "Another server has this name." : undefined;
}

/** A name for an entry, from its package, image, program or host, such as `server-memory`, and not yet in use. */
export function suggestName(entry: JsonObject, taken: ReadonlySet<string>): string {
	return freeName(
		subjectOf(entry)
			.replace(/[^\w.-]+/g, "-")
			.replace(/^[-.]+|[-.]+$/g, "") || "server",
		taken,
	);
}

/** The name, with a number behind it if it is taken. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
	let free = name;
	for (let number = 2; taken.has(free); number++) free = `${name}-${number}`;
	return free;
}

function subjectOf(entry: JsonObject): string {
	const { url, command, args } = entry as { url?: unknown; command?: unknown; args?: unknown };
	if (typeof url === "string") return hostName(url);
	const words = [command, ...(Array.isArray(args) ? args : [])].filter(
		(word): word is string => typeof word === "string",
	);
	const folder = words.find((_word, index) => /^--(?:directory|project)$/.test(words[index - 1] ?? ""));
	return packageName(ranBy(words)) ?? packageName([folder ?? ""]) ?? "server";
}

/** The words that a runner such as `npx` runs: from its package, image or file on. */
function ranBy(words: readonly string[]): readonly string[] {
	const program = (words[0]?.split(/[\\/]/).at(-1) ?? "").replace(/\.(?:exe|cmd|bat)$/i, "");
	if (!runner.test(program)) return words;
	const rest = words.slice(1);
	const kind = program.startsWith("uv") ? "uv" : program === "podman" ? "docker" : program.toLowerCase();
	const takesValue = Object.hasOwn(withValue, kind) ? withValue[kind] : undefined;
	for (let index = 0; index < rest.length; index++) {
		const word = rest[index] ?? "";
		if (takesValue?.test(word) === true && !(word === "-m" && kind !== "docker")) index++;
		else if (/^(?:--package|--project)$/.test(word)) return rest.slice(index + 1);
		else if (/^(?:--package|--project)=/.test(word)) return [word.slice(word.indexOf("=") + 1)];
		else if (word === "/c" || word === "/C" || (program === "mcp-remote" && /^https?:/i.test(word)))
			return word.startsWith("/") ? ranBy(rest.slice(index + 1)) : [word];
		else if (/^mcp-remote(?:@|$)/.test(word)) return ranBy(["mcp-remote", ...rest.slice(index + 1)]);
		else if (!word.startsWith("-") && !verb.test(word)) return rest.slice(index);
	}
	return [words[0] ?? "server"];
}

/** The significant part of a package, an image, a path or a URL; undefined if there is none. */
function packageName([word = ""]: readonly string[]): string | undefined {
	if (/^(?:https?|git\+https?):\/\//i.test(word)) return hostName(word.replace(/^git\+/, ""));
	const parts = word
		.replace(/^(?:npm|jsr):/, "")
		.replace(/@sha256:.*$/s, "")
		.split(/[\\/]/)
		.map((part) => part.replace(/(?!^)[@:].*$/s, "").replace(/^@/, ""))
		.filter((part) => part !== "" && !part.includes("${"));
	const last = (parts.at(-1) ?? "").replace(/\.[a-z]{1,4}$/i, "");
	return telling.test(last) ? last : parts.findLast((part, index) => index < parts.length - 1 && telling.test(part));
}

/** `linear` of `https://mcp.linear.app/mcp`. */
function hostName(url: string): string {
	const host = URL.canParse(url) ? new URL(url).hostname : "";
	if (/^[\d.]+$|^\[/.test(host) || !host.includes(".")) return host || "server";
	const labels = host.split(".").slice(0, -1);
	return labels.findLast((label) => !/^(?:com|co|org|net|www|mcp|api)$/.test(label)) ?? host;
}
