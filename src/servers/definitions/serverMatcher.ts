import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import { decidesWhatRuns } from "../../protocol/stdio/decidingVariables.ts";
import { programName } from "../../protocol/stdio/launchers.ts";
import { type LaunchedPackage, packageOf } from "./packageOf.ts";

/** How a policy names servers: by program or whole command line, by package, or by the host of a URL. */
export type ServerMatcher =
	| { readonly kind: "command"; readonly words: readonly string[]; readonly isWhole: boolean }
	| { readonly kind: "package"; readonly registry: Registry; readonly name: string }
	| { readonly kind: "host"; readonly host: string };

/** A server as a policy sees it: as it is configured, variables unresolved. */
export interface MatchedServer {
	readonly name: string;
	readonly entry: JsonObject;
}

/** The registries of packages, by the names that the MCP registry gives them. */
type Registry = "npm" | "pypi" | "nuget" | "oci";

const registryOf: Readonly<Record<LaunchedPackage["launcher"], Registry>> = {
	npx: "npm",
	uvx: "pypi",
	dnx: "nuget",
	docker: "oci",
};

/** The programs that bring along a package of a registry. */
const programs: Readonly<Record<Registry, RegExp>> = {
	npm: /^(?:npx|npm|bunx|bun|pnpx|pnpm|yarn|deno)$/i,
	pypi: /^(?:uvx|uv|pipx|pip[\d.]*|python[\d.]*|py)$/i,
	nuget: /^(?:dnx|dotnet)$/i,
	oci: /^(?:docker|podman|nerdctl|container)$/i,
};

/** Programs that run another program, which they name in their arguments. */
const wrappers =
	/^(?:(?:ba|z|da|fi|c|k|tc|a)?sh|cmd|powershell|pwsh|env|sudo|doas|nice|nohup|time|timeout|setsid|xargs|stdbuf|script)$/i;

/** Options before a package that change nothing about which package runs. */
const plainOptions: Readonly<Record<LaunchedPackage["launcher"], RegExp>> = {
	npx: /^(?:-y|--yes|-q|--quiet|--prefer-offline|--prefer-online)$/,
	uvx: /^(?:-q|--quiet|--offline|--refresh)$/,
	dnx: /^(?:-y|--yes)$/,
	docker:
		/^(?:run|-e|--env|--name|--pull|-i|-t|-it|--interactive|--tty|--init|--rm|--pull=\w+|(?:-e|--env)=?\w+(?:=.*)?|--name=[\w.-]+)$/s,
};
/** Those of docker with a value of their own. */
const plainValued = /^(?:-e|--env|--name|--pull)$/;

const packagePattern = /^(npm|pypi|nuget|oci):(.+)$/s;

/** Reads one matcher of a policy; a text says in a few words why it cannot be read. */
export function readMatcher(value: Json): ServerMatcher | string {
	if (!isJsonObject(value)) return `it must be an object with "command", "package" or "host"`;
	const [key, ...others] = Object.keys(value);
	if (key === undefined || others.length > 0) return `it must have exactly one of "command", "package" and "host"`;
	const given = value[key];
	switch (key) {
		case "command": {
			const words = Array.isArray(given) ? given.filter(isText) : isText(given) ? [given] : [];
			const isRead = Array.isArray(given) ? words.length === given.length && words[0] !== "" : true;
			if (words.length === 0 || !isRead) return `"command" must be a program, or a list of its words`;
			return { kind: "command", words, isWhole: Array.isArray(given) };
		}
		case "package": {
			const [, registry, name = ""] = packagePattern.exec(isText(given) ? given : "") ?? [];
			if (!isRegistry(registry)) return `"package" must be "npm:", "pypi:", "nuget:" or "oci:" and a name`;
			return { kind: "package", registry, name };
		}
		case "host": {
			const isHost =
				isText(given) && /^[\p{L}\p{N}.*:[\]_-]+$/u.test(given) && !/:\d+$/.test(given.replace(/^\[.*\]$/, ""));
			return isHost
				? { kind: "host", host: given.toLowerCase() }
				: `"host" must be the name of a host, such as "*.example.com"`;
		}
		default:
			return `"${oneLine(key, 60)}" is not one of "command", "package" and "host"`;
	}
}

/** A matcher in a few words: `package npm:@acme/*`. */
export function describeMatcher(matcher: ServerMatcher): string {
	switch (matcher.kind) {
		case "command":
			return `command ${matcher.isWhole ? JSON.stringify(matcher.words) : matcher.words.join(" ")}`;
		case "package":
			return `package ${matcher.registry}:${matcher.name}`;
		case "host":
			return `host ${matcher.host}`;
	}
}

function isText(value: Json | undefined): value is string {
	return typeof value === "string" && value !== "";
}

function isRegistry(value: string | undefined): value is Registry {
	return value !== undefined && Object.hasOwn(programs, value);
}

/**
 * Whether a matcher names a server. To be denied it is enough that it may: behind a wrapper, or where a variable decides.
 * To be allowed it must for certain; a text says why an entry that looks allowed is not, for the middle of a sentence.
 */
export function fitOf(matcher: ServerMatcher, { entry }: MatchedServer, purpose: "allow" | "deny"): boolean | string {
	const { command, args, url } = entry;
	if (matcher.kind === "host") return isText(url) && isHostOf(url, matcher.host, purpose);
	if (!isText(command)) return false;
	const line = [command, ...(Array.isArray(args) ? args.map(String) : [])];
	if (purpose === "deny") return isDenied(matcher, line);
	return isPlainly(matcher, line) && (changedBy(entry) ?? true);
}

