import { isJsonObject, type Json, type JsonObject } from "../base/json.ts";
import { oneLine } from "../base/text.ts";

/** An OpenAI-compatible endpoint as configured in `mcpHost.models`. Never holds its key. */
export interface ModelEndpoint {
	/** Unique, and the first part of the ids of its models, such as `lm-studio`. */
	readonly id: string;
	/** The name shown, such as `LM Studio`. */
	readonly name: string;
	/** The address without a slash at its end, such as `http://127.0.0.1:11434/v1`. */
	readonly baseURL: string;
	/** The models to offer; absent for all that the endpoint lists. */
	readonly models: readonly string[] | undefined;
	readonly maxInputTokens: number;
	readonly maxOutputTokens: number;
	readonly images: boolean;
	readonly tools: boolean;
}

/** The good entries of the setting, and one readable sentence for each fault. */
export interface ParsedEndpoints {
	readonly endpoints: readonly ModelEndpoint[];
	readonly problems: readonly string[];
}

/** Endpoints that people commonly run, for the quick pick of Manage Models. */
export const endpointPresets: readonly { readonly name: string; readonly baseURL: string; readonly hint: string }[] = [
	{ name: "Ollama", baseURL: "http://127.0.0.1:11434/v1", hint: "local, no key" },
	{ name: "LM Studio", baseURL: "http://127.0.0.1:1234/v1", hint: "local, no key" },
	{ name: "vLLM", baseURL: "http://127.0.0.1:8000/v1", hint: "local or your own" },
	{ name: "OpenAI", baseURL: "https://api.openai.com/v1", hint: "needs an API key" },
];

/** Where the API key of an endpoint may be sent, and under what it is kept: scheme, host and port (security.md SEC-06). */
export function originOf(endpoint: { readonly baseURL: string }): string {
	return new URL(endpoint.baseURL).origin;
}

/** What people see of an endpoint: `Ollama (127.0.0.1:11434)`. */
export function endpointLabel(endpoint: { readonly name: string; readonly baseURL: string }): string {
	return `${endpoint.name} (${new URL(endpoint.baseURL).host})`;
}

/** The normalised address, or one sentence that says why it cannot be used. */
export function checkBaseURL(text: string): { readonly url: string } | { readonly problem: string } {
	const url = URL.parse(text.trim());
	if (url === null) return { problem: "Write a full address, such as http://127.0.0.1:11434/v1." };
	if (url.protocol !== "http:" && url.protocol !== "https:")
		return { problem: "The address must start with http:// or https://." };
	if (url.username !== "" || url.password !== "") {
		return { problem: "Leave user name and password out of the address; a key is set with MCP Host: Manage Models…" };
	}
	if (url.search !== "" || url.hash !== "") return { problem: "The address must end with its path: no ? and no #." };
	return { url: url.href.replace(/\/+$/, "") };
}

/** Reads the setting `mcpHost.models`. A faulty entry is reported and left out; the others stay. Never throws. */
export function parseEndpoints(setting: unknown): ParsedEndpoints {
	if (!Array.isArray(setting)) {
		return { endpoints: [], problems: setting === undefined ? [] : ["mcpHost.models must be a list of endpoints."] };
	}
	const endpoints: ModelEndpoint[] = [];
	const problems: string[] = [];
	for (const [index, entry] of (setting as readonly unknown[]).entries()) {
		const parsed = parseEndpoint(entry);
		if (typeof parsed === "string") problems.push(`mcpHost.models, entry ${index + 1}: ${parsed}`);
		else if (endpoints.some(({ id }) => id === parsed.id)) {
			problems.push(
				`mcpHost.models, entry ${index + 1}: the name "${parsed.name}" is used by another endpoint, or too much like its name.`,
			);
		} else endpoints.push(parsed);
	}
	return { endpoints, problems };
}

function parseEndpoint(entry: unknown): ModelEndpoint | string {
	if (!isJsonObject(entry)) return "an endpoint has a name and a baseURL.";
	const { name, baseURL, models, images, tools } = entry;
	if (typeof name !== "string" || name.trim() === "") return "the name is missing.";
	if (typeof baseURL !== "string") return `the baseURL of "${oneLine(name)}" is missing.`;
	const address = checkBaseURL(baseURL);
	if ("problem" in address) return `the baseURL of "${oneLine(name)}" cannot be used. ${address.problem}`;
	if (models !== undefined && !isTextList(models)) return `the models of "${oneLine(name)}" must be a list of names.`;
	return {
		id: name
			.trim()
			.toLowerCase()
			.replace(/[^\p{L}\p{N}]+/gu, "-"),
		name: oneLine(name, 60),
		baseURL: address.url,
		models: models === undefined || models.length === 0 ? undefined : [...new Set(models)],
		maxInputTokens: positive(entry, "maxInputTokens", 32_768),
		maxOutputTokens: positive(entry, "maxOutputTokens", 4096),
		images: images === true,
		tools: tools !== false,
	};
}

function isTextList(value: Json): value is readonly string[] {
	return Array.isArray(value) && value.every((item) => typeof item === "string" && item !== "");
}

function positive(entry: JsonObject, key: string, fallback: number): number {
	const value = entry[key];
	return typeof value === "number" && Number.isFinite(value) && value >= 1 ? Math.floor(value) : fallback;
}
