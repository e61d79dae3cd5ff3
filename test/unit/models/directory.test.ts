import { afterEach, describe, expect, test } from "vitest";
import { HostError } from "../../../src/base/errors.ts";
import { Emitter } from "../../../src/base/event.ts";
import { once } from "../../../src/base/once.ts";
import { silentLog } from "../../../src/base/log.ts";
import { ApiKeys } from "../../../src/models/apiKeys.ts";
import { ConfiguredModels, type DirectoryServices } from "../../../src/models/directory.ts";
import { listModels } from "../../../src/models/listModels.ts";
import type { ListedModel } from "../../../src/models/profile.ts";
import { machineNote } from "../../../src/models/remoteMachine.ts";
import { startScriptedModel, type ScriptedModelOptions } from "../../servers/scriptedModel.ts";
import { demoModel } from "../../../src/surfaces/demo/demoModel.ts";

class Value<T> {
	private readonly changed = new Emitter<void>();
	readonly onDidChange = this.changed.event;
	value: T;

	constructor(value: T) {
		this.value = value;
	}

	set(value: T): void {
		this.value = value;
		this.changed.fire();
	}
}

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function serve(options?: ScriptedModelOptions): ReturnType<typeof startScriptedModel> {
	const model = await startScriptedModel(options);
	cleanups.push(() => model.close());
	return model;
}

function build(setting: unknown, more: Partial<DirectoryServices> = {}) {
	const stored = new Map<string, string>();
	const keys = new ApiKeys({
		get: async (key) => stored.get(key),
		store: async (key, value) => void stored.set(key, value),
		delete: async (key) => void stored.delete(key),
		keys: async () => [...stored.keys()],
	});
	const settings = new Value<unknown>(setting);
	const demo = new Value(false);
	const directory = new ConfiguredModels({
		setting: settings,
		keys,
		demoModel,
		demoOffered: demo,
		list: listModels,
		log: silentLog,
		...more,
	});
	cleanups.push(() => directory.dispose());
	const ids = (): readonly string[] => directory.models.map(({ info }) => info.id);
	return { directory, settings, demo, keys, ids };
}

