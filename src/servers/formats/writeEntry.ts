import { isJsonObject, type Json, type JsonObject, own } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import { textOf } from "./data.ts";
import type { ExportTarget, OptionalKey } from "./exportTargets.ts";
import type { ForeignServer } from "./foreignServer.ts";
import { GivenNames, openDefault, placeFor } from "./writeVariables.ts";

/** A server to be written for others: named, in the words of an `mcp.json` of VS Code, and without a secret. */
export type ExportedServer = Pick<ForeignServer, "entry" | "inputs" | "isOff"> & { readonly name: string };

/** An entry as a host writes it. */
export interface WrittenEntry {
	/** Undefined if the format has no place for it; `changes` say why. */
	readonly entry: JsonObject | undefined;
	/** Lost parts, and tasks for the user: our sentences. */
	readonly changes: readonly string[];
}

/** One whole variable, such as `${input:key}`, alone or behind `Bearer `. */
const wholeVariable = /^(Bearer )?\$\{(env|input):([^{}]+)\}$/;
const variable = /\$\{([^{}]*)\}/g;
/** The members that `readConfiguration` translates; all others are for MCP Host and VS Code alone. */
const common = new Set("type command args env url headers cwd envFile description oauth disabled".split(" "));
/** The additional members that VS Code's own host supports. */
const editorsOwn = new Set("dev gallery version sandbox sandboxEnabled".split(" "));

/** Programs that are batch files on Windows. */
const batchFiles = /^(?:npx|npm|pnpm|pnpx|yarn)(?:\.cmd)?$/i;

/** Writes an entry as a host does, for the system that it runs on. Never throws. */
export function writeEntry(
	server: ExportedServer,
	target: ExportTarget,
	platform: NodeJS.Platform = process.platform,
): WrittenEntry {
	return new EntryWriter(server, target, platform).write();
}

class EntryWriter {
	private readonly server: ExportedServer;
	private readonly target: ExportTarget;
	private readonly platform: NodeJS.Platform;
	private readonly changes = new Set<string>();
	private readonly given = new GivenNames();

	constructor(server: ExportedServer, target: ExportTarget, platform: NodeJS.Platform) {
		this.server = server;
		this.target = target;
		this.platform = platform;
	}

	write(): WrittenEntry {
		const { entry, isOff } = this.server;
		const isRemote = textOf(own(entry, "command")) === undefined;
		const isSse = isRemote && own(entry, "type") === "sse";
		const { without } = this.target;
		const reason = isRemote ? (without?.remote ?? (isSse ? without?.sse : undefined)) : undefined;
		if (reason !== undefined) return { entry: undefined, changes: [`It was left out: ${reason}.`] };
		const way = isSse ? "sse" : isRemote ? "http" : "stdio";
		const written = isRemote ? this.remote(isSse) : this.local();
		const type = this.target.types[way];
		if (isSse && (type === undefined ? this.target.urlKeys.sse === this.target.urlKeys.http : type !== "sse"))
			this.changes.add(`${this.target.label} detects Streamable HTTP and HTTP+SSE automatically.`);
		const result = Object.fromEntries<Json | undefined>([
			...(type === undefined ? [] : [[this.target.typeKey, type] as const]),
			...written,
			...this.optional(isRemote),
			...this.switched(isOff),
			...Object.entries(this.target.always ?? {}),
		]);
		return { entry: result, changes: [...this.changes] };
	}

	private local(): readonly (readonly [string, Json])[] {
		const { entry } = this.server;
		const { commandKey, hasCommandList, envKey } = this.target;
		const named = this.translated(textOf(own(entry, "command")) ?? "");
		const given = textsIn(own(entry, "args")).map((text) => this.translated(text));
		const [command = "", ...args] = this.started(named, given);
		const env: [string, string][] = [];
		const passed: string[] = [];
		for (const [name, text] of pairsIn(own(entry, "env"))) {
			if (this.isPassed(name, text)) passed.push(name);
			else env.push([name, this.translated(text, name)]);
		}
		const passedKey = this.target.secrets === "goose" ? "env_keys" : "env_vars";
		return [
			...(hasCommandList === true
				? [[commandKey, [command, ...args]] as const]
				: [[commandKey, command] as const, ...(args.length === 0 ? [] : [["args", args] as const])]),
			...(env.length === 0 ? [] : [[envKey, Object.fromEntries(env)] as const]),
			...(passed.length === 0 ? [] : [[passedKey, passed] as const]),
		];
	}

	/** The words that start a program on the system of the host. */
	private started(command: string, args: readonly string[]): readonly string[] {
		const { startsProgramsOnly, label } = this.target;
		if (startsProgramsOnly !== true || this.platform !== "win32" || !batchFiles.test(command))
			return [command, ...args];
		this.changes.add(`On Windows, ${label} starts “${command}” by “cmd /c”. Remove both words for other systems.`);
		return ["cmd", "/c", command, ...args];
	}

