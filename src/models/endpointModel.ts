import type { ApiKeys } from "./apiKeys.ts";
import { endpointLabel, type ModelEndpoint } from "./endpoints.ts";
import { isLocal } from "./localEndpoint.ts";
import type { ChatModel } from "./model.ts";
import { profileOf, type ListedModel } from "./profile.ts";

/**
 * A model of an endpoint, light enough to be made for every entry of a list: the key is read and the openai package
 * loaded by the first request. `answered` is called behind each answer that is complete.
 */
export function createEndpointModel(
	endpoint: ModelEndpoint,
	listed: ListedModel,
	keys: ApiKeys,
	answered?: () => void,
): ChatModel {
	const profile = profileOf(endpoint, listed);
	return {
		info: {
			id: `${endpoint.id}/${listed.name}`,
			name: listed.name,
			provider: endpointLabel(endpoint),
			maxInputTokens: profile.maxInputTokens,
			maxOutputTokens: profile.maxOutputTokens,
			supportsTools: profile.tools,
			supportsImages: profile.images,
			...(isLocal(endpoint) && { isLocal: true }),
		},
		async *respond(messages, options) {
			const [apiKey, { respond }] = await Promise.all([keys.get(endpoint), import("./openai.ts")]);
			yield* respond({ endpoint, model: listed.name, profile, apiKey }, messages, options);
			answered?.();
		},
	};
}
