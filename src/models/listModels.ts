import { HostError } from "../base/errors.ts";
import { isJsonObject, type Json } from "../base/json.ts";
import { askBriefly, type BriefAnswer } from "./brief.ts";
import { endpointLabel, requestTo, type EndpointKind, type ModelEndpoint } from "./endpoints.ts";
import { ModelFailure } from "./failure.ts";
import { askDetails } from "./modelDetails.ts";
import type { ListedModel } from "./profile.ts";

/** A listing is optional: nobody waits long for it. */
const timeoutMs = 5000;

/** More than any endpoint serves sensibly, and a bound for one that answers nonsense. */
const mostModels = 1000;
const mostBytes = 16 * 1024 * 1024;

/** How a listing is asked for; the defaults are for endpoints that a user has configured. */
export interface ListOptions {
	readonly signal?: AbortSignal;
	readonly timeoutMs?: number;
	/**
	 * Whether it is a configured endpoint, as by default; otherwise the message gives advice for one that is being added.
	 */
	readonly isSaved?: boolean;
	/** Continues the message about an endpoint that cannot be reached, such as which machine its address means. */
	readonly note?: string;
}

/**
 * The models that an endpoint offers, by `GET /models` and, where its kind has one, by its own API, which knows contexts
 * and capabilities. Plain `fetch`, so that listing does not load the openai package.
 * Rejects with a ModelFailure that names the endpoint and the next step, or with the signal's reason when aborted.
 */
export async function listModels(
	endpoint: ModelEndpoint,
	apiKey: string | undefined,
	options: ListOptions = {},
): Promise<readonly ListedModel[]> {
	const label = endpointLabel(endpoint);
	const isSaved = options.isSaved !== false;
	const patience = options.timeoutMs ?? timeoutMs;
	const timeout = AbortSignal.timeout(patience);
	const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
	const { headers, query } = requestTo(endpoint, apiKey);
	let answer: BriefAnswer;
	try {
		const parameters = new URLSearchParams({ ...query, ...listQuery(endpoint) }).toString();
		const url = `${listAddress(endpoint)}${parameters === "" ? "" : `?${parameters}`}`;
		answer = await askBriefly({
			url,
			headers: { ...headers, ...listHeaders(endpoint, apiKey) },
			signal,
			maxBytes: mostBytes,
		});
	} catch (cause) {
		options.signal?.throwIfAborted();
		if (HostError.is(cause, "limit")) throw unusable(label);
		const problem = timeout.aborted ? `did not answer within ${patience / 1000} seconds` : "cannot be reached";
		const advice = isSaved
			? 'Start it, or check its address in "MCP Host: Manage Models…".'
			: "Nothing is saved yet. Start it and try again, or change the address.";
		const message = `${label} ${problem}. ${advice}${options.note ?? ""}`;
		throw new ModelFailure("unreachable", message, { cause });
	}
	const { status, body } = answer;
	if (status === 401 || status === 403) {
		const hasKey = apiKey !== undefined;
		throw new ModelFailure(
			"refused",
			`${label} ${hasKey ? "refused the API key" : "needs an API key"}. ${isSaved ? 'Set it with "MCP Host: Manage Models…".' : "Nothing is saved yet."}`,
		);
	}
	if (status < 200 || status > 299) {
		throw new ModelFailure(
			"other",
			`${label} does not list its models (status ${status}). ${isSaved ? "Check its address, or name" : "Nothing is saved yet. Change the address, or save it anyway and name"} its models in the setting mcpHost.models.`,
		);
	}
	const data = body?.["data"];
	if (!Array.isArray(data)) throw unusable(label);
	const entries = (data as readonly unknown[]).slice(0, mostModels);
	const models = entries.flatMap((entry) => readModel(entry, endpoint.kind));
	return askDetails(models, { endpoint, kind: kindOf(endpoint, entries[0]), headers, signal: options.signal });
}

/** GitHub's list is beside the API that it is of (docs.github.com, "REST API endpoints for models catalog"). */
function listAddress({ kind, baseURL }: ModelEndpoint): string {
	const isCatalog = kind === "github" && baseURL.endsWith("/inference");
	return isCatalog ? `${baseURL.slice(0, -"/inference".length)}/catalog/models` : `${baseURL}/models`;
}

/** Anthropic's list has pages, of twenty unless more are requested (platform.claude.com, "List Models"). */
function listQuery({ kind }: ModelEndpoint): Readonly<Record<string, string>> {
	return kind === "anthropic" ? { limit: String(mostModels) } : {};
}

