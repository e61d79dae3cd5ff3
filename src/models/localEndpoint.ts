import { literalRange } from "../authorization/addresses.ts";
import type { EndpointKind, ModelEndpoint } from "./endpoints.ts";

/** What people run on machines of their own. Anything else at a private address may be a gateway to a provider. */
const ownServers: ReadonlySet<EndpointKind> = new Set(["ollama", "lm-studio", "llama.cpp", "vllm"]);

/**
 * Whether an endpoint is on this machine, or a server of models in one's own network, as far as its address tells: no
 * name server is asked. What it offers costs nothing for each token.
 */
export function isLocal({ baseURL, kind }: Pick<ModelEndpoint, "baseURL" | "kind">): boolean {
	const url = new URL(baseURL);
	const range = literalRange(url);
	if (range === "loopback") return true;
	return ownServers.has(kind) && (range === "private" || /(^host\.docker\.internal|\.local)\.?$/.test(url.hostname));
}
