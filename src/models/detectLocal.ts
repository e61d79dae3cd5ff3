import type { ModelEndpoint } from "./endpoints.ts";
import { failureReason } from "./failure.ts";
import type { listModels } from "./listModels.ts";
import { parseEndpoints } from "./parseEndpoints.ts";
import { chattingModels } from "./profile.ts";
import { endpointPresets, type EndpointPreset } from "./presets.ts";

/** A local server of models that answered. */
export interface DetectedEndpoint {
	readonly preset: EndpointPreset;
	/** The names of its models; empty when it wants a key first. */
	readonly models: readonly string[];
	readonly needsKey: boolean;
}

/** A user waits for all of them, and local servers answer immediately. */
const timeoutMs = 1500;

/** The presets to look for: those of this machine. */
export const localPresets: readonly EndpointPreset[] = endpointPresets.filter(({ isLocal }) => isLocal);

/**
 * Asks the usual ports of this machine, all at once, for a list of models; runs only when a user requests it. Other
 * answers are ignored: those ports have other uses. Never rejects.
 */
export async function detectLocal(
	list: typeof listModels,
	presets: readonly EndpointPreset[] = localPresets,
): Promise<readonly DetectedEndpoint[]> {
	const found = await Promise.all(presets.map(async (preset) => ask(preset, list)));
	return found.filter((one) => one !== undefined);
}

async function ask(preset: EndpointPreset, list: typeof listModels): Promise<DetectedEndpoint | undefined> {
	const endpoint = toEndpoint(preset);
	if (endpoint === undefined) return undefined;
	try {
		const models = await list(endpoint, undefined, { timeoutMs });
		return { preset, models: chattingModels(models).map(({ name }) => name), needsKey: false };
	} catch (error) {
		return failureReason(error) === "refused" ? { preset, models: [], needsKey: true } : undefined;
	}
}

function toEndpoint({ name, baseURL, kind }: EndpointPreset): ModelEndpoint | undefined {
	return parseEndpoints([{ name, baseURL, kind }]).endpoints[0];
}
