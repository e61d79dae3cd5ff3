import { HostError } from "../base/errors.ts";
import { oneLine } from "../base/text.ts";
import { askBriefly } from "./brief.ts";
import { endpointLabel, type ModelEndpoint, requestTo } from "./endpoints.ts";

/** The action when the user wants a longer context for a model, by its id; only links run it. */
export const giveContextCommand = "mcpHost.giveContext";

/** The lengths of a context that are offered, in tokens. Each takes more memory than the one before. */
const lengths: readonly number[] = [8192, 16_384, 32_768, 65_536, 131_072];
/** It shares the weights of the existing model, so it is made immediately. */
const timeoutMs = 30_000;

/** The possible context lengths of a model: more than it has, and no more than it supports. */
export function lengthsFor(now: number, most: number): readonly number[] {
	return lengths.filter((length) => length > now && length <= most);
}

/** The name of a model's copy with a longer context: `qwen3:8b-32k`, `llama3.2:32k`. */
export function nameWithContext(model: string, length: number): string {
	const base = model.replace(/:latest$/, "");
	return `${base}${base.includes(":") ? "-" : ":"}${Math.round(length / 1024)}k`;
}

/**
 * Makes Ollama create a copy of a model with a longer context: "Create a model" of its own API, which takes `num_ctx`
 * as a parameter; the compatible API has none. The existing model stays unchanged.
 * @throws HostError `model` that describes the outcome.
 */
export async function createWithContext(
	endpoint: ModelEndpoint,
	apiKey: string | undefined,
	model: string,
	length: number,
): Promise<string> {
	const name = nameWithContext(model, length);
	const { headers } = requestTo(endpoint, apiKey);
	const body = { model: name, from: model, parameters: { num_ctx: length }, stream: false };
	const url = `${endpoint.baseURL.replace(/\/v1$/, "")}/api/create`;
	const label = endpointLabel(endpoint);
	try {
		const answer = await askBriefly({ url, headers, signal: AbortSignal.timeout(timeoutMs), body });
		if (answer.body?.["status"] === "success") return name;
		const { status } = answer;
		throw new HostError(
			"model",
			`${label} did not create ${oneLine(name, 80)} (status ${status}). ${byHand(model, length)}`,
		);
	} catch (cause) {
		if (HostError.is(cause, "model")) throw cause;
		throw new HostError("model", `${label} cannot be reached, so nothing was created. ${byHand(model, length)}`, {
			cause,
		});
	}
}

function byHand(model: string, length: number): string {
	return `Start Ollama with OLLAMA_CONTEXT_LENGTH=${length} in its environment, or create a copy of ${oneLine(model, 80)} with "PARAMETER num_ctx ${length}".`;
}