/** The part of an entry by which its command runs something else, in words; undefined if there is none. No file can (CFG-28). */
function changedBy({ env }: JsonObject): string | undefined {
	const name = isJsonObject(env) ? Object.keys(env).find(decidesWhatRuns) : undefined;
	return name === undefined ? undefined : `sets ${oneLine(name, 60)}, which could change what runs`;
}

type CommandMatcher = Exclude<ServerMatcher, { readonly kind: "host" }>;

function isPlainly(matcher: CommandMatcher, [command = "", ...args]: readonly string[]): boolean {
	if (matcher.kind === "command") {
		const words = matcher.isWhole ? [command, ...args] : [command];
		return (
			words.length === matcher.words.length && matcher.words.every((one, index) => hasForm(one, words[index] ?? ""))
		);
	}
	const found = packageOf(command, args);
	// A path, or an option before the package, may bring along another one.
	if (found === undefined || registryOf[found.launcher] !== matcher.registry || /[\\/]/.test(command)) return false;
	const before = args.slice(0, found.index);
	const isPlain = before.every(
		(word, index) =>
			plainOptions[found.launcher].test(word) ||
			(found.launcher === "docker" && plainValued.test(before[index - 1] ?? "")),
	);
	const { name, version } = found;
	// A version such as `npm:other@1` is another package; so is an address or a path.
	const isPackage = isNameIn(matcher.registry, name) && /^[\w.^~+<>=*!|, @:-]*$/.test(version ?? "");
	const isAlias = matcher.registry !== "oci" && /[:@]/.test(version ?? "");
	return (
		isPlain && isPackage && !isAlias && args[found.index]?.startsWith(name) === true && hasForm(matcher.name, name)
	);
}

/** Whether a name can only be one of a package: no path, no address, no variable. */
function isNameIn(registry: Registry, name: string): boolean {
	return registry === "npm"
		? /^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*$/.test(name)
		: registry === "oci"
			? /^[\w][\w.:/-]*$/.test(name)
			: /^[\w][\w.-]*$/.test(name);
}

function isDenied(matcher: CommandMatcher, line: readonly string[]): boolean {
	const [command = ""] = line;
	const isOpen = command.includes("${");
	if (matcher.kind === "command" && matcher.isWhole)
		return line.length === matcher.words.length && matcher.words.every((one, index) => isMaybe(one, line[index] ?? ""));
	const words = wrappers.test(programName(command))
		? line.flatMap((word) => word.split(/[\s"';&|()=]+/)).filter((word) => word !== "")
		: line;
	if (matcher.kind === "command") {
		const named = wrappers.test(programName(command)) ? words : [command];
		const [pattern = ""] = matcher.words;
		return isOpen || named.some((word) => [word, programName(word)].some((one) => isMaybe(pattern, one)));
	}
	if (!isOpen && !words.some((word) => programs[matcher.registry].test(programName(word)))) return false;
	return isOpen || words.slice(1).some((word) => isPackageIn(word, matcher));
}

/** Whether a word of a command line names a package: with a version, a tag or as the value of an option, too. */
function isPackageIn(word: string, { name, registry }: Extract<ServerMatcher, { readonly kind: "package" }>): boolean {
	// `name@npm:other` is the package `other`.
	const value = word.replace(/^--?[\w-]+=/, "").replace(/^(?:.*@)?(?:npm|jsr|docker):/, "");
	const bare = value.replace(/(?!^)(?:@|[=<>~!]=|[<>]|\[|:(?=[^/]*$)).*$/s, "");
	// Names that mean the same package.
	const same = (text: string): string =>
		registry === "pypi"
			? text.replace(/[-_.]+/g, "-")
			: registry === "oci"
				? text.replace(/^(?:index\.)?docker\.io\/(?:library\/)?|^library\//, "")
				: text;
	return [value, bare].some((one) => isMaybe(same(name), same(one)));
}

function isHostOf(url: string, pattern: string, purpose: "allow" | "deny"): boolean {
	const beforePath = /^[^:/?#]*:?\/{0,2}[^/?#\\]*/.exec(url)?.[0] ?? "";
	if (beforePath.includes("${")) return purpose === "deny";
	if (!URL.canParse(url)) return purpose === "deny";
	const { hostname } = new URL(url);
	return hasForm(pattern, hostname.toLowerCase().replace(/(?<=.)\.$/, ""));
}

/** The same without regard to case; a variable may have a value that the pattern names. */
function isMaybe(pattern: string, text: string): boolean {
	return text.includes("${") || hasForm(pattern.toLowerCase(), text.toLowerCase());
}

/** Whether a text matches a pattern whose `*` match any characters but `stop`. Looks at each part once. */
export function hasForm(pattern: string, text: string, stop?: string): boolean {
	const [first = "", ...rest] = pattern.split("*");
	const last = rest.pop();
	if (last === undefined) return pattern === text;
	if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
	const end = text.length - last.length;
	let at = first.length;
	for (const part of [...rest, undefined]) {
		const found = part === undefined ? end : text.indexOf(part, at);
		if (found < 0 || found + (part?.length ?? 0) > end) return false;
		if (stop !== undefined && text.slice(at, found).includes(stop)) return false;
		at = found + (part?.length ?? 0);
	}
	return true;
}