describe("the models", () => {
	test("are those that the endpoints list, except the ones that do not chat", async () => {
		const { url } = await serve({ models: ["qwen3:8b", "nomic-embed-text", "whisper-1", "llama3"] });
		const { directory, ids } = build([{ name: "Ollama", baseURL: url }]);
		await directory.start();
		expect(ids()).toEqual(["ollama/qwen3:8b", "ollama/llama3"]);
		expect(directory.models[0]?.info).toMatchObject({
			name: "qwen3:8b",
			provider: expect.stringContaining("Ollama (127.0.0.1:"),
		});
	});

	test("that the setting names are offered without a request to the network", async () => {
		const list = (): never => {
			throw new Error("asked");
		};
		const { directory, ids } = build(
			[{ name: "Cloud", baseURL: "https://models.example/v1", models: ["big", "small"] }],
			{ list },
		);
		await directory.start();
		expect(ids()).toEqual(["cloud/big", "cloud/small"]);
	});

	test("of one endpoint are not affected by another that is down or requires a key", async () => {
		const good = await serve({ models: ["a"] });
		const locked = await serve({ models: ["b"], apiKey: "sk-1" });
		const gone = await startScriptedModel();
		await gone.close();
		const { directory, keys, ids } = build([
			{ name: "Gone", baseURL: gone.url },
			{ name: "Locked", baseURL: locked.url },
			{ name: "Good", baseURL: good.url },
		]);
		await directory.start();
		expect(ids()).toEqual(["good/a"]);
		expect(directory.statuses.map(({ problem }) => problem)).toEqual([
			expect.stringMatching(/^Gone \(.*\) cannot be reached\. Start it/),
			expect.stringMatching(/^Locked \(.*\) needs an API key\. Set it with/),
			undefined,
		]);
		await keys.set({ baseURL: locked.url }, "sk-1");
		await directory.refresh();
		expect(ids()).toEqual(["locked/b", "good/a"]);
	});

	test("of this machine show in the list and in the chat which machine that is (FST-11)", async () => {
		const gone = await startScriptedModel();
		await gone.close();
		const { directory } = build(
			[
				{ name: "Gone", baseURL: gone.url },
				{ name: "Named", baseURL: gone.url, models: ["a"] },
			],
			{ note: (address) => machineNote(address, "ssh-remote") },
		);
		await directory.start();
		const remote = "In this window, 127.0.0.1 is the remote machine";
		expect(directory.statuses[0]?.problem).toContain(remote);
		const question = [{ role: "user" as const, content: [{ type: "text" as const, text: "Hi" }] }];
		const asking = async (): Promise<void> => {
			const answer = directory.models[0]?.respond(question, { signal: new AbortController().signal }) ?? [];
			for await (const event of answer) expect(event).toBe("nothing");
		};
		await expect(asking()).rejects.toThrow(
			`cannot be reached (ECONNREFUSED). Start it, or check its address in "MCP Host: Manage Models…". ${remote}`,
		);
	});

	test("appear when an endpoint is started after the editor", async () => {
		let isUp = false;
		const { directory, ids } = build([{ name: "Late", baseURL: "http://127.0.0.1:9/v1" }], {
			retryMs: 5,
			list: async () => {
				if (!isUp) throw new HostError("model", "down");
				return [{ name: "late", contextLength: 1000 }];
			},
		});
		await directory.start();
		expect(ids()).toEqual([]);
		const change = once(directory.onDidChange);
		isUp = true;
		await change;
		expect(ids()).toEqual(["late/late"]);
		expect(directory.models[0]?.info.maxInputTokens).toBe(750);
	});

	test("follow the setting, and announce only differences", async () => {
		const { directory, settings, ids } = build([{ name: "A", baseURL: "http://a/v1", models: ["x"] }]);
		await directory.start();
		let changes = 0;
		directory.onDidChange(() => changes++);
		settings.set([{ name: "A", baseURL: "http://a/v1", models: ["x"] }]);
		await directory.settled();
		expect(changes).toBe(0);
		settings.set([{ name: "A", baseURL: "http://a/v1", models: ["y"] }, { name: "B" }]);
		await directory.settled();
		expect([changes, ids()]).toEqual([1, ["a/y"]]);
		expect(directory.problems).toHaveLength(1);
	});

	test("are the demo's script while it is offered and there is no other, and it is described so", async () => {
		const { directory, settings, demo, ids } = build([]);
		await directory.start();
		expect(ids()).toEqual([]);
		demo.set(true);
		expect(ids()).toEqual(["demo/scripted"]);
		expect(directory.models[0]?.info.provider).toBe("Demo (scripted, not a real model)");
		// The picker of the editor takes the first model by name, and keeps it: the script steps back.
		settings.set([{ name: "A", baseURL: "http://a/v1", models: ["x"] }]);
		expect(ids()).toEqual(["a/x"]);
		settings.set([]);
		expect(ids()).toEqual(["demo/scripted"]);
		demo.set(false);
		expect(ids()).toEqual([]);
	});

	test("of Ollama have the context with which they were loaded, once they have answered", async () => {
		const { url } = await serve({ models: ["qwen3"] });
		let contextLength = 4096;
		const list = () => Promise.resolve([{ name: "qwen3", contextLength }]);
		const { directory } = build([{ name: "Ollama", baseURL: url, kind: "ollama" }], { list });
		await directory.start();
		expect(directory.models[0]?.info.maxInputTokens).toBe(3072);
		contextLength = 40_960;
		const changed = once(directory.onDidChange);
		const question = [{ role: "user" as const, content: [{ type: "text" as const, text: "Hi" }] }];
		const answer = directory.models[0]?.respond(question, { signal: new AbortController().signal }) ?? [];
		for await (const event of answer) expect(event.type).not.toBe("waiting");
		await changed;
		expect(directory.models[0]?.info.maxInputTokens).toBe(36_864);
	});

	test("of LM Studio that were loaded with a short context are checked after each answer", async () => {
		const { url } = await serve({ models: ["qwen3"] });
		const longerContext = { tokens: 40_960, by: "lm-studio" } as const;
		const lists: ListedModel[] = [
			{ name: "qwen3", contextLength: 40_960 },
			{ name: "qwen3", contextLength: 4096, longerContext },
			{ name: "qwen3", contextLength: 40_960 },
		];
		const list = async (): Promise<readonly ListedModel[]> => lists.splice(0, 1);
		const { directory } = build([{ name: "LM Studio", baseURL: url, kind: "lm-studio" }], { list });
		await directory.start();
		const question = [{ role: "user" as const, content: [{ type: "text" as const, text: "Hi" }] }];
		for (const expected of [longerContext, undefined]) {
			const changed = once(directory.onDidChange);
			const answer = directory.models[0]?.respond(question, { signal: new AbortController().signal }) ?? [];
			for await (const event of answer) expect(event.type).not.toBe("waiting");
			await changed;
			expect(directory.models[0]?.info.longerContext).toEqual(expected);
		}
	});

	test("answer with the key of their origin", async () => {
		const { url, requests } = await serve({ models: ["a"], apiKey: "sk-1" });
		const { directory, keys } = build([{ name: "A", baseURL: url, models: ["a"] }]);
		await directory.start();
		await keys.set({ baseURL: url }, "sk-1");
		const events = [];
		const question = [{ role: "user" as const, content: [{ type: "text" as const, text: "Hi" }] }];
		for await (const event of directory.models[0]?.respond(question, { signal: new AbortController().signal }) ?? []) {
			events.push(event.type);
		}
		expect(events.at(-1)).toBe("done");
		expect(requests[0]?.headers.authorization).toBe("Bearer sk-1");
	});
});
