/** Requests of clients for what a server offers, while it is still sending its lists (GST-13). */
import { expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import { ResourceWatches } from "../../../../src/features/resources/subscriptions.ts";
import type { Page } from "../../../../src/protocol/connection.ts";
import { PinnedDefinitions } from "../../../../src/permissions/pinning/pinnedDefinitions.ts";
import {
	type AllowedRequest,
	ClientContents,
	type ContentMethod,
} from "../../../../src/surfaces/bridge/clientContents.ts";
import { ClientSubscriptions } from "../../../../src/surfaces/bridge/clientSubscriptions.ts";
import { KeptLists } from "../../../../src/surfaces/bridge/keptLists.ts";
import { OfferedTools } from "../../../../src/surfaces/bridge/offer.ts";
import { OfferedContents } from "../../../../src/surfaces/bridge/offeredContents.ts";
import { Waking } from "../../../../src/surfaces/bridge/waking.ts";
import { done } from "../../features/apps/appScene.ts";
import { FakeDirectory, facts, FakeSession } from "../../features/resources/fakeSession.ts";
import { tool } from "../../features/tools/toolSession.ts";
import { memoryStore } from "../../base/store/storeFolder.ts";

/** A running server whose lists are on their way, and the host's side of a client that the user allows everything. */
class LateServer {
	readonly session = new FakeSession("late");
	readonly tools: OfferedTools;
	/** The requests that are made to the server. */
	readonly made: JsonObject[] = [];
	/** Ends the request of a client. */
	readonly ending = new AbortController();
	private readonly contents: ClientContents;

	constructor() {
		const { session } = this;
		session.setState({ kind: "running", facts });
		const directory = new FakeDirectory(session);
		const store = memoryStore();
		const kept = new KeptLists(store.journal("offered"));
		const waking = new Waking(() => Promise.reject(new Error("It runs.")));
		this.tools = new OfferedTools({ directory, kept, waking, pins: new PinnedDefinitions(directory, store) });
		const contents = new OfferedContents({ directory, kept });
		this.contents = new ClientContents({
			contents,
			waking,
			subscriptions: new ClientSubscriptions((listener) => new ResourceWatches(directory, listener)),
			isLinked: () => false,
			sessions: () => directory.sessions,
		});
		onTestFinished(() => {
			this.tools.dispose();
			contents.dispose();
		});
	}

	/** Makes the server send a list; returns the function with which the page arrives. */
	sends<T>(list: { connect(fetchPage: () => Promise<Page<T>>): Promise<void> }, ...items: readonly T[]): () => void {
		const { promise, resolve } = Promise.withResolvers<Page<T>>();
		void list.connect(() => promise);
		return () => resolve({ items });
	}

	answer(method: ContentMethod, params: JsonObject): Promise<JsonObject> {
		const request: AllowedRequest = {
			signal: this.ending.signal,
			subscriber: {} as AllowedRequest["subscriber"],
			program: { read: new Set(), isCompleting: false },
			decide: () => "allow",
			run: async (call) => {
				this.made.push(call.arguments);
				const structuredContent = { messages: [], values: ["Paris"] };
				return { outcome: done(call.arguments, { structuredContent }), text: "" };
			},
		};
		return this.contents.answer(method, params, request);
	}
}

const argument = { name: "city", value: "P" };

test("a prompt is found once its server has sent its prompts, and one that no server has is refused then", async () => {
	const server = new LateServer();
	server.sends(server.session.tools)();
	const arrive = server.sends(server.session.prompts, { name: "greet" });
	const got = server.answer("prompts/get", { name: "late_greet" });
	const missing = expect(server.answer("prompts/get", { name: "late_other" })).rejects.toThrow("There is no prompt");
	const completed = server.answer("completion/complete", { ref: { type: "ref/prompt", name: "late_greet" }, argument });
	arrive();
	expect(await got).toEqual({ messages: [] });
	await missing;
	expect(await completed).toEqual({ completion: { values: ["Paris"] } });
	expect(server.made).toHaveLength(2);
});

test("a resource template is completed once its server has sent its templates", async () => {
	const server = new LateServer();
	const uri = "late://item/{city}";
	const arrive = server.sends(server.session.resourceTemplates, { name: "item", uriTemplate: uri });
	const completed = server.answer("completion/complete", { ref: { type: "ref/resource", uri }, argument });
	arrive();
	expect(await completed).toEqual({ completion: { values: ["Paris"] } });
});

test("a tool is found once its server has sent its tools", async () => {
	const server = new LateServer();
	const arrive = server.sends(server.session.tools, tool("greet"));
	const { signal } = server.ending;
	const found = server.tools.find("late_greet", signal);
	const missing = server.tools.find("late_other", signal);
	arrive();
	expect(await found).toMatchObject({ entry: { tool: { name: "greet" } } });
	expect(await missing).toMatchObject({ problem: expect.stringContaining("no tool named") });
});

test("a client that has gone waits for no list", async () => {
	const server = new LateServer();
	server.sends(server.session.prompts);
	server.sends(server.session.tools);
	const got = expect(server.answer("prompts/get", { name: "late_greet" })).rejects.toThrow();
	const found = server.tools.find("late_greet", server.ending.signal);
	server.ending.abort();
	await got;
	expect(await found).toHaveProperty("problem");
});