/** Anthropic's list is of its own API, and takes the key in another header than its compatible one. */
function listHeaders({ kind }: ModelEndpoint, apiKey: string | undefined): Readonly<Record<string, string>> {
	if (kind !== "anthropic" || apiKey === undefined) return {};
	return { "x-api-key": apiKey, "anthropic-version": "2023-06-01" };
}

/**
 * Reads the data in the lists of vLLM, OpenRouter, llama.cpp, LiteLLM, Mistral, Anthropic and GitHub beside the name.
 */
function readModel(entry: unknown, kind: EndpointKind): ListedModel[] {
	if (!isJsonObject(entry) || typeof entry["id"] !== "string" || entry["id"] === "") return [];
	// Gemini has the name of its own API's resource there; the name alone is taken as well.
	const name = kind === "gemini" ? entry["id"].replace(/^models\//, "") : entry["id"];
	const { architecture, top_provider: provider, supported_parameters: parameters, meta } = entry;
	const contextLength = firstPositive(
		entry["max_model_len"],
		entry["context_length"],
		entry["context_window"],
		entry["max_context_length"],
		entry["max_input_tokens"],
		isJsonObject(entry["limits"]) ? entry["limits"]["max_input_tokens"] : undefined,
		isJsonObject(meta) ? meta["n_ctx"] : undefined,
		isJsonObject(meta) ? meta["n_ctx_train"] : undefined,
	);
	// For llama.cpp: the trained context of the model, if it was given less.
	const trained = isJsonObject(meta) ? firstPositive(meta["n_ctx_train"]) : undefined;
	const isShort = trained !== undefined && contextLength !== undefined && trained > contextLength;
	const maxOutputTokens = firstPositive(
		isJsonObject(provider) ? provider["max_completion_tokens"] : undefined,
		isJsonObject(entry["limits"]) ? entry["limits"]["max_output_tokens"] : undefined,
		kind === "anthropic" ? entry["max_tokens"] : undefined,
	);
	const modalities = (which: string): Json | undefined =>
		isJsonObject(architecture) ? architecture[`${which}_modalities`] : entry[`supported_${which}_modalities`];
	const [inputs, outputs] = [modalities("input"), modalities("output")];
	return [
		{
			name,
			...readCapabilities(entry["capabilities"]),
			...(contextLength === undefined ? {} : { contextLength }),
			...(isShort ? { longerContext: { tokens: trained, by: "llama.cpp" } as const } : {}),
			...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
			...(Array.isArray(inputs) ? { images: inputs.includes("image") } : {}),
			...(Array.isArray(parameters) ? { tools: parameters.includes("tools") } : {}),
			...(Array.isArray(outputs) && !outputs.includes("text") ? { chats: false } : {}),
		},
	];
}

/** Mistral and Anthropic have an object of a model's capabilities, GitHub a list. */
function readCapabilities(value: Json | undefined): Partial<ListedModel> {
	if (Array.isArray(value)) return { tools: value.includes("tool-calling") };
	if (!isJsonObject(value)) return {};
	const { function_calling: tools, vision, image_input: image, completion_chat: chats } = value;
	const images = isJsonObject(image) ? image["supported"] : vision;
	return {
		...(typeof tools === "boolean" ? { tools } : {}),
		...(typeof images === "boolean" ? { images } : {}),
		...(typeof chats === "boolean" ? { chats } : {}),
	};
}

/** The software of an endpoint without a setting for it, by the owner that it reports for its models. */
function kindOf(endpoint: ModelEndpoint, entry: unknown): EndpointKind {
	if (endpoint.kind !== "other" || !isJsonObject(entry)) return endpoint.kind;
	return owners.get(entry["owned_by"]) ?? "other";
}

const owners: ReadonlyMap<Json | undefined, EndpointKind> = new Map([
	["library", "ollama"],
	["organization_owner", "lm-studio"],
	["llamacpp", "llama.cpp"],
	["vllm", "vllm"],
] as const);

function firstPositive(...values: readonly (Json | undefined)[]): number | undefined {
	return values.find((value): value is number => typeof value === "number" && Number.isFinite(value) && value > 0);
}

function unusable(label: string): HostError {
	return new ModelFailure(
		"other",
		`${label} did not answer with a list of models. Check the address in its documentation; it usually ends in /v1.`,
	);
}
