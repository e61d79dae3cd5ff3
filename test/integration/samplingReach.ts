import { resolve } from "node:path";
import type { JsonObject } from "../../src/base/json.ts";
import { startSamplingServer } from "../servers/samplingHttp.ts";
import type { Answer } from "../servers/samplingTools.ts";
import { scriptConfig } from "./fixtures.ts";

/** The sampling server, by any transport. */
export interface ReachedSampling extends AsyncDisposable {
	readonly config: JsonObject;
}

type Era = "legacy" | "modern";

/** The configuration of the sampling server over stdio. */
export function samplingConfig(era: Era, ...more: readonly string[]): JsonObject {
	const server = resolve(import.meta.dirname, "../servers/samplingServer.ts");
	return scriptConfig(server, "--era", era, ...more);
}

function overStdio(era: Era) {
	return async (): Promise<ReachedSampling> => ({
		config: samplingConfig(era),
		async [Symbol.asyncDispose]() {},
	});
}

function overHttp(era: Era) {
	return async (): Promise<ReachedSampling> => {
		const server = await startSamplingServer({ speaks: era });
		return { config: { url: server.url }, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
	};
}

/** Every way to the sampling server. */
export const samplingReaches = [
	{ name: "stdio, legacy", era: "legacy", reach: overStdio("legacy") },
	{ name: "stdio, modern", era: "modern", reach: overStdio("modern") },
	{ name: "HTTP, legacy", era: "legacy", reach: overHttp("legacy") },
	{ name: "HTTP, modern", era: "modern", reach: overHttp("modern") },
] as const;

/** The answers that a tool of the sampling server received. */
export function answersOf(result: { readonly structuredContent?: unknown }): readonly Answer[] {
	return (result.structuredContent as { readonly answers: readonly Answer[] }).answers;
}
