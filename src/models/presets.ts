import { decoded } from "../base/words.ts";
import type { EndpointKind } from "./endpoints.ts";

/** A common endpoint, as the start of a setting for one. */
export interface EndpointPreset {
	readonly kind: EndpointKind;
	readonly name: string;
	readonly baseURL: string;
	/** Notes before choosing it. */
	readonly hint: string;
	readonly key: "none" | "optional" | "required";
	/** Whether it runs on this machine, so that it can be looked for. */
	readonly isLocal: boolean;
	/** Whether the address contains a part that the user must fill in. */
	readonly isTemplate?: boolean;
	/** Whether its models must be named, because its list differs from the usable ones. */
	readonly namesModels?: boolean;
}

/** The choices of `Add Model Endpoint…`, local ones first. The ports are those of their documentation. */
export const endpointPresets: readonly EndpointPreset[] = [
	local("ollama", "Ollama", 11434),
	local("lm-studio", "LM Studio", 1234),
	local("llama.cpp", "llama.cpp", 8080),
	local("vllm", "vLLM", 8000),
	remote("openai", "OpenAI", "https://api.openai.com/v1", "needs an API key"),
	remote(
		"gemini",
		"Gemini",
		"https://generativelanguage.googleapis.com/v1beta/openai",
		"needs an API key from Google AI Studio",
	),
	remote("anthropic", "Anthropic", "https://api.anthropic.com/v1", "needs an API key"),
	remote("mistral", "Mistral", "https://api.mistral.ai/v1", "needs an API key"),
	remote("deepseek", "DeepSeek", "https://api.deepseek.com/v1", "needs an API key"),
	remote(
		"qwen",
		"Qwen",
		"https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
		"Alibaba Cloud's Model Studio, also that of your workspace; needs an API key",
	),
	remote("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", "many providers, needs an API key"),
	{
		...remote("azure", "Azure OpenAI", "https://your-resource.openai.azure.com/openai/v1", "your deployments"),
		isTemplate: true,
		namesModels: true,
	},
];

function local(kind: EndpointKind, name: string, port: number): EndpointPreset {
	const key = kind === "vllm" || kind === "llama.cpp" ? "optional" : "none";
	const hint = key === "none" ? "on this machine, no key" : "on this machine, usually without a key";
	return { kind, name, baseURL: `http://127.0.0.1:${port}/v1`, hint, key, isLocal: true };
}

function remote(kind: EndpointKind, name: string, baseURL: string, hint: string): EndpointPreset {
	return { kind, name, baseURL, hint, key: "required", isLocal: false };
}

/** The data in an address of Azure: the base, and the additional parts of its older form. */
export interface AzureAddress {
	readonly baseURL: string;
	readonly apiVersion: string | undefined;
	readonly deployment: string | undefined;
}

/**
 * Reads an address in the form of Azure's portal, such as
 * `https://r.openai.azure.com/openai/deployments/gpt/chat/completions?api-version=2024-10-21`. A bare resource becomes
 * the address of its current API. Undefined when it is not an address.
 */
export function readAzureAddress(text: string): AzureAddress | undefined {
	const url = URL.parse(text.trim());
	if (url === null) return undefined;
	const deployment = /\/openai\/deployments\/([^/]+)/.exec(url.pathname)?.[1];
	const apiVersion = url.searchParams.get("api-version") ?? undefined;
	if (deployment !== undefined) {
		return { baseURL: `${url.origin}/openai`, apiVersion, deployment: decoded(deployment) };
	}
	const path = url.pathname.replace(/\/(chat\/completions|models)?\/?$/, "");
	const base = path === "" || path === "/openai" ? "/openai/v1" : path;
	// The current API has no version in its address.
	const isDated = apiVersion !== undefined && !base.endsWith("/v1");
	return { baseURL: `${url.origin}${base}`, apiVersion: isDated ? apiVersion : undefined, deployment: undefined };
}
