import { isJsonObject, type Json, type JsonObject, objectsIn } from "../base/json.ts";
import { askBriefly, type BriefQuestion } from "./brief.ts";
import type { EndpointKind, ModelEndpoint } from "./endpoints.ts";
import type { LongerContext } from "./model.ts";
import type { ListedModel } from "./profile.ts";

/** Where details are asked for, and on whose behalf. */
export interface DetailsContext {
	readonly endpoint: ModelEndpoint;
	readonly kind: EndpointKind;
	/** Those of the endpoint, whose origin this is too. */
	readonly headers: Readonly<Record<string, string>>;
	readonly signal: AbortSignal | undefined;
}

type Ask = (path: string, body?: JsonObject) => Promise<JsonObject | undefined>;

/** Details are less important than a listing: a slow server gets none. */
const timeoutMs = 2000;
/** Ollama reports one model at a time. */
const mostAsked = 60;
const atOnce = 4;
/** Ollama's default context of a model (its documentation, "num_ctx"); newer versions give more. */
const usualOllamaContext = 4096;

/**
 * Adds the data of Ollama, LM Studio and llama.cpp about their models in their own APIs, on the same origin. Missing or
 * late data stays unknown. Never rejects.
 */
export async function askDetails(
	models: readonly ListedModel[],
	context: DetailsContext,
): Promise<readonly ListedModel[]> {
	const root = context.endpoint.baseURL.replace(/\/v1$/, "");
	const ask: Ask = async (path, body) => {
		const timeout = AbortSignal.timeout(timeoutMs);
		const signal = context.signal === undefined ? timeout : AbortSignal.any([context.signal, timeout]);
		const question: BriefQuestion = { url: `${root}${path}`, headers: context.headers, signal };
		try {
			return (await askBriefly(body === undefined ? question : { ...question, body })).body;
		} catch {
			return undefined;
		}
	};
	if (context.kind === "gemini") return askGemini(models, context);
	if (context.kind === "ollama") return askOllama(models, ask);
	if (context.kind === "lm-studio") return askLmStudio(models, ask);
	return context.kind === "llama.cpp" ? askLlamaCpp(models, ask) : models;
}

/**
 * Google's own API reports limits and the purpose of a model (ai.google.dev/api/models); it is beside the compatible
 * one.
 */
async function askGemini(
	models: readonly ListedModel[],
	{ endpoint, headers, signal }: DetailsContext,
): Promise<readonly ListedModel[]> {
	const root = endpoint.baseURL.replace(/\/openai$/, "");
	const key = headers["authorization"]?.replace(/^Bearer /, "");
	if (root === endpoint.baseURL || key === undefined) return models;
	const timeout = AbortSignal.timeout(timeoutMs);
	const known = await askBriefly({
		url: `${root}/models?pageSize=1000`,
		headers: { "x-goog-api-key": key },
		signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
	}).catch(() => undefined);
	const entries = new Map(objectsIn(known?.body?.["models"]).map((entry) => [entry["name"], entry]));
	return models.map((model) => {
		const entry = entries.get(`models/${model.name}`);
		return entry === undefined ? model : { ...model, ...readGemini(entry, model.name) };
	});
}

function readGemini(
	{ inputTokenLimit, outputTokenLimit, supportedGenerationMethods: methods }: JsonObject,
	name: string,
) {
	const contextLength = positive(inputTokenLimit);
	const maxOutputTokens = positive(outputTokenLimit);
	const canChat = Array.isArray(methods) && methods.includes("generateContent");
	return {
		...(contextLength === undefined ? {} : { contextLength }),
		...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
		...(name.startsWith("gemini-") ? { images: true } : {}),
		// A model that can be requested may still be one for pictures or speech, as its name shows.
		...(canChat ? {} : { chats: false }),
	};
}

async function askOllama(models: readonly ListedModel[], ask: Ask): Promise<readonly ListedModel[]> {
	const [first] = models;
	const sample = first === undefined ? undefined : await ask("/api/show", { model: first.name });
	// A server that does not answer this is not Ollama, or an old version.
	if (sample === undefined) return models;
	const loaded = await ask("/api/ps");
	const running = new Map(objectsIn(loaded?.["models"]).map((entry) => [entry["name"], entry["context_length"]]));
	const answers = new Map([[first?.name, sample]]);
	const rest = models.slice(1, mostAsked).values();
	const worker = async (): Promise<void> => {
		for (const { name } of rest) {
			const shown = await ask("/api/show", { model: name });
			if (shown !== undefined) answers.set(name, shown);
		}
	};
	await Promise.all(Array.from({ length: atOnce }, worker));
	return models.map((model) => {
		const shown = answers.get(model.name);
		return shown === undefined ? model : { ...model, ...readOllama(shown, running.get(model.name)) };
	});
}

