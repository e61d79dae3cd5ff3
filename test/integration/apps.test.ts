import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { KnownApps } from "../../src/features/apps/knownApps.ts";
import { AppCall } from "../../src/features/apps/appCall.ts";
import { OpenApp } from "../../src/features/apps/openApp.ts";
import { memoryStore } from "../unit/base/store/storeFolder.ts";
import { isJsonObject, type JsonObject } from "../../src/base/json.ts";
import { appsExtension } from "../../src/protocol/apps.ts";
import { readCatalog } from "../../src/permissions/catalog/catalog.ts";
import { PinnedDefinitions } from "../../src/permissions/pinning/pinnedDefinitions.ts";
import { messagesOf, readReceived } from "../servers/received.ts";
import { done, memory, surface } from "../unit/features/apps/appScene.ts";
import { startAppSide } from "../unit/features/apps/appSide.mjs";
import { User } from "../unit/features/tools/toolSession.ts";
import { TestHost } from "./testHost.ts";

function serverOf(host: TestHost, era: string): JsonObject {
	const args = [path.resolve("test/servers/appServer.ts"), "--era", era, "--log", host.path("app.log")];
	return { command: process.execPath, args };
}

/** The capabilities of the client that a server received. */
function declared(host: TestHost, era: string): unknown {
	const received = readReceived(host.path("app.log"));
	const method = era === "legacy" ? "initialize" : "tools/list";
	const [message] = messagesOf(received, method);
	const params = message?.["params"] as JsonObject | undefined;
	const meta = params?.["_meta"];
	const capabilities =
		era === "legacy"
			? params?.["capabilities"]
			: isJsonObject(meta)
				? meta["io.modelcontextprotocol/clientCapabilities"]
				: undefined;
	return isJsonObject(capabilities) ? capabilities["extensions"] : undefined;
}

test.each(["legacy", "modern"])(
	"a %s server receives the apps capability while apps are on, and not while they are off (APP-01)",
	async (era) => {
		await using on = new TestHost({ extensions: appsExtension });
		const session = await on.run("finance", serverOf(on, era));
		await expect.poll(() => session.tools.status.kind).toBe("ready");
		const apps = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } };
		expect(declared(on, era)).toMatchObject(apps);

		await using off = new TestHost();
		const other = await off.run("finance", serverOf(off, era));
		await expect.poll(() => other.tools.status.kind).toBe("ready");
		expect(declared(off, era)).not.toHaveProperty("io.modelcontextprotocol/ui");
	},
);

test.each(["legacy", "modern"])(
	"an app of a %s server gets its unlisted page, calls its own tool, and is distinguished in the trace (APP-02, APP-07)",
	async (era) => {
		await using host = new TestHost({ extensions: appsExtension });
		host.traceLevel = "bodies";
		const session = await host.run("finance", serverOf(host, era));
		await expect.poll(() => session.tools.status.kind).toBe("ready");
		const { registry } = host.host;
		const catalog = readCatalog(registry);
		// Models are offered the tools for them, and not the app's own tool.
		expect(catalog.offered.map(({ name }) => name)).toEqual(["finance_budget", "finance_forecast"]);
		const entry = catalog.entries.find(({ tool }) => tool.name === "budget");
		if (entry === undefined) throw new Error("no tool");
		const result = await session.callTool("budget", { year: 2027 });
		const user = new User({ kind: "allow" });
		const pins = new PinnedDefinitions(registry, memoryStore());
		const app = new OpenApp(
			new AppCall(entry, { year: 2027 }, done({ year: 2027 }, result)),
			{
				directory: registry,
				approvals: () => user.approvals,
				policy: user.policy,
				pins,
				refreshRules: async () => undefined,
				known: new KnownApps(memory()),
				showDifference: () => undefined,
				deniedDomains: () => ({ hosts: [], unread: [] }),
				preamble: async () => "",
				version: "1.0.0",
				language: "en",
				isWeb: false,
				openExternal: async () => false,
				draft: async () => undefined,
				saveFile: async () => false,
				createMessage: () => Promise.reject(new Error("not asked here")),
			},
			() => undefined,
		);
		onTestFinished(() => {
			app.dispose();
			pins.dispose();
		});
		await app.open();
		app.attach(surface);
		const { load } = app.view;
		expect(app.frame(load)?.document).toContain("Spend 100");
		const listeners: ((message: unknown) => void)[] = [];
		app.onDidSend(({ message }) => queueMicrotask(() => listeners.forEach((listener) => listener(message))));
		const side = await startAppSide(
			(message) => app.receive(load, structuredClone(message)),
			(listener) => void listeners.push(listener),
		);
		await expect
			.poll(() => side.heard.at(-1)?.params)
			.toMatchObject({ structuredContent: { spent: 250, total: 1000 } });
		const call = side.callTool("spend", { amount: 100 });
		await expect.poll(() => app.questions.current?.heading).toBe("The app “Budget” of finance wants to run spend");
		await expect.poll(() => app.questions.answer(app.questions.current?.id, "once")).toBe(true);
		expect(await call).toMatchObject({ structuredContent: { spent: 350 } });
		await expect(side.callTool("forecast", {})).rejects.toThrow("This server offers no tool forecast to apps.");
		const askers = host.trace
			.snapshot(0)
			.exchanges.filter(({ target }) => target === "spend" || target?.startsWith("ui://"))
			.map(({ target, origin }) => [target, origin]);
		expect(askers).toEqual([
			["ui://budget/page.html", "app"],
			["spend", "app"],
		]);
	},
);
