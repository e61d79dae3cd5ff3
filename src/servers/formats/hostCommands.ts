import type { JsonObject } from "../../base/json.ts";
import type { ForeignServer, ForeignToolLists, RefusedServer } from "./foreignServer.ts";
import { inOwnWords } from "./ownVariables.ts";

/** Asked for, as the other host asks for it when the server is added. */
const clientSecret = { id: "client-secret", type: "promptString", description: "OAuth client secret", password: true };

/** One server that a command of another host would add, or why it adds none that is understood. */
export type CommandReading = { readonly server: ForeignServer } | { readonly refused: RefusedServer };

/** The meaning of a command's option; `ignored` ones say where or how the other host stores the server. */
type Meaning =
	| "transport"
	| "env"
	| "header"
	| "url"
	| "bearer"
	| "clientId"
	| "clientSecret"
	| "callbackPort"
	| "trust"
	| "only"
	| "hidden"
	| "ignored"
	| "ignoredFlag";

/** The options of a host's command. */
type Options = Readonly<Record<string, Meaning>>;

const common: Options = {
	"-s": "ignored",
	"--scope": "ignored",
	"-t": "transport",
	"--transport": "transport",
	"-e": "env",
	"--env": "env",
	"-H": "header",
	"--header": "header",
};

const gemini: Options = {
	...common,
	"--timeout": "ignored",
	"--trust": "trust",
	"--description": "ignored",
	"--include-tools": "only",
	"--exclude-tools": "hidden",
};
/**
 * The commands by their programs: https://code.claude.com/docs/en/mcp, https://geminicli.com/docs/tools/mcp-server,
 * https://developers.openai.com/codex/mcp. Qwen Code's is Gemini CLI's.
 */
const hosts: Readonly<Record<string, { readonly options: Options }>> = {
	claude: {
		options: {
			...common,
			"--client-id": "clientId",
			"--client-secret": "clientSecret",
			"--callback-port": "callbackPort",
			"--debug": "ignoredFlag",
			"-d": "ignoredFlag",
		},
	},
	gemini: { options: gemini },
	qwen: { options: gemini },
	codex: {
		options: {
			"--env": "env",
			"--url": "url",
			"--bearer-token-env-var": "bearer",
			"--oauth-client-id": "clientId",
			"-c": "ignored",
			"--config": "ignored",
		},
	},
};

/** The name of a host's command, such as `claude mcp add`; undefined for other commands. */
export function hostCommandOf(words: readonly string[]): string | undefined {
	const [program = "", section, verb = ""] = words;
	const name = programName(program);
	// With `serve` the host is a server itself.
	if (section !== "mcp" || verb === "serve" || !Object.hasOwn(hosts, name)) return undefined;
	return `${name} mcp ${verb}`.trim();
}

/**
 * Reads `claude mcp add …`, `gemini mcp add …` or `codex mcp add …`. Their options count at every position before `--`;
 * other words after the server's command are its arguments.
 */
export function readHostCommand(
	words: readonly string[],
	environment: Readonly<Record<string, string>>,
): CommandReading {
	const host = hosts[programName(words[0] ?? "")];
	const title = hostCommandOf(words) ?? "";
	if (host === undefined || words[2] !== "add") return refused(`“${title}” does not add a server`);
	const given = collect(words.slice(3), host.options);
	if (typeof given === "string") return refused(given);
	const [name, ...rest] = given.positional;
	if (name === undefined) return refused(`“${title}” needs a name for the server`);
	const [first, ...args] = [...rest, ...given.behind];
	const url = given.values.get("url")?.[0] ?? (isAddress(first, given) ? first : undefined);
	if (url === undefined && first === undefined) return refused(`“${title}” needs a command or a URL`, name);
	const server = url === undefined ? local(first ?? "", args, given, environment) : remote(url, given);
	if (typeof server === "string") return refused(server, name);
	const entry = inOwnWords(server);
	if (typeof entry === "string") return refused(entry, name);
	const inputs = given.values.has("clientSecret") ? [clientSecret] : [];
	return { server: { name, entry, inputs, isOff: false, tools: toolsOf(given), remarks: [] } };
}

interface Given {
	readonly positional: readonly string[];
	/** Behind `--`. */
	readonly behind: readonly string[];
	readonly values: ReadonlyMap<Meaning, readonly string[]>;
}