/**
 * The context of a loaded model is the actual one. For another model, Ollama knows its maximum and the value in its
 * file. Without either, it gets the server's default, and longer input is cut off silently.
 */
function readOllama(shown: JsonObject, loaded: Json | undefined): Partial<ListedModel> {
	const { model_info: info, capabilities, parameters, remote_host: remote } = shown;
	const trained = isJsonObject(info)
		? positive(Object.entries(info).find(([key]) => key.endsWith(".context_length"))?.[1])
		: undefined;
	const configured = typeof parameters === "string" ? /^num_ctx\s+(\d+)\s*$/m.exec(parameters)?.[1] : undefined;
	// A model that runs elsewhere, in Ollama's cloud, has its whole context (docs.ollama.com, "Context length").
	const usual = typeof remote === "string" && remote !== "" ? trained : usualOllamaContext;
	const given = positive(loaded) ?? positive(Number(configured)) ?? usual;
	const contextLength = given === undefined ? undefined : Math.min(given, trained ?? Infinity);
	const context = contextLength === undefined ? {} : withLongest(contextLength, trained, "ollama");
	if (!Array.isArray(capabilities)) return context;
	return {
		...context,
		tools: capabilities.includes("tools"),
		images: capabilities.includes("vision"),
		chats: capabilities.includes("completion"),
	};
}

/** The API of LM Studio 0.4 and newer, or the one before it (lmstudio.ai/docs/developer/rest). */
async function askLmStudio(models: readonly ListedModel[], ask: Ask): Promise<readonly ListedModel[]> {
	const told = (await ask("/api/v1/models"))?.["models"];
	const entries = Array.isArray(told)
		? new Map(objectsIn(told).flatMap(readLmStudio))
		: new Map(objectsIn((await ask("/api/v0/models"))?.["data"]).map(readOlderLmStudio));
	return models.map((model) => ({ ...model, ...entries.get(model.name) }));
}

/** An entry represents the model, which has the context of its loaded instance, and each loaded instance. */
function readLmStudio(entry: JsonObject): readonly (readonly [name: Json | undefined, told: Partial<ListedModel>])[] {
	const { key, type, loaded_instances: instances, max_context_length: longest, capabilities } = entry;
	const told: Partial<ListedModel> = {
		...(isJsonObject(capabilities)
			? { tools: capabilities["trained_for_tool_use"] === true, images: capabilities["vision"] === true }
			: {}),
		...(typeof type === "string" ? { chats: type === "llm" } : {}),
	};
	const loaded = objectsIn(instances).map(({ id, config }) => {
		const length = isJsonObject(config) ? positive(config["context_length"]) : undefined;
		return [id, { ...told, ...withLongest(length, positive(longest), "lm-studio") }] as const;
	});
	const [first] = loaded;
	return [[key, first?.[1] ?? { ...told, ...withLongest(positive(longest)) }], ...loaded];
}

function readOlderLmStudio(entry: JsonObject): readonly [name: Json | undefined, told: Partial<ListedModel>] {
	const { id, type, capabilities, loaded_context_length: loaded, max_context_length: longest } = entry;
	const told: Partial<ListedModel> = {
		...withLongest(positive(loaded) ?? positive(longest), positive(longest), "lm-studio"),
		...(Array.isArray(capabilities) ? { tools: capabilities.includes("tool_use") } : {}),
		...(typeof type === "string" ? { images: type === "vlm", chats: type === "llm" || type === "vlm" } : {}),
	};
	return [id, told];
}

/**
 * The context of each slot of llama.cpp counts. A router of several models reports them only in its list, and has no
 * context of its own (github.com/ggml-org/llama.cpp/tree/master/tools/server).
 */
async function askLlamaCpp(models: readonly ListedModel[], ask: Ask): Promise<readonly ListedModel[]> {
	const properties = await ask("/props");
	const { default_generation_settings: settings, modalities } = properties ?? {};
	const contextLength = isJsonObject(settings) ? positive(settings["n_ctx"]) : undefined;
	return models.map((model) => ({
		...model,
		...(contextLength === undefined
			? {}
			: withLongest(contextLength, model.longerContext?.tokens ?? model.contextLength, "llama.cpp")),
		...(isJsonObject(modalities) ? { images: modalities["vision"] === true } : {}),
	}));
}

/** The length of a context, and how long it could be where that is more. */
function withLongest(
	contextLength: number | undefined,
	longest?: number,
	by?: LongerContext["by"],
): Pick<ListedModel, "contextLength" | "longerContext"> {
	if (contextLength === undefined) return {};
	const isMore = by !== undefined && longest !== undefined && longest > contextLength;
	return { contextLength, ...(isMore ? { longerContext: { tokens: longest, by } } : {}) };
}

function positive(value: Json | undefined): number | undefined {
	return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : undefined;
}
