import { HostError } from "../base/errors.ts";
import { isJsonObject } from "../base/json.ts";
import { endpointLabel, type ModelEndpoint } from "./endpoints.ts";

/** A model as its endpoint lists it. */
export interface ListedModel {
	readonly name: string;
	/** The length of its context, where the endpoint tells it (vLLM, OpenRouter). */
	readonly contextLength: number | undefined;
}

/** A listing is a courtesy: nobody waits long for it. */
const timeoutMs = 5000;

/** More than any endpoint serves sensibly, and a bound for one that answers nonsense. */
const mostModels = 1000;

/**
 * The models that an endpoint offers, by `GET /models`. Plain `fetch`, so that listing does not load the openai package.
 * Rejects with a HostError `model` that names the endpoint and the next step, or with the signal's reason when aborted.
 */
export async function listModels(
	endpoint: ModelEndpoint,
	apiKey: string | undefined,
	signal?: AbortSignal,
): Promise<readonly ListedModel[]> {
	const label = endpointLabel(endpoint);
	const timeout = AbortSignal.timeout(timeoutMs);
	let status: number;
	let body: unknown;
	try {
		const response = await fetch(`${endpoint.baseURL}/models`, {
			headers: { accept: "application/json", ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }) },
			// The key belongs to this origin: another address is not followed.
			redirect: "manual",
			signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
		});
		status = response.status;
		body = response.ok ? await response.json() : undefined;
	} catch (cause) {
		signal?.throwIfAborted();
		if (cause instanceof SyntaxError) throw unusable(label, cause);
		const problem = timeout.aborted ? `did not answer within ${timeoutMs / 1000} seconds` : "cannot be reached";
		throw new HostError("model", `${label} ${problem}. Start it, or check its address in "MCP Host: Manage Models…".`, {
			cause,
		});
	}
	if (status === 401 || status === 403) {
		throw new HostError("model", `${label} refused the API key. Set it with "MCP Host: Manage Models…".`);
	}
	if (body === undefined) {
		throw new HostError(
			"model",
			`${label} does not list its models (status ${status}). Check its address, or name its models in the setting mcpHost.models.`,
		);
	}
	const data = isJsonObject(body) ? body["data"] : undefined;
	if (!Array.isArray(data)) throw unusable(label);
	return (data as readonly unknown[]).flatMap(readModel).slice(0, mostModels);
}

function readModel(entry: unknown): ListedModel[] {
	if (!isJsonObject(entry) || typeof entry["id"] !== "string" || entry["id"] === "") return [];
	const length = entry["max_model_len"] ?? entry["context_length"];
	return [{ name: entry["id"], contextLength: typeof length === "number" && length > 0 ? length : undefined }];
}

function unusable(label: string, cause?: unknown): HostError {
	return new HostError(
		"model",
		`${label} answered with something that is not a list of models. Check that its address ends as its documentation says, usually in /v1.`,
		{ cause },
	);
}
