import { HostError } from "../../base/errors.ts";
import { escapeHidden } from "../../base/exactJson.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import { factsOf, messagesOf } from "./runTexts.ts";
import type { ToolRun } from "./toolRun.ts";
import { isSecret } from "../../base/secrets/judge.ts";
import { knowsNone, SafeWriter } from "../../base/secrets/writer.ts";

/**
 * A command for a POSIX shell that makes the same call, from the beginning of the conversation on: `curl` for
 * Streamable HTTP, a pipe for stdio, and the command line of the MCP Inspector for HTTP+SSE, which a pipe cannot use.
 * Secrets of the configuration are replaced by placeholders such as `<Authorization>`, and so are the values of all
 * headers and variables.
 * @throws HostError `invalid` for a call that no command can make.
 */
export function shellCommandOf(run: ToolRun): string {
	const { config } = run.entry.session.definition;
	if (config.kind === "stdio") {
		const { command, args, env, cwd } = config;
		const variables = Object.entries(env).map(
			([name, value]) => `${variableName(name)}=${shellWord(environmentValue(name, value))}`,
		);
		const messages = shellWords(messagesOf(run).map(toText));
		// `cat` keeps the input open until the answer is there and Ctrl+D is pressed.
		const server = [...variables, shellWords([withVariables(command), ...withoutSecrets(args)])].join(" ");
		const pipe = `{ printf '%s\\n' ${messages}; cat; } | ${server}`;
		return cwd === undefined ? pipe : `cd ${shellWord(withVariables(cwd))} && ${pipe}`;
	}
	const facts = factsOf(run.entry.session);
	const headers = Object.entries(config.headers).map(
		([name, value]) => `${headerText(name)}: ${environmentValue(name, value)}`,
	);
	const url = urlWithoutSecrets(config.url);
	if (facts?.transport === "sse" || config.kind === "sse") return inspectorCommand(run, url, headers);
	return facts?.era === "modern" ? modernCurl(run, url, headers) : legacyCurl(run, url, headers);
}

const accept = ["Content-Type: application/json", "Accept: application/json, text/event-stream"];

function curl(url: string, headers: readonly string[], ...more: readonly string[]): string {
	return shellWords(["curl", "-sSgN", url, ...headers.flatMap((header) => ["-H", header]), ...more]);
}

function modernCurl(run: ToolRun, url: string, own: readonly string[]): string {
	const { entry, arguments: args } = run;
	const version = factsOf(entry.session)?.protocolVersion ?? "";
	const [message = {}] = messagesOf(run);
	const headers = [
		...accept,
		`MCP-Protocol-Version: ${version}`,
		"Mcp-Method: tools/call",
		...parameterHeaders(entry.tool.name, jsonObjectOf(entry.tool.inputSchema), args),
		...own,
	];
	return curl(url, headers, "--data-raw", toText(message));
}

/** The call is preceded by the handshake, and the session that the server may open in it. */
function legacyCurl(run: ToolRun, url: string, own: readonly string[]): string {
	const [initialize = {}, initialized = {}, call = {}] = messagesOf(run);
	const version = factsOf(run.entry.session)?.protocolVersion;
	const agreed = version === undefined ? "" : ` -H ${shellWord(`MCP-Protocol-Version: ${version}`)}`;
	const inSession = `mcp -H "Mcp-Session-Id: $session"${agreed}`;
	return [
		"(",
		`mcp() { ${curl(url, [...accept, ...own])} "$@"; }`,
		`session=$(mcp -D - -o /dev/null --data-raw ${shellWord(toText(initialize))} | tr -d '\\r' | awk 'tolower($1) == "mcp-session-id:" { print $2 }')`,
		`${inSession} -o /dev/null --data-raw ${shellWord(toText(initialized))}`,
		`${inSession} --data-raw ${shellWord(toText(call))}`,
		")",
	].join("\n");
}

function inspectorCommand(run: ToolRun, url: string, headers: readonly string[]): string {
	const args = Object.entries(run.arguments).flatMap(([name, value]) => {
		if (name.includes("="))
			throw new HostError("invalid", "An argument with = in its name cannot be passed by a command.");
		return value === undefined ? [] : ["--tool-arg", `${name}=${toText(value)}`];
	});
	const inspector = ["npx", "@modelcontextprotocol/inspector", "--cli", url, "--transport", "sse"];
	const call = ["--method", "tools/call", "--tool-name", run.entry.tool.name];
	return shellWords([...inspector, ...headers.flatMap((header) => ["--header", header]), ...call, ...args]);
}

