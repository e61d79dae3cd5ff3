import type { JsonObject } from "../base/json.ts";
import { ModelFailure } from "./failure.ts";

/**
 * The software of an endpoint, as far as it matters: how its key is sent, and where it reports more about its models.
 */
export const endpointKinds = [
	"openai",
	"ollama",
	"lm-studio",
	"llama.cpp",
	"vllm",
	"openrouter",
	"azure",
	"gemini",
	"anthropic",
	"mistral",
	"deepseek",
	"qwen",
	"github",
	"other",
] as const;

/** See {@link endpointKinds}. */
export type EndpointKind = (typeof endpointKinds)[number];

/**
 * The configurable traits of a model beside its name, for all models of an endpoint or for some. Absent: not
 * configured.
 */
export interface ModelTraits {
	readonly maxInputTokens?: number;
	readonly maxOutputTokens?: number;
	readonly tools?: boolean;
	readonly images?: boolean;
	/** Under which name the limit on an answer's tokens is sent. */
	readonly maxTokensField?: "max_tokens" | "max_completion_tokens";
	/** The role that our instructions are given in. */
	readonly systemRole?: "system" | "developer" | "user";
	/** Fields of every request, over our own; null leaves a field out. */
	readonly parameters?: JsonObject;
}

/** Traits of the models that match a pattern: a model's name, in which `*` matches any text. */
export interface ModelOverride {
	readonly pattern: string;
	readonly traits: ModelTraits;
}

/** An OpenAI-compatible endpoint as configured in `mcpHost.models`. Never holds its key. */
export interface ModelEndpoint {
	/** Unique, and the first part of the ids of its models, such as `lm-studio`. */
	readonly id: string;
	/** The name shown, such as `LM Studio`. */
	readonly name: string;
	/** The address without a slash at its end, such as `http://127.0.0.1:11434/v1`. */
	readonly baseURL: string;
	readonly kind: EndpointKind;
	/** Azure's `api-version`, which its older addresses demand. */
	readonly apiVersion: string | undefined;
	/** The header for the key, unchanged; absent for the kind's default, usually `Authorization: Bearer …`. */
	readonly keyHeader: string | undefined;
	/** Further headers of every request; none of them is secret. */
	readonly headers: Readonly<Record<string, string>>;
	/** The names of further headers whose values are kept in the secret store. */
	readonly secretHeaders: readonly string[];
	/** Their values, only where a request is made right now (`ApiKeys.filled`). */
	readonly secretValues?: Readonly<Record<string, string>>;
	/** The models to offer; absent for all that the endpoint lists. */
	readonly models: readonly string[] | undefined;
	readonly traits: ModelTraits;
	/** In the order of the setting; where several match a model, the last one decides. */
	readonly overrides: readonly ModelOverride[];
}

/** Where the API key of an endpoint may be sent, and the key of its storage: scheme, host and port (SEC-06). */
export function originOf(endpoint: { readonly baseURL: string }): string {
	return new URL(endpoint.baseURL).origin;
}

/** The id of an endpoint by its name; names that differ only by case or signs would share the ids of their models. */
export function endpointId(name: string): string {
	return name
		.trim()
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, "-");
}

/** The display name of an endpoint: `Ollama (127.0.0.1:11434)`. */
export function endpointLabel(endpoint: { readonly name: string; readonly baseURL: string }): string {
	return `${endpoint.name} (${new URL(endpoint.baseURL).host})`;
}

/**
 * The normalised address, or one sentence that says why it cannot be used. The address of a whole request, as copied from
 * an example, is cut down to the base.
 */
