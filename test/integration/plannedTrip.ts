import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect } from "vitest";
import { ApiKeys } from "../../src/models/apiKeys.ts";
import { createEndpointModel } from "../../src/models/directory.ts";
import type { ChatModel } from "../../src/models/model.ts";
import { parseEndpoints } from "../../src/models/parseEndpoints.ts";
import { SchemaRefusals } from "../../src/models/schemaRefusals.ts";
import type { PlainAnswer } from "../servers/strictModels.ts";
import { strictKey } from "../servers/strictSchemas.ts";
import { packageConfig, scriptConfig, smallConfig } from "./fixtures.ts";
import type { TestHost } from "./testHost.ts";

/** A model of an endpoint as a new window creates it. */
export function modelAt(
	{ url }: { readonly url: string },
	name = "thinker",
	more: object = {},
	refusals: SchemaRefusals = new SchemaRefusals(),
): ChatModel {
	const [endpoint] = parseEndpoints([{ name: "Strict", baseURL: url, ...more }]).endpoints;
	if (endpoint === undefined) throw new Error("The endpoint is not valid.");
	const keys = new ApiKeys({
		get: async () => strictKey,
		store: async () => undefined,
		delete: async () => undefined,
		keys: async () => [],
	});
	return createEndpointModel(endpoint, { name }, keys, { refusals });
}

const search = { origin: "London", destination: "Barcelona", date: "2026-12-12" };

/** A model's plan of a trip with three servers: two calls at once, one more, an answer. */
export const planning: readonly PlainAnswer[] = [
	{
		text: "I look for flights.",
		calls: [
			{ name: "travel_searchFlights", arguments: search },
			{ name: "small_echo", arguments: { text: "wishes" } },
		],
	},
	{ calls: [{ name: "everything_echo", arguments: { message: "the plan" } }] },
	{ text: "It is planned." },
];

/**
 * The texts that the servers of the trip and this machine received, one each: the small one's messages, all messages of
 * the trace, and the log.
 */
export function leftBehind({ trace, log }: TestHost, received: string): readonly string[] {
	const messages = trace.snapshot(0).exchanges.map(({ id }) => trace.body(id));
	return [readFileSync(received, "utf8"), JSON.stringify(messages), log.join("\n")];
}

/** Runs the three servers of the trip. */
export async function startServers(host: TestHost, log: string): Promise<void> {
	await host.configure({
		travel: scriptConfig(resolve("dist/demoServer.js")),
		small: smallConfig("modern", log),
		everything: packageConfig("everything", "stdio"),
	});
	await host.host.startApproved();
	for (const name of ["travel", "small", "everything"]) {
		await expect.poll(() => host.session(name).tools.status.kind).toBe("ready");
	}
}
