import { HostError } from "../../../src/base/errors.ts";
import type { ModelEndpoint } from "../../../src/models/endpoints.ts";
import type { ModelEvent, ModelMessage, ModelRequestOptions } from "../../../src/models/model.ts";
import { type EndpointModel, respond } from "../../../src/models/openai/openai.ts";
import { parseEndpoints } from "../../../src/models/parseEndpoints.ts";
import { profileOf } from "../../../src/models/profile.ts";

/** The key that the scripted endpoint of these tests requires. */
export const key = "sk-test-0123456789";

export const hello: readonly ModelMessage[] = [{ role: "user", content: [{ type: "text", text: "Hello" }] }];

/** The request, its model, and the patience. */
export interface Asking {
	readonly url: string;
	readonly messages?: readonly ModelMessage[];
	readonly options?: Partial<ModelRequestOptions>;
	readonly apiKey?: string;
	readonly idleMs?: number;
	/** Further fields of the endpoint's setting. */
	readonly more?: object;
}

export function endpointAt(url: string, more: object = {}): ModelEndpoint {
	const [endpoint] = parseEndpoints([{ name: "Test", baseURL: url, ...more }]).endpoints;
	if (endpoint === undefined) throw new Error("bad endpoint");
	return endpoint;
}

/** The scripted model at an endpoint. */
export function targetAt(url: string, more: object = {}): EndpointModel {
	const endpoint = endpointAt(url, more);
	return { endpoint, model: "scripted-model", profile: profileOf(endpoint, { name: "scripted-model" }), apiKey: key };
}

/** All events of an answer, retried almost without pauses. */
export async function ask({ url, messages, options, apiKey, idleMs, more }: Asking): Promise<ModelEvent[]> {
	const events: ModelEvent[] = [];
	const target = {
		...targetAt(url, more),
		apiKey: apiKey ?? key,
		retries: { attempts: 5, firstPause: 1, budget: 1000 },
		idleMs: idleMs ?? 5000,
	};
	const answer = respond(target, messages ?? hello, { signal: new AbortController().signal, ...options });
	for await (const event of answer) events.push(event);
	return events;
}

/** The one error that an answer ends with. */
export async function failure(asking: Asking): Promise<HostError> {
	const error: unknown = await ask(asking).then(
		() => "no error",
		(reason: unknown) => reason,
	);
	if (!HostError.is(error)) throw new Error(`not a HostError: ${String(error)}`);
	return error;
}

export function textOf(events: readonly ModelEvent[]): string {
	return events.map((event) => (event.type === "text" ? event.text : "")).join("");
}
