import { writeBackslash, type JsonPath } from "../../base/configText.ts";
import { type Json, type JsonObject, own } from "../../base/json.ts";
import { isSecret } from "../../base/secrets/judge.ts";
import { oneLine } from "../../base/text.ts";
import { isObject, jsonOf, textOf, textsOf, withoutBlanks } from "./data.ts";
import { readCommandText } from "./commandText.ts";
import { readTools, toolKeys } from "./entryTools.ts";
import { builtIn, commandKeys, idleKeys, keptKeys, onKeys, readKeys, timeKey, types, urlKeys } from "./entryKeys.ts";
import { readSignIn } from "./entrySignIn.ts";
import type { ForeignServer, RefusedServer } from "./foreignServer.ts";
import type { ForeignHost } from "./hosts.ts";
import { leftAsWritten, leftWords } from "./leftAsWritten.ts";
import { translateVariables } from "./variableStyles.ts";
import { isBrokenPath, lostBackslash } from "./windowsPaths.ts";

/** The place of an entry. */
export interface EntryContext {
	/** The host that wrote it, as far as that is known. */
	readonly host: ForeignHost | undefined;
	/** The inputs that the text defines, by id. */
	readonly inputs: ReadonlyMap<string, JsonObject>;
	/** Sentences about the entry that are known before it is read. */
	readonly remarks?: readonly string[];
	/** Whether the text has it switched off elsewhere. */
	readonly isOff?: boolean;
	/** The keys that lead to it. */
	readonly path?: JsonPath;
	/** The folder in which alone the host uses it. */
	readonly folder?: string;
}

/** Translates the entry of any host for one server. An invalid one is refused with the reason. Never throws. */
export function translateEntry(
	key: string | undefined,
	value: unknown,
	context: EntryContext,
): ForeignServer | RefusedServer {
	const { path } = context;
	const name = nameOf(key, value, context);
	const about = { ...(name === undefined ? {} : { name }), ...(path === undefined ? {} : { path }) };
	const refused = (reason: string): RefusedServer => ({ ...about, reason });
	if (!isObject(value)) return refused("It is not an object that describes a server.");
	if (name !== undefined && (name.trim() === "" || /[\p{Cc}\u2028\u2029]/u.test(name)))
		return refused("Its name is empty or contains line breaks or other control characters.");
	const inner = own(value, "config");
	// Goose once kept all but the switch one level deeper.
	const entry = isObject(inner) && own(inner, "type") !== undefined ? { ...value, ...inner, config: undefined } : value;
	const read = new EntryReader(withoutBlanks(entry), context).read(refused);
	if ("reason" in read) return read;
	const { folder } = context;
	return { ...about, ...read, ...(folder === undefined ? {} : { folder }) };
}

/** The name of an entry: where its host keeps it within, that one. */
function nameOf(key: string | undefined, value: unknown, { host }: EntryContext): string | undefined {
	const inner = isObject(value) ? own(value, "name") : undefined;
	const isNamed = host?.namesInside === true && typeof inner === "string" && inner.trim() !== "";
	return isNamed ? inner.trim() : key;
}

class EntryReader {
	private readonly entry: JsonObject;
	private readonly context: EntryContext;
	private readonly remarks: Set<string>;
	private readonly inputs = new Map<string, JsonObject>();
	private readonly faults: string[] = [];
	private usesEnv = false;

	constructor(entry: JsonObject, context: EntryContext) {
		this.entry = entry;
		this.context = context;
		this.remarks = new Set(context.remarks);
	}

