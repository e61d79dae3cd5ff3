import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { detectLocal } from "../../../src/models/detectLocal.ts";
import { failureReason } from "../../../src/models/failure.ts";
import { listModels } from "../../../src/models/listModels.ts";
import { endpointPresets } from "../../../src/models/presets.ts";
import { machineNote } from "../../../src/models/remoteMachine.ts";
import { startScriptedModel } from "../../servers/scriptedModel.ts";
import { endpointAt } from "./asking.ts";
import { startJsonServer } from "./jsonServer.ts";

describe("a list that fails", () => {
	test("because a key is missing is distinguished from a wrong key", async () => {
		const server = await startScriptedModel({ apiKey: "sk-right" });
		const endpoint = endpointAt(server.url);
		const messages = await Promise.all(
			[undefined, "sk-wrong"].map((key) =>
				listModels(endpoint, key).catch((error: Error) => [failureReason(error), error.message]),
			),
		);
		expect(messages).toEqual([
			["refused", expect.stringContaining("needs an API key")],
			["refused", expect.stringContaining("refused the API key")],
		]);
		expect(JSON.stringify(messages)).not.toContain("sk-wrong");
		await server.close();
	});

	test.each(["sk-sec\nret-0123", "sk-secret…0123"])(
		"because no header accepts the key (%j) reports that, without the key",
		async (bad) => {
			const error: unknown = await listModels(endpointAt("http://127.0.0.1:9/v1"), bad).catch(
				(thrown: unknown) => thrown,
			);
			expect(failureReason(error)).toBe("refused");
			const words = inspect(error, { depth: 10 });
			expect(words).toContain("cannot be sent");
			expect(words).not.toContain("sk-sec");
		},
	);

	test("of an endpoint that is being added gives advice for an unsaved one (FST-05)", async () => {
		// Nothing listens on this port.
		const endpoint = endpointAt("http://127.0.0.1:1/v1");
		const saved = listModels(endpoint, undefined);
		await expect(saved).rejects.toThrow('Start it, or check its address in "MCP Host: Manage Models…".');
		const added = await listModels(endpoint, undefined, { isSaved: false }).catch((error: unknown) => error);
		expect(String(added)).toContain("cannot be reached. Nothing is saved yet. Start it and try again, or change");
		const remote = listModels(endpoint, undefined, { note: machineNote(endpoint.baseURL, "ssh-remote") });
		await expect(remote).rejects.toThrow(/Manage Models…"\. In this window, 127\.0\.0\.1 is the remote machine/);
		await using server = await startJsonServer({});
		const empty = endpointAt(`${server.origin}/v1`);
		await expect(listModels(empty, undefined, { isSaved: false })).rejects.toThrow("or save it anyway and name");
	});

	test("is not followed to another address, which would receive the key (SEC-06)", async () => {
		await using elsewhere = await startJsonServer({ "GET /v1/models": { data: [{ id: "a" }] } });
		const server = createServer((_request, response) =>
			response.writeHead(307, { location: `${elsewhere.origin}/v1/models` }).end(),
		);
		await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
		const endpoint = endpointAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
		await expect(listModels(endpoint, "sk-1")).rejects.toThrow("status 307");
		expect(elsewhere.asked).toEqual([]);
		server.close();
	});

	test.each([
		["a page", "<html></html>"],
		["another document", '{"hello":1}'],
		["out of all proportion", `{"data":["${"x".repeat(17 * 1024 * 1024)}"]}`],
	])("because the answer is %s is reported in one sentence", async (_name, body) => {
		const server = createServer((_request, response) => response.end(body));
		await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
		const endpoint = endpointAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
		await expect(listModels(endpoint, undefined)).rejects.toThrow("did not answer with a list of models");
		server.closeAllConnections();
		server.close();
	});
});

describe("looking for local models", () => {
	const [sample] = endpointPresets;
	const presetAt = (name: string, baseURL: string) => ({ ...sample!, name, baseURL });

	test("finds servers that answer with a list or require a key, and nothing else", async () => {
		const open = await startScriptedModel({ models: ["a", "b"] });
		const locked = await startScriptedModel({ apiKey: "sk" });
		const closed = await startScriptedModel();
		await closed.close();
		await using other = await startJsonServer({ "GET /v1/models": { hello: 1 } });
		const found = await detectLocal(listModels, [
			presetAt("Open", open.url),
			presetAt("Locked", locked.url),
			presetAt("Closed", closed.url),
			presetAt("Other", `${other.origin}/v1`),
		]);
		expect(found.map(({ preset, models, needsKey }) => [preset.name, models, needsKey])).toEqual([
			["Open", ["a", "b"], false],
			["Locked", [], true],
		]);
		await Promise.all([open.close(), locked.close()]);
	});

	test("asks addresses of this machine only, without a key", async () => {
		const asked: string[] = [];
		await detectLocal(async (endpoint, key) => {
			asked.push(`${endpoint.baseURL} ${String(key)}`);
			return [];
		});
		expect(asked).toEqual([11_434, 1234, 8080, 8000].map((port) => `http://127.0.0.1:${port}/v1 undefined`));
	});
});
