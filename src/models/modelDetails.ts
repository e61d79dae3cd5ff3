import { isJsonObject, type Json, type JsonObject } from "../base/json.ts";
import { askBriefly, type BriefQuestion } from "./brief.ts";
import type { EndpointKind, ModelEndpoint } from "./endpoints.ts";
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

/** Details are worth less than a listing: a server that does not answer at once goes without them. */
const timeoutMs = 2000;
/** Ollama tells of one model at a time. */
const mostAsked = 60;
const atOnce = 4;
/** What Ollama gives a model that nobody has configured more for (its documentation, "num_ctx"); newer ones give more. */
const usualOllamaContext = 4096;

/**
 * Adds what Ollama, LM Studio and llama.cpp tell of their models in APIs of their own, on the same origin. What they do
 * not tell, or not in time, stays unknown. Never rejects.
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

/** Google's own API knows limits and what a model is for (ai.google.dev/api/models); it is beside the compatible one. */
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
	const entries = new Map(listOf(known?.body?.["models"]).map((entry) => [entry["name"], entry]));
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
		// What can be asked may still be one that paints or speaks, which its name tells.
		...(canChat ? {} : { chats: false }),
	};
}

async function askOllama(models: readonly ListedModel[], ask: Ask): Promise<readonly ListedModel[]> {
	const [first] = models;
	const sample = first === undefined ? undefined : await ask("/api/show", { model: first.name });
	// Whoever does not answer this is no Ollama, or an old one.
	if (sample === undefined) return models;
	const loaded = await ask("/api/ps");
	const running = new Map(listOf(loaded?.["models"]).map((entry) => [entry["name"], entry["context_length"]]));
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
 * The context of a loaded model is what it has. Of another, Ollama knows what the model could have and what its file
 * configures; without either, it gets the server's default, and what exceeds it is cut off without a word.
 */
function readOllama(shown: JsonObject, loaded: Json | undefined): Partial<ListedModel> {
	const { model_info: info, capabilities, parameters } = shown;
	const trained = isJsonObject(info)
		? positive(Object.entries(info).find(([key]) => key.endsWith(".context_length"))?.[1])
		: undefined;
	const configured = typeof parameters === "string" ? /^num_ctx\s+(\d+)\s*$/m.exec(parameters)?.[1] : undefined;
	const contextLength =
		positive(loaded) ?? Math.min(positive(Number(configured)) ?? usualOllamaContext, trained ?? Infinity);
	const context = { contextLength, ...(trained !== undefined && trained > contextLength && { mostContext: trained }) };
	if (!Array.isArray(capabilities)) return context;
	return {
		...context,
		tools: capabilities.includes("tools"),
		images: capabilities.includes("vision"),
		chats: capabilities.includes("completion"),
	};
}

async function askLmStudio(models: readonly ListedModel[], ask: Ask): Promise<readonly ListedModel[]> {
	const entries = new Map(listOf((await ask("/api/v0/models"))?.["data"]).map((entry) => [entry["id"], entry]));
	return models.map((model) => {
		const entry = entries.get(model.name);
		if (entry === undefined) return model;
		const contextLength = positive(entry["loaded_context_length"]) ?? positive(entry["max_context_length"]);
		const { type, capabilities } = entry;
		return {
			...model,
			...(contextLength === undefined ? {} : { contextLength }),
			...(Array.isArray(capabilities) ? { tools: capabilities.includes("tool_use") } : {}),
			...(typeof type === "string" ? { images: type === "vlm", chats: type === "llm" || type === "vlm" } : {}),
		};
	});
}

/** llama.cpp serves one model; what each of its slots gets is the context that counts. */
async function askLlamaCpp(models: readonly ListedModel[], ask: Ask): Promise<readonly ListedModel[]> {
	const properties = await ask("/props");
	const { default_generation_settings: settings, modalities } = properties ?? {};
	const contextLength = isJsonObject(settings) ? positive(settings["n_ctx"]) : undefined;
	return models.map((model) => ({
		...model,
		...(contextLength === undefined ? {} : { contextLength }),
		...(isJsonObject(modalities) ? { images: modalities["vision"] === true } : {}),
	}));
}

function listOf(value: Json | undefined): readonly JsonObject[] {
	return Array.isArray(value) ? (value as readonly unknown[]).filter(isJsonObject) : [];
}

function positive(value: Json | undefined): number | undefined {
	return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : undefined;
}