	read(refused: (reason: string) => RefusedServer): ForeignServer | RefusedServer {
		const said = this.firstText("type", "transport");
		const type = said === undefined ? undefined : types.get(said.toLowerCase());
		const { hostLabel } = this;
		if (said !== undefined && builtIn.has(said.toLowerCase()))
			return {
				...refused(`It is built into ${hostLabel} (${quoted(said)}), so MCP Host cannot start it.`),
				isNoLoss: true,
			};
		if (said !== undefined && type === undefined)
			return refused(`Its type ${quoted(said)} is not supported. MCP Host supports stdio, http and sse.`);
		const urlKey = urlKeys.find((key) => own(this.entry, key) !== undefined);
		const commandKey = commandKeys.find((key) => own(this.entry, key) !== undefined);
		if (urlKey === undefined && commandKey === undefined) return refused(this.whyNothing());
		const isUrl = type === undefined ? urlKey !== undefined : type !== "stdio";
		if (type === undefined && urlKey !== undefined && commandKey !== undefined)
			return refused(`It has both "${commandKey}" and "${urlKey}", but no "type" that selects one of them.`);
		if (isUrl && urlKey === undefined) return refused(`Its type is ${quoted(said ?? "")}, but it has no URL.`);
		if (!isUrl && commandKey === undefined) return refused(`Its type is ${quoted(said ?? "")}, but it has no command.`);
		const main = isUrl ? this.remote(urlKey ?? "url", said, type) : this.local(commandKey ?? "command");
		this.noteOthers(isUrl);
		const [fault] = this.faults;
		if (fault !== undefined) return refused(fault);
		const description = this.firstText("description", "server_description");
		for (const left of leftAsWritten(Object.fromEntries(main))) this.remarks.add(leftWords(left));
		const kept = [...keptKeys].flatMap((key) => {
			const found = jsonOf(own(this.entry, key), (text) => text);
			return found === undefined ? [] : [[key, found] as const];
		});
		return {
			entry: Object.fromEntries([
				...main,
				...(description === undefined || description === "" ? [] : [["description", description] as const]),
				...kept,
			]),
			inputs: [...this.inputs.values()],
			isOff:
				this.context.isOff === true ||
				own(this.entry, "disabled") === true ||
				onKeys.some((key) => own(this.entry, key) === false),
			tools: readTools(this.entry),
			remarks: [...this.remarks],
		};
	}

	private get hostLabel(): string {
		return this.context.host?.label ?? "the other host";
	}

	private local(key: string): readonly (readonly [string, Json])[] {
		const found = own(this.entry, key);
		// `{path, args, env}` is how Zed wrote commands formerly.
		const inner = isObject(found) ? found : undefined;
		const words = inner === undefined ? textsOf(found) : textsOf(own(inner, "path"));
		const whole = words?.[0] ?? "";
		if (words === undefined || whole.trim() === "") this.faults.push(`Its "${key}" names no program.`);
		const split =
			typeof found === "string"
				? readCommandText(this.translated(found), isFilled(own(this.entry, "args")))
				: undefined;
		if (split !== undefined && "reason" in split) this.faults.push(split.reason);
		const parts = split === undefined || "reason" in split ? undefined : split;
		for (const remark of parts?.remarks ?? []) this.remarks.add(remark);
		const [command = "", ...first] = parts?.words ?? words ?? [];
		const args = this.list("args", own(this.entry, "args"), inner === undefined ? undefined : own(inner, "args"));
		const env = this.map(
			{ env: own(this.entry, "env"), environment: own(this.entry, "environment"), envs: own(this.entry, "envs") },
			inner === undefined ? {} : { env: own(inner, "env") },
		);
		for (const [name, text] of Object.entries(parts?.environment ?? {})) if (!env.has(name)) env.set(name, text);
		for (const variable of this.names("env_vars")) env.set(variable, `\${env:${variable}}`);
		for (const variable of this.names("env_keys")) {
			if (env.has(variable)) continue;
			this.needInput(variable, `${this.hostLabel} stores ${quoted(variable)} as a secret; MCP Host asks you for it.`);
			env.set(variable, `\${input:${variable}}`);
		}
		const cwd = this.firstText("cwd", "workingDirectory", "working_directory", "workingDir");
		const envFile = this.text("envFile");
		const broken =
			[command, cwd, envFile].some((text) => text !== undefined && isBrokenPath(text)) || args.some(lostBackslash);
		if (broken) this.faults.push(`One of its paths lost its backslashes: ${writeBackslash}.`);
		return [
			["type", "stdio"],
			["command", this.translated(command)],
			...(first.length + args.length === 0
				? []
				: [["args", [...first, ...args].map((text) => this.translated(text))] as const]),
			...(env.size === 0 ? [] : [["env", Object.fromEntries(env)] as const]),
			...(cwd === undefined ? [] : [["cwd", this.translated(cwd)] as const]),
			...(envFile === undefined ? [] : [["envFile", this.translated(envFile)] as const]),
		];
	}

