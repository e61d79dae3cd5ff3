import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { HostError } from "../../../src/base/errors.ts";
import { createWithContext, lengthsFor, nameWithContext } from "../../../src/models/longerContext.ts";
import { parseEndpoints } from "../../../src/models/parseEndpoints.ts";
import { machineNote } from "../../../src/models/remoteMachine.ts";

const closing: (() => unknown)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

/** Ollama's own API as far as it is used here: "Create a Model". */
async function ollama(status: number, answer: object) {
	const received: unknown[] = [];
	const server = createServer((request, response) => {
		void text(request).then((body) => {
			received.push([request.method, request.url, request.headers.authorization, JSON.parse(body)]);
			response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
			return undefined;
		});
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	closing.push(() => server.close());
	const { port } = server.address() as AddressInfo;
	const [endpoint] = parseEndpoints([
		{ name: "Ollama", baseURL: `http://127.0.0.1:${port}/v1`, kind: "ollama" },
	]).endpoints;
	if (endpoint === undefined) throw new Error("no endpoint");
	return { endpoint, received };
}

describe("a longer context (TOL-30)", () => {
	test("is that of a copy, which Ollama makes of the existing model", async () => {
		const { endpoint, received } = await ollama(200, { status: "success" });
		expect(await createWithContext(endpoint, "key", "llama3.2:latest", 32_768)).toBe("llama3.2:32k");
		const body = { model: "llama3.2:32k", from: "llama3.2:latest", parameters: { num_ctx: 32_768 }, stream: false };
		expect(received).toEqual([["POST", "/api/create", "Bearer key", body]]);
	});

	test.each([
		[500, { error: "no" }, /did not create qwen3:8b-16k \(status 500\).*OLLAMA_CONTEXT_LENGTH=16384/],
		[200, { status: "pulling" }, /did not create/],
	])("that could not be made is reported, with manual steps", async (status, answer, message) => {
		const { endpoint } = await ollama(status, answer);
		const error: unknown = await createWithContext(endpoint, undefined, "qwen3:8b", 16_384).catch(
			(thrown: unknown) => thrown,
		);
		expect(HostError.is(error, "model") && error.message).toMatch(message);
	});

	test("is larger than the current one, and at most the model's maximum", () => {
		expect(lengthsFor(3072, 40_000)).toEqual([8192, 16_384, 32_768]);
		expect(lengthsFor(32_768, 40_000)).toEqual([]);
		expect(nameWithContext("hf.co/some/model:Q4", 8192)).toBe("hf.co/some/model:Q4-8k");
	});
});

test("the machine's own address is shown as the remote one where it is (FST-11)", () => {
	expect(machineNote("http://127.0.0.1:11434/v1", "ssh-remote")).toBe(
		" In this window, 127.0.0.1 is the remote machine, not your own.",
	);
	expect(machineNote("http://localhost:1234", "wsl")).toContain("localhost is the remote machine");
	expect(machineNote("http://127.0.0.1:11434/v1", undefined)).toBe("");
	expect(machineNote("https://api.example.com/v1", "ssh-remote")).toBe("");
	expect(machineNote("", "ssh-remote")).toBe("");
});
