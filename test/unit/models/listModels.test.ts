import { describe, expect, test } from "vitest";
import { listModels } from "../../../src/models/listModels.ts";
import { chattingModels, type ListedModel } from "../../../src/models/profile.ts";
import { endpointAt } from "./asking.ts";
import { startJsonServer, type Routes } from "./jsonServer.ts";

/** The listed models of a server with these routes. */
async function listed(routes: Routes, more: object = {}): Promise<readonly ListedModel[]> {
	await using server = await startJsonServer(routes);
	return await listModels(endpointAt(`${server.origin}/v1`, more), "sk-1");
}

describe("the list of", () => {
	test("vLLM includes the length of the context", async () => {
		const data = [{ id: "Qwen/Qwen3-8B", object: "model", owned_by: "vllm", max_model_len: 40_960 }];
		expect(await listed({ "GET /v1/models": { object: "list", data } })).toEqual([
			{ name: "Qwen/Qwen3-8B", contextLength: 40_960 },
		]);
	});

	test("OpenRouter includes contexts, limits, tools, images, and models without text output", async () => {
		const data = [
			{
				id: "a/vision",
				context_length: 200_000,
				architecture: { input_modalities: ["text", "image"], output_modalities: ["text"] },
				top_provider: { context_length: 200_000, max_completion_tokens: 64_000 },
				supported_parameters: ["tools", "temperature"],
			},
			{
				id: "b/plain",
				context_length: 8192,
				architecture: { input_modalities: ["text"], output_modalities: ["text"] },
				top_provider: { max_completion_tokens: null },
				supported_parameters: ["temperature"],
			},
			{ id: "c/painter", architecture: { input_modalities: ["text"], output_modalities: ["image"] } },
		];
		expect(await listed({ "GET /v1/models": { data } }, { kind: "openrouter" })).toEqual([
			{ name: "a/vision", contextLength: 200_000, maxOutputTokens: 64_000, images: true, tools: true },
			{ name: "b/plain", contextLength: 8192, images: false, tools: false },
			{ name: "c/painter", images: false, chats: false },
		]);
	});

	test("MDL-05: Gemini leaves out models that do not chat, and is completed by Google's own API (ai.google.dev/api/models)", async () => {
		const names = [
			"gemini-3-pro",
			"gemini-3-pro-image",
			"gemini-embedding-001",
			"imagen-4",
			"gemini-live",
			"aqa",
			"gemma-3-27b",
		];
		const own = names.map((name) => ({
			name: `models/${name}`,
			inputTokenLimit: 1_048_576,
			outputTokenLimit: 65_536,
			supportedGenerationMethods: name === "gemini-live" ? ["bidiGenerateContent"] : ["generateContent"],
		}));
		await using server = await startJsonServer({
			"GET /v1beta/openai/models": {
				object: "list",
				data: names.map((name) => ({ id: `models/${name}`, owned_by: "google" })),
			},
			"GET /v1beta/models?pageSize=1000": { models: own },
		});
		const models = await listModels(endpointAt(`${server.origin}/v1beta/openai`, { kind: "gemini" }), "AIza-1");
		const limits = { contextLength: 1_048_576, maxOutputTokens: 65_536 };
		expect(chattingModels(models)).toEqual([
			{ name: "gemini-3-pro", ...limits, images: true },
			{ name: "gemma-3-27b", ...limits },
		]);
		expect(server.asked.map(({ headers }) => [headers.authorization, headers["x-goog-api-key"]])).toEqual([
			["Bearer AIza-1", undefined],
			[undefined, "AIza-1"],
		]);
	});

	test("MDL-05: Anthropic accepts the key in x-api-key (docs.claude.com, List Models)", async () => {
		const data = [
			{
				type: "model",
				id: "claude-opus-5",
				display_name: "Opus",
				max_input_tokens: 200_000,
				max_tokens: 64_000,
				capabilities: { image_input: { supported: true } },
			},
		];
		await using server = await startJsonServer({ "GET /v1/models?limit=1000": { data, has_more: false } });
		expect(await listModels(endpointAt(`${server.origin}/v1`, { kind: "anthropic" }), "sk-ant-1")).toEqual([
			{ name: "claude-opus-5", contextLength: 200_000, maxOutputTokens: 64_000, images: true },
		]);
		expect(server.asked[0]?.headers).toMatchObject({ "x-api-key": "sk-ant-1", "anthropic-version": "2023-06-01" });
	});

	test("MDL-05: Mistral includes each model's capabilities (docs.mistral.ai, List Models)", async () => {
		const can = (more: object) => ({ completion_chat: true, function_calling: true, vision: false, ...more });
		const data = [
			{ id: "mistral-large", max_context_length: 131_072, capabilities: can({ vision: true }) },
			{
				id: "mistral-embed",
				max_context_length: 8192,
				capabilities: can({ completion_chat: false, function_calling: false }),
			},
		];
		expect(await listed({ "GET /v1/models": { object: "list", data } }, { kind: "mistral" })).toEqual([
			{ name: "mistral-large", contextLength: 131_072, tools: true, images: true, chats: true },
			{ name: "mistral-embed", contextLength: 8192, tools: false, images: false, chats: false },
		]);
	});

	test("MDL-05: GitHub Models has a catalog beside its API, a plain list (docs.github.com, Models catalog)", async () => {
		const catalog = [
			{
				id: "openai/gpt-4.1",
				limits: { max_input_tokens: 1_048_576, max_output_tokens: 32_768 },
				supported_input_modalities: ["text", "image"],
				supported_output_modalities: ["text"],
				capabilities: ["streaming", "tool-calling"],
			},
			{ id: "openai/text-embedding-3", limits: {}, supported_output_modalities: ["embeddings"], capabilities: [] },
		];
		await using server = await startJsonServer({ "GET /catalog/models": catalog });
		expect(await listModels(endpointAt(`${server.origin}/inference`, { kind: "github" }), "ghp_1")).toEqual([
			{ name: "openai/gpt-4.1", contextLength: 1_048_576, maxOutputTokens: 32_768, images: true, tools: true },
			{ name: "openai/text-embedding-3", tools: false, chats: false },
		]);
	});

	test("Ollama is completed by its own API, known by the owner of its models", async () => {
		const models = ["llama3:8b", "llava:7b", "big:120b-cloud", "nomic-embed-text:latest", "gone:1b"];
		const shown: Readonly<Record<string, object>> = {
			"llama3:8b": {
				capabilities: ["completion", "tools"],
				model_info: { "general.architecture": "llama", "llama.context_length": 131_072 },
				parameters: 'num_ctx                        16384\nstop                           "<|eot|>"',
			},
			"llava:7b": { capabilities: ["completion", "vision"], model_info: { "llama.context_length": 32_768 } },
			"big:120b-cloud": {
				remote_host: "https://ollama.com:443",
				capabilities: ["completion", "tools"],
				model_info: { "big.context_length": 131_072 },
			},
			"nomic-embed-text:latest": { capabilities: ["embedding"], model_info: { "nomic-bert.context_length": 2048 } },
		};
		const routes: Routes = {
			"GET /v1/models": { object: "list", data: models.map((id) => ({ id, object: "model", owned_by: "library" })) },
			"POST /api/show": (body) => shown[(body as { model: string }).model] ?? {},
			"GET /api/ps": { models: [{ name: "llava:7b", context_length: 8192 }] },
		};
		expect(await listed(routes)).toEqual([
			{
				name: "llama3:8b",
				contextLength: 16_384,
				longerContext: { tokens: 131_072, by: "ollama" },
				tools: true,
				images: false,
				chats: true,
			},
			// Loaded: its actual context counts, not its maximum.
			{
				name: "llava:7b",
				contextLength: 8192,
				longerContext: { tokens: 32_768, by: "ollama" },
				tools: false,
				images: true,
				chats: true,
			},
			// In the cloud.
			{ name: "big:120b-cloud", contextLength: 131_072, tools: true, images: false, chats: true },
			// Not loaded, nothing configured: Ollama's default, or less.
			{ name: "nomic-embed-text:latest", contextLength: 2048, tools: false, images: false, chats: false },
			{ name: "gone:1b", contextLength: 4096 },
		]);
	});

	test("LM Studio is completed by its own API, with the key of the same origin", async () => {
		await using server = await startJsonServer({
			"GET /v1/models": { data: [{ id: "qwen3" }, { id: "embedder" }, { id: "unknown" }] },
			"GET /api/v0/models": {
				data: [
					{
						id: "qwen3",
						type: "vlm",
						max_context_length: 40_960,
						loaded_context_length: 8192,
						capabilities: ["tool_use"],
					},
					{ id: "embedder", type: "embeddings", max_context_length: 2048 },
				],
			},
		});
		expect(await listModels(endpointAt(`${server.origin}/v1`, { kind: "lm-studio" }), "sk-1")).toEqual([
			{
				name: "qwen3",
				contextLength: 8192,
				longerContext: { tokens: 40_960, by: "lm-studio" },
				tools: true,
				images: true,
				chats: true,
			},
			{ name: "embedder", contextLength: 2048, images: false, chats: false },
			{ name: "unknown" },
		]);
		expect(new Set(server.asked.map(({ headers }) => headers.authorization))).toEqual(new Set(["Bearer sk-1"]));
	});

	test("LM Studio from 0.4 on lists loaded models in a newer API (lmstudio.ai/docs/developer/rest/list)", async () => {
		const models = [
			{
				type: "llm",
				key: "google/gemma-4-26b-a4b",
				loaded_instances: [{ id: "google/gemma-4-26b-a4b:2", config: { context_length: 4096 } }],
				max_context_length: 262_144,
				capabilities: { vision: true, trained_for_tool_use: true, reasoning: { default: "on" } },
			},
			{
				type: "llm",
				key: "deepseek-r1",
				loaded_instances: [],
				max_context_length: 131_072,
				capabilities: { vision: false, trained_for_tool_use: false },
			},
			{ type: "embedding", key: "nomic", loaded_instances: [], max_context_length: 2048 },
		];
		const ids = ["google/gemma-4-26b-a4b", "google/gemma-4-26b-a4b:2", "deepseek-r1", "nomic"];
		const gemma = {
			contextLength: 4096,
			longerContext: { tokens: 262_144, by: "lm-studio" },
			tools: true,
			images: true,
			chats: true,
		};
		const routes = { "GET /v1/models": { data: ids.map((id) => ({ id })) }, "GET /api/v1/models": { models } };
		expect(await listed(routes, { kind: "lm-studio" })).toEqual([
			{ name: "google/gemma-4-26b-a4b", ...gemma },
			{ name: "google/gemma-4-26b-a4b:2", ...gemma },
			{ name: "deepseek-r1", contextLength: 131_072, tools: false, images: false, chats: true },
			{ name: "nomic", contextLength: 2048, chats: false },
		]);
	});

	test("llama.cpp is completed by its properties", async () => {
		const routes: Routes = {
			"GET /v1/models": { data: [{ id: "model.gguf", owned_by: "llamacpp", meta: { n_ctx_train: 131_072 } }] },
			"GET /props": { default_generation_settings: { n_ctx: 4096 }, modalities: { vision: true, audio: false } },
		};
		const longerContext = { tokens: 131_072, by: "llama.cpp" };
		expect(await listed(routes)).toEqual([{ name: "model.gguf", contextLength: 4096, longerContext, images: true }]);
	});

	test("llama.cpp as a router describes its models itself (github.com/ggml-org/llama.cpp/tree/master/tools/server, Using multiple models)", async () => {
		const of = (id: string, more: object): object => ({ id, object: "model", owned_by: "llamacpp", ...more });
		const routes: Routes = {
			"GET /v1/models": {
				data: [
					of("gemma:Q4", {
						status: { value: "loaded" },
						architecture: { input_modalities: ["text", "image"], output_modalities: ["text"] },
						meta: { n_ctx: 8192, n_ctx_train: 131_072 },
					}),
					of("decider", {
						status: { value: "unloaded" },
						architecture: { input_modalities: ["text"], output_modalities: ["decisions"] },
					}),
				],
			},
			"GET /props": { role: "router", default_generation_settings: { params: {}, n_ctx: 0 } },
		};
		expect(await listed(routes)).toEqual([
			{
				name: "gemma:Q4",
				contextLength: 8192,
				longerContext: { tokens: 131_072, by: "llama.cpp" },
				images: true,
			},
			{ name: "decider", images: false, chats: false },
		]);
	});

	test("Azure is asked with its header and its version", async () => {
		await using server = await startJsonServer({
			"GET /openai/models?api-version=2024-10-21": { data: [{ id: "gpt" }] },
		});
		const endpoint = endpointAt(`${server.origin}/openai`, { kind: "azure", apiVersion: "2024-10-21" });
		expect(await listModels(endpoint, "sk-azure")).toEqual([{ name: "gpt" }]);
		expect(server.asked[0]?.headers["api-key"]).toBe("sk-azure");
		expect(server.asked[0]?.headers.authorization).toBeUndefined();
	});

	test("a server without an own API is unchanged", async () => {
		expect(await listed({ "GET /v1/models": { data: [{ id: "a" }] } }, { kind: "ollama" })).toEqual([{ name: "a" }]);
	});
});