function toText(message: Json): string {
	return escapeHidden(JSON.stringify(message));
}

/** A text that is not a variable's name could be a command of its own before the `=`. */
function variableName(name: string): string {
	if (/^[A-Za-z_]\w*$/.test(name)) return name;
	throw new HostError("invalid", "A variable of the server's environment has a name that no shell accepts.");
}

function headerText(name: string): string {
	return name.replace(/[^!#$%&'*+\-.^_`|~0-9A-Za-z]/g, "");
}

/**
 * The headers by which a call over Streamable HTTP names its tool, and the arguments that the tool's input schema wants
 * in headers as well (`x-mcp-header`; specification 2026-07-28, "Streamable HTTP").
 */
function parameterHeaders(tool: string, schema: JsonObject, args: JsonObject): readonly string[] {
	return [`Mcp-Name: ${headerValue(tool)}`, ...parametersOf(schema, args)];
}

function parametersOf(schema: Json | undefined, value: Json | undefined): readonly string[] {
	const properties = isJsonObject(schema) ? schema["properties"] : undefined;
	if (!isJsonObject(properties) || !isJsonObject(value)) return [];
	return Object.entries(properties).flatMap(([name, property]) => {
		const given = Object.hasOwn(value, name) ? value[name] : undefined;
		if (!isJsonObject(property) || given === undefined || given === null) return [];
		const header = property["x-mcp-header"];
		const isPlain = typeof given === "string" || typeof given === "number" || typeof given === "boolean";
		if (typeof header === "string" && isPlain) return [`Mcp-Param-${header}: ${headerValue(String(given))}`];
		return parametersOf(property, given);
	});
}

/** A text as a header's value; text that a header cannot carry is in base64. */
function headerValue(text: string): string {
	const isPlain = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
	return isPlain ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}

/** Words that a POSIX shell takes as they are. One with `=` could be an assignment. */
const plain = /^[A-Za-z0-9_@%+:,./-]+$/;
/** Characters that would do something at a terminal before the shell sees them, or that nobody sees. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/**
 * Any text as one word of a shell: nothing of it is expanded, and pasting it presses no keys. Control and hidden
 * characters need `$'…'`, which bash, zsh, ksh and POSIX since 2024 support.
 */
function shellWord(text: string): string {
	if (plain.test(text)) return text;
	if (!hidden.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
	const bytes = [...new TextEncoder().encode(text)].map((byte) => {
		const character = String.fromCharCode(byte);
		if (character === "'" || character === "\\") return `\\${character}`;
		// Three octal digits: a hexadecimal escape would take the digits that follow it as well.
		return byte >= 0x20 && byte < 0x7f ? character : `\\${byte.toString(8).padStart(3, "0")}`;
	});
	return `$'${bytes.join("")}'`;
}

/** Words as a shell's command. */
export function shellWords(words: readonly string[]): string {
	return words.map(shellWord).join(" ");
}

/** Values that are not secret. */
const harmless = /^(?:\d{1,5}|true|false)?$/i;

/** The placeholder for a secret, or for a value that only the configuration contains. */
function placeholder(name: string): string {
	return `<${name.replace(/[^\w:. -]/g, "") || "secret"}>`;
}

/** The value of a header or a variable of the environment: it is copied only if it cannot be a secret. */
export function environmentValue(name: string, value: string): string {
	return harmless.test(value) && !isSecret(name, undefined, "entry") ? value : placeholder(name);
}

const writer = new SafeWriter(knowsNone, { context: "entry", mark: placeholder });

/**
 * The arguments of a command without text that looks like a secret; variables of the configuration are replaced by
 * placeholders.
 */
export function withoutSecrets(args: readonly string[]): readonly string[] {
	return writer.words(args).map(withVariables);
}

/** An address without what in it looks like a secret. */
export function urlWithoutSecrets(text: string): string {
	return withVariables(writer.text(text));
}

/** `${input:key}` as `<input:key>`: its value is known when the server starts, and may be a secret. */
function withVariables(text: string): string {
	return text.replace(/\$\{([^{}]*)\}/g, (_, variable: string) => placeholder(variable));
}