	private remote(isSse: boolean): readonly (readonly [string, Json])[] {
		const { entry } = this.server;
		const { urlKeys, headersAre } = this.target;
		const url = this.translated(textOf(own(entry, "url")) ?? "");
		const headers: [string, string][] = [];
		const fromEnvironment: [string, string][] = [];
		let bearer: string | undefined;
		for (const [name, text] of pairsIn(own(entry, "headers"))) {
			const found = this.target.secrets === "codex" ? this.environmentOf(text) : undefined;
			if (found === undefined) headers.push([name, this.translated(text)]);
			else if (found.isBearer && name.toLowerCase() === "authorization") bearer = found.name;
			else if (found.isBearer) headers.push([name, this.translated(text)]);
			else fromEnvironment.push([name, found.name]);
		}
		const all = Object.fromEntries(headers);
		const written: readonly (readonly [string, Json])[] =
			headers.length === 0
				? []
				: headersAre === "lines"
					? [["headers", headers.map(([name, text]) => `${name}: ${text}`)]]
					: headersAre === "requestOptions"
						? [["requestOptions", { headers: all }]]
						: [[headersAre, all]];
		return [
			[isSse ? urlKeys.sse : urlKeys.http, url],
			...written,
			...(fromEnvironment.length === 0 ? [] : [["env_http_headers", Object.fromEntries(fromEnvironment)] as const]),
			...(bearer === undefined ? [] : [["bearer_token_env_var", bearer] as const]),
			...this.signIn(),
		];
	}

	private signIn(): readonly (readonly [string, Json])[] {
		const found = own(this.server.entry, "oauth");
		if (!isJsonObject(found)) return [];
		const { signIn, label, isOwn } = this.target;
		const lost: string[] = [];
		const words = Object.entries(found).flatMap(([key, value]): readonly (readonly [string, Json])[] => {
			const word = isOwn === true ? key : signIn && textOf(own(signIn.words, key));
			if (word === undefined || value === undefined) lost.push(key);
			else return [[word, this.inAll(value)]];
			return [];
		});
		if (lost.length > 0)
			this.changes.add(`${label} has no counterpart for ${lost.map(quoted).join(", ")} of its sign-in.`);
		return words.length === 0 ? [] : [[signIn?.key ?? "oauth", Object.fromEntries(words)]];
	}

	/** The other members of an entry, as far as the host supports them. */
	private optional(isRemote: boolean): readonly (readonly [string, Json])[] {
		const { keeps, isOwn, label } = this.target;
		const lost: string[] = [];
		const kept: [string, Json][] = [];
		for (const [key, value] of Object.entries(this.server.entry)) {
			const isOptional = key === "cwd" || key === "envFile" || key === "description";
			if (value === undefined || (common.has(key) && !isOptional)) continue;
			if (isRemote && (key === "cwd" || key === "envFile")) continue;
			if (isOptional && keeps.includes(key satisfies OptionalKey))
				kept.push([key, key === "description" ? value : this.inAll(value)]);
			else if (isOptional || isOwn !== true) lost.push(key);
			else {
				kept.push([key, value]);
				if (!editorsOwn.has(key) && this.target.isHere !== true)
					this.changes.add(`${label} ignores ${quoted(key)}; MCP Host reads it there.`);
			}
		}
		if (lost.length > 0) this.changes.add(`${label} has no counterpart for ${lost.map(quoted).join(", ")}.`);
		return kept;
	}

	private switched(isOff: boolean): readonly (readonly [string, Json])[] {
		const { off, label, isOwn } = this.target;
		if (!isOff) return off === "enabled" && this.target.secrets === "goose" ? [["enabled", true]] : [];
		if (off !== undefined) return [off === "disabled" ? ["disabled", true] : ["enabled", false]];
		if (isOwn === true) {
			if (this.target.isHere !== true) this.changes.add(`${label} ignores that it is switched off; MCP Host does not.`);
			return [["disabled", true]];
		}
		this.changes.add(`It is switched off here, but will be on in ${label}, which has no key for that.`);
		return [];
	}

	/** Whether the host takes a variable of its environment along, or a secret of its own, by the name alone. */
	private isPassed(name: string, text: string): boolean {
		const { secrets, label } = this.target;
		const [, bearer, kind, what = ""] = wholeVariable.exec(text) ?? [];
		if (secrets === undefined || kind === undefined || bearer !== undefined) return false;
		if (kind === "input" && this.given.of(what, name) === name) {
			if (secrets === "goose") this.changes.add(`${label} asks for ${name} and stores it as a secret.`);
			else this.sayEnvironment(what, name);
			return true;
		}
		return kind === "env" && secrets === "codex" && what === name;
	}