function collect(words: readonly string[], options: Options): Given | string {
	const positional: string[] = [];
	const values = new Map<Meaning, string[]>();
	const end = words.indexOf("--");
	const before = end === -1 ? words : words.slice(0, end);
	for (let index = 0; index < before.length; index++) {
		const word = before[index] ?? "";
		const equals = word.startsWith("--") ? word.indexOf("=") : -1;
		const option = equals === -1 ? word : word.slice(0, equals);
		const meaning = Object.hasOwn(options, option) ? options[option] : undefined;
		if (meaning === undefined) {
			// Once the command is there, an option that the host does not have belongs to the server.
			if (word.startsWith("-") && positional.length < 2) return `“${word}” is not a known option`;
			positional.push(word);
			continue;
		}
		const list = values.get(meaning) ?? [];
		values.set(meaning, list);
		if (isFlag(meaning)) {
			list.push("true");
			if (/^(true|false)$/.test(before[index + 1] ?? "")) list[list.length - 1] = before[++index] ?? "";
			continue;
		}
		const value = equals === -1 ? before[++index] : word.slice(equals + 1);
		if (value === undefined) return `“${option}” needs a value`;
		list.push(value);
		// Several values may follow one option; the next word is one of them only if it has their form.
		const form = equals === -1 ? followingForm(meaning) : undefined;
		for (
			let next = before[index + 1] ?? "";
			form?.test(next) === true && !isUrl(next);
			next = before[index + 1] ?? ""
		) {
			list.push(next);
			index++;
		}
	}
	return { positional, behind: end === -1 ? [] : words.slice(end + 1), values };
}

function followingForm(meaning: Meaning): RegExp | undefined {
	return meaning === "env" ? /^[A-Za-z_]\w*=/ : meaning === "header" ? /^[\w-]+:\s?\S/ : undefined;
}

function isAddress(word: string | undefined, { values }: Given): boolean {
	const transport = values.get("transport")?.[0];
	return word !== undefined && (transport === undefined || transport === "stdio" ? isUrl(word) : true);
}

function isFlag(meaning: Meaning): boolean {
	return meaning === "trust" || meaning === "clientSecret" || meaning === "ignoredFlag";
}

function isUrl(word: string): boolean {
	return /^https?:\/\//i.test(word);
}

function local(
	command: string,
	args: readonly string[],
	{ values }: Given,
	environment: Readonly<Record<string, string>>,
): JsonObject | string {
	const env = new Map(Object.entries(environment));
	for (const pair of values.get("env") ?? []) {
		const [, name, value] = /^([A-Za-z_]\w*)=([^]*)$/.exec(pair) ?? [];
		if (name === undefined || value === undefined) return `“${pair}” does not have the form NAME=value`;
		env.set(name, value);
	}
	if (values.has("header")) return "headers need a URL, but this server is a command";
	return { type: "stdio", command, args: [...args], ...(env.size === 0 ? {} : { env: Object.fromEntries(env) }) };
}

function remote(url: string, { values }: Given): JsonObject | string {
	if (!isUrl(url)) return `“${url}” is not a URL that begins with http:// or https://`;
	const headers = new Map<string, string>();
	for (const header of values.get("header") ?? []) {
		const [, name, value] = /^([^:\s]+):\s?([^]*)$/.exec(header) ?? [];
		if (name === undefined || value === undefined) return "a header does not have the form “Name: value”";
		headers.set(name, value);
	}
	const [bearer] = values.get("bearer") ?? [];
	if (bearer !== undefined) headers.set("Authorization", `Bearer \${env:${bearer}}`);
	const [transport] = values.get("transport") ?? [];
	const [clientId] = values.get("clientId") ?? [];
	const [port] = values.get("callbackPort") ?? [];
	const oauth = {
		...(clientId === undefined ? {} : { clientId }),
		...(values.has("clientSecret") ? { clientSecret: `\${input:${clientSecret.id}}` } : {}),
		...(port === undefined || !/^\d{1,5}$/.test(port) ? {} : { redirectPort: Number(port) }),
	};
	return {
		type: transport === "sse" ? "sse" : "http",
		url,
		...(headers.size === 0 ? {} : { headers: Object.fromEntries(headers) }),
		...(Object.keys(oauth).length === 0 ? {} : { oauth }),
	};
}

function toolsOf({ values }: Given): ForeignToolLists {
	const named = (meaning: Meaning): readonly string[] | undefined =>
		values.get(meaning)?.flatMap((list) => list.split(",").map((tool) => tool.trim()));
	const only = named("only");
	const hidden = named("hidden");
	return {
		...(values.get("trust")?.[0] === "true" ? { allowed: "all" as const } : {}),
		...(only === undefined ? {} : { only }),
		...(hidden === undefined ? {} : { hidden }),
	};
}

function programName(program: string): string {
	return (program.split(/[\\/]/).at(-1) ?? "").replace(/\.(?:exe|cmd|ps1)$/i, "").toLowerCase();
}

function refused(reason: string, name?: string): CommandReading {
	return { refused: { reason: `${reason}.`, ...(name === undefined ? {} : { name }) } };
}