	private remote(
		key: string,
		said: string | undefined,
		type: string | undefined,
	): readonly (readonly [string, Json])[] {
		const url = this.translated(this.text(key) ?? "").trim();
		if (!/^https?:\/\/|^\$\{/i.test(url))
			this.faults.push(`Its URL ${quoted(url)} does not begin with http:// or https://.`);
		// `remote` only means that there is a URL.
		const isPlain = said === undefined || said.toLowerCase() === "remote";
		const isSse = type === "sse" || (isPlain && key === "url" && this.context.host?.plainUrlIs === "sse");
		const options = own(this.entry, "requestOptions");
		const headers = this.map(
			{ headers: own(this.entry, "headers"), http_headers: own(this.entry, "http_headers") },
			isObject(options) ? { headers: own(options, "headers") } : {},
		);
		const fromEnvironment = own(this.entry, "env_http_headers");
		if (isObject(fromEnvironment))
			for (const [header, variable] of Object.entries(fromEnvironment))
				if (typeof variable === "string") headers.set(header, `\${env:${variable}}`);
		const token = this.text("bearer_token_env_var");
		if (token !== undefined) headers.set("Authorization", `Bearer \${env:${token}}`);
		const inline = this.text("bearer_token");
		if (inline !== undefined && token === undefined) headers.set("Authorization", `Bearer ${this.translated(inline)}`);
		const bearer = this.firstText("authorization", "authorization_token");
		if (bearer !== undefined)
			headers.set("Authorization", /\s/.test(bearer) ? bearer : `Bearer ${this.translated(bearer)}`);
		const oauth = readSignIn(
			this.entry,
			(text) => this.translated(text),
			(sentence) => void this.remarks.add(sentence),
		);
		// A server with a URL has no environment, but its texts may have variables of its own.
		const used = JSON.stringify([url, ...headers.values()]);
		const variables = Array.from(this.map({ env: own(this.entry, "env") })).filter(([name]) =>
			used.includes(`\${env:${name}`),
		);
		this.usesEnv = variables.length > 0;
		return [
			["type", isSse ? "sse" : "http"],
			["url", url],
			...(variables.length === 0 ? [] : [["env", Object.fromEntries(variables)] as const]),
			...(headers.size === 0 ? [] : [["headers", Object.fromEntries(headers)] as const]),
			...(oauth === undefined ? [] : [["oauth", oauth] as const]),
		];
	}

	/** The members of objects of texts, later ones over earlier ones; `Name: value` lists are taken as well. */
	private map(...sources: readonly Readonly<Record<string, unknown>>[]): Map<string, string> {
		const result = new Map<string, string>();
		for (const [key, source] of sources.flatMap((one) => Object.entries(one))) {
			if (source === undefined || source === null) continue;
			const lines = Array.isArray(source) ? source.map((line) => pairOf(key, line)) : undefined;
			if (lines === undefined && !isObject(source)) this.faults.push(`Its "${key}" is not an object of strings.`);
			for (const pair of lines ?? Object.entries(isObject(source) ? source : {})) {
				const text = textOf(pair?.[1]);
				if (pair !== undefined && text !== undefined) result.set(pair[0], this.translated(text));
				else if (pair?.[1] !== null)
					this.faults.push(`In its "${key}", ${pair === undefined ? "a line" : quoted(pair[0])} is not a string.`);
			}
		}
		return result;
	}

	private list(key: string, ...values: readonly unknown[]): readonly string[] {
		const found = values.find((value) => value !== undefined && value !== null);
		if (found === undefined) return [];
		const texts = Array.isArray(found) ? textsOf(found) : undefined;
		if (texts === undefined) this.faults.push(`Its "${key}" is not a list of strings.`);
		return texts ?? [];
	}

	/** The names in a list of names, or of objects with a name. */
	private names(key: string): readonly string[] {
		const found = own(this.entry, key);
		return (Array.isArray(found) ? found : []).flatMap((item: unknown) => {
			const named = isObject(item) ? own(item, "name") : item;
			return typeof named === "string" && /^[^=\0${}]+$/.test(named) ? [named] : [];
		});
	}

	private noteOthers(isUrl: boolean): void {
		const unread: string[] = [];
		for (const [key, value] of Object.entries(this.entry)) {
			if (value === undefined) continue;
			const isTime = timeKey.exec(key);
			if (isTime !== null) this.noteTime(key, value, isTime[1]);
			else if (key === "watchPaths")
				this.remarks.add("MCP Host does not restart it when files in its watchPaths change.");
			else if (!readKeys.has(key) && !keptKeys.has(key) && !idleKeys.has(key) && !toolKeys.has(key)) unread.push(key);
		}
		const ignored = isUrl ? ["env", "environment", "envs", "env_keys", "args"] : ["headers", "http_headers"];
		const idle = ignored.filter((key) => isFilled(own(this.entry, key)) && !(key === "env" && this.usesEnv));
		if (idle.length > 0)
			this.remarks.add(
				`${idle.map(quoted).join(", ")} was left out: a server with a ${isUrl ? "URL" : "command"} does not use it.`,
			);
		if (unread.length > 0) {
			const more = unread.length > 5 ? ` and ${unread.length - 5} more` : "";
			this.remarks.add(
				`Left out, because MCP Host has no counterpart: ${unread.slice(0, 5).map(quoted).join(", ")}${more}.`,
			);
		}
	}

	private noteTime(key: string, value: unknown, unit: string | undefined): void {
		const amount = textOf(value);
		if (amount === undefined) return;
		const inMs = unit === undefined ? this.context.host?.timeoutUnit === "milliseconds" : /^ms$/i.test(unit);
		const inSeconds = unit === undefined ? this.context.host?.timeoutUnit === "seconds" : !inMs;
		const seconds = inMs ? Number(amount) / 1000 : Number(amount);
		const said = (inMs || inSeconds) && Number.isFinite(seconds) ? `${seconds} seconds` : oneLine(amount, 20);
		this.remarks.add(`Its ${quoted(key)} of ${said} was left out: MCP Host uses the same time limits for all servers.`);
	}

	private whyNothing(): string {
		if (this.has("settings") || own(this.entry, "source") === "extension")
			return `It belongs to an extension of ${this.hostLabel}. The file does not contain the command that starts it.`;
		if (this.has("uses")) return `It refers to ${quoted(this.text("uses") ?? "")}, which is stored elsewhere.`;
		return `It has neither a command nor a URL.`;
	}

	private has(key: string): boolean {
		return own(this.entry, key) !== undefined;
	}

	private text(key: string): string | undefined {
		const found = own(this.entry, key);
		if (found === undefined || found === null) return undefined;
		const text = textOf(found);
		if (text === undefined) this.faults.push(`Its "${key}" is not a string.`);
		return text;
	}

	private firstText(...keys: readonly string[]): string | undefined {
		const key = keys.find((one) => this.has(one));
		return key === undefined ? undefined : this.text(key);
	}

	private translated(text: string): string {
		const notes = {
			needInput: (id: string, why?: string) => this.needInput(id, why),
			remark: (sentence: string) => void this.remarks.add(sentence),
		};
		return translateVariables(text, notes, this.context.host?.hasDollarNames === true);
	}

	private needInput(id: string, why?: string): void {
		if (why !== undefined) this.remarks.add(why);
		if (this.inputs.has(id)) return;
		const defined = this.context.inputs.get(id);
		if (defined !== undefined && own(defined, "type") === "command")
			this.remarks.add(`The input ${quoted(id)} is filled in by a VS Code command; MCP Host asks you for it instead.`);
		else if (defined !== undefined) {
			const json = jsonOf(defined, (text) => text);
			if (isObject(json)) return void this.inputs.set(id, json);
		}
		// An input that the file does not describe was a secret elsewhere, or may be one.
		const isPassword = why !== undefined || isSecret(id, undefined, "asked");
		this.inputs.set(id, { type: "promptString", id, description: id, ...(isPassword ? { password: true } : {}) });
	}
}

/** `Name: value` of a header, `NAME=value` of a variable; undefined for other text. */
function pairOf(key: string, line: unknown): readonly [string, string] | undefined {
	if (typeof line !== "string") return undefined;
	const at = line.indexOf(key.endsWith("headers") ? ":" : "=");
	return at <= 0 ? undefined : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
}

function isFilled(value: unknown): boolean {
	return Array.isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0;
}

function quoted(text: string): string {
	return `"${oneLine(text, 60)}"`;
}
