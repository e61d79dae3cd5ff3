import { exactJson } from "../../base/exactJson.ts";
import { HostError } from "../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { shellQuoted } from "../../servers/formats/shellWords.ts";
import type { ServerConfig } from "../../servers/definitions/config.ts";
import type { Exchange, ExchangeBodies, KeptHeaders } from "../../records/trace/exchange.ts";
import type { TraceAction } from "./viewProtocol.ts";

/** The source of an exchange's copy. */
export interface CopySource {
	readonly exchange: Exchange;
	readonly bodies: ExchangeBodies | undefined;
	/** How the server is configured; undefined when it no longer is. Its variables are not resolved. */
	readonly config: ServerConfig | undefined;
}

/** The forms in which an exchange can be copied. */
export type CopyForm = "json" | "curl" | "inspector" | "call";

/** The name of a form after it was copied. */
export const copyForms: Readonly<Record<CopyForm, string>> = {
	json: "JSON-RPC",
	curl: "curl",
	inspector: "Inspector Command",
	call: "Named Call",
};

/** The forms that there are for an exchange, of which only some have what they need. */
export function formsOf({ exchange, bodies, config }: CopySource): readonly TraceAction[] {
	const isRequest = exchange.kind === "request" && exchange.direction === "out";
	const isCall = isRequest && Object.hasOwn(targets, exchange.method);
	const forms: readonly CopyForm[] = [
		"json",
		...(isRequest && config !== undefined && config.kind !== "stdio" ? (["curl"] as const) : []),
		...(isRequest && config !== undefined && Object.hasOwn(options, exchange.method) ? (["inspector"] as const) : []),
		...(isCall ? (["call"] as const) : []),
	];
	return bodies?.request?.kind === "whole" ? forms.map((form) => ({ id: `copy:${form}`, label: copyForms[form] })) : [];
}

/**
 * An exchange in another form. Secrets are replaced by variables of the shell or by marks.
 * @throws HostError `invalid` when its request was not kept whole, or the server is no longer configured.
 */
export function copyOf(source: CopySource, form: CopyForm): string {
	const { exchange, bodies, config } = source;
	const request = bodies?.request;
	if (request?.kind !== "whole")
		throw new HostError("invalid", "The message was not recorded in full, so it cannot be copied.");
	if (form === "json") return exactJson(request.value);
	if (form === "call") return namedCall(exchange, request.value);
	if (config === undefined) throw new HostError("invalid", "The server of this exchange is no longer configured.");
	if (form === "inspector") return inspectorCommand(exchange, request.value, config);
	if (config.kind === "stdio") throw new HostError("invalid", "The server of this exchange has no URL.");
	return curlCommand(config.url, bodies?.requestHeaders, request.value);
}

/** Headers that curl writes itself, or that belong to the connection and not to the request. */
const ownHeaders: ReadonlySet<string> = new Set([
	"authorization",
	"connection",
	"content-length",
	"cookie",
	"dpop",
	"host",
	"mcp-session-id",
	"transfer-encoding",
	"user-agent",
]);

/** A value in which something was hidden. */
const hidden = /\u27E6[^\u27E6\u27E7]*\u27E7/;

function curlCommand(url: string, headers: KeptHeaders | undefined, message: Json): string {
	const kept = Object.entries(headers ?? {}).filter(([name, value]) => !ownHeaders.has(name) && !hidden.test(value));
	const sent = new Map([
		["content-type", "application/json"],
		["accept", "application/json, text/event-stream"],
		...kept,
	]);
	const lines = [
		`curl -X POST ${shellQuoted(url)}`,
		...[...sent].map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
		// In double quotes, in which the shell puts the token in.
		'-H "Authorization: Bearer $TOKEN"',
		...(headers !== undefined && Object.hasOwn(headers, "mcp-session-id") ? ['-H "Mcp-Session-Id: $SESSION"'] : []),
		`--data-raw ${shellQuoted(JSON.stringify(message))}`,
	];
	return lines.join(" \\\n  ");
}

/** Which option of the Inspector's command line names what a method is about, and which gives it arguments. */
const options: Readonly<Record<string, { readonly target?: string; readonly argument?: string }>> = {
	"tools/list": {},
	"resources/list": {},
	"resources/templates/list": {},
	"prompts/list": {},
	"tools/call": { target: "--tool-name", argument: "--tool-arg" },
	"resources/read": { target: "--uri" },
	"prompts/get": { target: "--prompt-name", argument: "--prompt-args" },
};

function inspectorCommand({ method, target }: Exchange, message: Json, config: ServerConfig): string {
	const { target: named, argument } = options[method] ?? {};
	// The variables that the server needs are set where the command runs.
	const names = config.kind === "stdio" ? Object.keys(config.env).filter((name) => /^\w+$/.test(name)) : [];
	const variables = names.map((name) => ` -e ${shellQuoted(name)}="$${name}"`).join("");
	const words: string[] = [];
	if (config.kind === "stdio") words.push(config.command, ...config.args);
	else words.push(config.url, "--transport", config.kind);
	words.push("--method", method);
	if (named !== undefined && target !== undefined) words.push(named, target);
	const args = argumentsIn(message);
	if (argument !== undefined && args !== undefined) {
		for (const [name, value] of Object.entries(args)) {
			words.push(argument, `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
		}
	}
	return `npx -y @modelcontextprotocol/inspector${variables} --cli ${words.map(shellQuoted).join(" ")}`;
}

/** The member of a named call for a method's subject. */
const targets: Readonly<Record<string, "tool" | "prompt" | "resource">> = {
	"tools/call": "tool",
	"prompts/get": "prompt",
	"resources/read": "resource",
};

/** A file of named calls that holds this one, with what became of it as what is expected. */
function namedCall({ serverName, method, target = "", outcome }: Exchange, message: Json): string {
	const kind = targets[method];
	if (kind === undefined) throw new HostError("invalid", "Only calls of tools, prompts and resources can be named.");
	const args = argumentsIn(message);
	const call = {
		server: serverName,
		[kind]: target,
		...(args === undefined || kind === "resource" ? {} : { arguments: args }),
		...(outcome.kind === "tool-error" ? { expect: { isError: true } } : {}),
	};
	return exactJson({ version: 1, calls: { [`${target} of ${serverName}`]: call } });
}

/** The arguments of a request, if it has any. */
export function argumentsIn(message: Json): JsonObject | undefined {
	const params = isJsonObject(message) ? message["params"] : undefined;
	const args = isJsonObject(params) ? params["arguments"] : undefined;
	return isJsonObject(args) ? args : undefined;
}

/** Whether a part of a value was hidden, so that it cannot be sent unchanged. */
export function holdsMarks(value: Json): boolean {
	return hidden.test(JSON.stringify(value));
}