	/** The variable that a header's value consists of, if it is a single variable. */
	private environmentOf(text: string): { readonly name: string; readonly isBearer: boolean } | undefined {
		const [, bearer, kind, what = ""] = wholeVariable.exec(text) ?? [];
		if (kind === undefined || (kind === "env" && !/^\w+$/.test(what))) return undefined;
		const name = kind === "env" ? what : this.given.of(what);
		if (kind === "input") this.sayEnvironment(what, name);
		return { name, isBearer: bearer !== undefined };
	}

	private inAll(value: Json): Json {
		if (typeof value === "string") return this.translated(value);
		if (Array.isArray(value)) return value.map((part: Json) => this.inAll(part));
		if (!isJsonObject(value)) return value;
		return Object.fromEntries(
			Object.entries(value).map(([key, part]) => [key, part === undefined ? null : this.inAll(part)]),
		);
	}

	/** A text in the host's form; `holder` is the variable that holds nothing else. */
	private translated(text: string, holder?: string): string {
		const isWhole = wholeVariable.test(text) && !text.startsWith("Bearer ");
		const result = text.replace(variable, (found, expression: string) => {
			if (expression.startsWith("input:"))
				return this.input(found, expression.slice("input:".length), isWhole ? holder : undefined);
			if (expression.startsWith("env:")) return this.environment(expression.slice("env:".length));
			return this.other(found, expression);
		});
		// Gemini CLI reads a dollar sign before a name as a variable, and has no escape for it.
		if (this.target.id === "gemini" && /\$[A-Za-z_]/.test(text))
			this.changes.add(`${this.target.label} reads the dollar sign in ${quoted(text)} as a variable.`);
		return result;
	}

	private input(found: string, id: string, holder: string | undefined): string {
		const { variables, label } = this.target;
		if (variables.hasInputs === true) return found;
		// A name under which a host keeps secrets is one that was an input of that name before.
		const wanted = variables.secret !== undefined && /^[A-Za-z_]\w*$/.test(id) ? id : holder;
		const name = this.given.of(id, wanted !== undefined && /^\w+$/.test(wanted) ? wanted : undefined);
		if (variables.secret !== undefined) {
			this.changes.add(`${this.wordsOf(id)} is a secret. Store it in ${label} as ${name}.`);
			return variables.secret(name);
		}
		if (variables.environment === undefined) return this.place(name, this.wordsOf(id));
		this.sayEnvironment(id, name);
		return variables.environment(name);
	}

	private environment(text: string): string {
		const { variables, label } = this.target;
		const at = text.indexOf(":-");
		const name = at < 0 ? text : text.slice(0, at);
		const fallback = at < 0 ? undefined : text.slice(at + 2);
		const open = fallback === undefined ? undefined : openDefault(name, fallback);
		if (fallback !== undefined && open === undefined)
			this.changes.add(`The default of ${oneLine(name, 60)} may be a secret and was left out.`);
		if (variables.environment === undefined) return this.place(name, `the variable ${oneLine(name, 60)}`);
		if (variables.secret !== undefined)
			this.changes.add(`The variable ${oneLine(name, 60)} is a secret. Store it in ${label}.`);
		if (open === undefined) return variables.environment(name);
		if (variables.withDefault === undefined) {
			this.changes.add(
				`${label} does not support defaults. Set ${oneLine(name, 60)}; its default here is ${quoted(open)}.`,
			);
			return variables.environment(name);
		}
		if (this.target.isOwn === true && this.target.isHere !== true)
			this.changes.add(`${label} does not support defaults, such as that of ${oneLine(name, 60)}; MCP Host does.`);
		return variables.withDefault(name, open);
	}

	private other(found: string, expression: string): string {
		if (this.target.variables.known.test(expression)) return found;
		return this.place(expression, quoted(found));
	}

	private place(name: string, what: string): string {
		const place = placeFor(name);
		this.changes.add(`Replace ${place} with the value for that place; here it is ${what}.`);
		return place;
	}

	private sayEnvironment(id: string, name: string): void {
		const { label } = this.target;
		this.changes.add(`${label} reads ${this.wordsOf(id)} from the environment variable ${name}. Set that variable.`);
	}

	/** The prompt of an input, in quotes. */
	private wordsOf(id: string): string {
		const input = this.server.inputs.find((one) => own(one, "id") === id);
		const description = input === undefined ? undefined : textOf(own(input, "description"));
		return quoted(description === undefined || description.trim() === "" ? id : description);
	}
}

function pairsIn(value: unknown): readonly (readonly [string, string])[] {
	return isJsonObject(value) ? Object.entries(value).map(([name, text]) => [name, textOf(text) ?? ""] as const) : [];
}

function textsIn(value: unknown): readonly string[] {
	return Array.isArray(value) ? value.map((item) => textOf(item) ?? "") : [];
}

function quoted(text: string): string {
	return `“${oneLine(text, 60)}”`;
}