export function checkBaseURL(text: string): { readonly url: string } | { readonly problem: string } {
	const url = URL.parse(text.trim());
	if (url === null) return { problem: "Enter a full address, such as http://127.0.0.1:11434/v1." };
	if (url.protocol !== "http:" && url.protocol !== "https:")
		return { problem: "The address must start with http:// or https://." };
	if (url.username !== "" || url.password !== "") {
		return {
			problem: "The address must not contain a user name or password. Set an API key with MCP Host: Manage Models…",
		};
	}
	if (url.search !== "" || url.hash !== "") return { problem: "The address must not contain ? or #." };
	return { url: url.href.replace(/\/(chat\/completions|models)\/?$/, "").replace(/(?<!\/)\/+$/, "") };
}

/** The software at an address, by its host or its usual port. */
export function guessKind(baseURL: string): EndpointKind {
	const { hostname, port } = new URL(baseURL);
	if (/\.(openai\.azure|cognitiveservices\.azure|services\.ai\.azure)\.(com|us|cn)$/.test(hostname)) return "azure";
	const known = kindsByHost.find(([pattern]) => pattern.test(hostname));
	if (known !== undefined) return known[1];
	if (port === "11434") return "ollama";
	return port === "1234" ? "lm-studio" : "other";
}

const kindsByHost: readonly (readonly [host: RegExp, kind: EndpointKind])[] = [
	[/(^|\.)openai\.com$/, "openai"],
	[/^openrouter\.ai$/, "openrouter"],
	[/^(generativelanguage|aiplatform|[a-z0-9-]+-aiplatform)\.googleapis\.com$/, "gemini"],
	[/^api\.anthropic\.com$/, "anthropic"],
	[/(^|\.)mistral\.ai$/, "mistral"],
	[/(^|\.)deepseek\.com$/, "deepseek"],
	// By region, or by workspace.
	[/(^|\.)(dashscope[a-z-]*|maas)\.aliyuncs\.com$/, "qwen"],
	[/^models\.(github\.ai|inference\.ai\.azure\.com)$/, "github"],
];

/** The characters of a key that a header can carry (RFC 6750, 2.1, allows even fewer). */
const sendable = /^[\x21-\x7e]+$/;
/** RFC 9110, 5.5. */
const sendableHeader = /^[\x20-\x7e]+$/;

/**
 * The address and the headers of a request to an endpoint. The key is used only in these headers.
 * @throws ModelFailure `refused` for a key or a secret value that no header can carry; the error of `fetch` would quote
 * it.
 */
export function requestTo(
	endpoint: ModelEndpoint,
	apiKey: string | undefined,
): { readonly headers: Readonly<Record<string, string>>; readonly query: Readonly<Record<string, string>> } {
	const headers: Record<string, string> = { ...endpoint.headers };
	if (apiKey !== undefined) {
		if (!sendable.test(apiKey)) {
			const message = `The API key of ${endpointLabel(endpoint)} cannot be sent: it contains characters that are not allowed. Set the API key with "MCP Host: Manage Models…".`;
			throw new ModelFailure("refused", message);
		}
		if (endpoint.keyHeader !== undefined) headers[endpoint.keyHeader] = apiKey;
		else if (endpoint.kind === "azure") headers["api-key"] = apiKey;
		else headers["authorization"] = `Bearer ${apiKey}`;
	}
	for (const [name, value] of Object.entries(endpoint.secretValues ?? {})) {
		if (!sendableHeader.test(value)) {
			const message = `The header ${name} of ${endpointLabel(endpoint)} cannot be sent: its value contains characters that a header cannot have. Set it with "MCP Host: Manage Models…".`;
			throw new ModelFailure("refused", message);
		}
		headers[name] = value;
	}
	return { headers, query: endpoint.apiVersion === undefined ? {} : { "api-version": endpoint.apiVersion } };
}

/** The values that were sent to an endpoint and must not be repeated: its key, and the values of its secret headers. */
export function secretsOf({ secretValues = {} }: ModelEndpoint, apiKey: string | undefined): readonly string[] {
	return [...(apiKey === undefined ? [] : [apiKey]), ...Object.values(secretValues)].filter((secret) => secret !== "");
}
