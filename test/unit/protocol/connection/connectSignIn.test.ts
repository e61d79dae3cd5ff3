import { describe, expect, test } from "vitest";
import type { Authorization } from "../../../../src/protocol/authorization.ts";
import { HostError } from "../../../../src/base/errors.ts";
import type { Connection } from "../../../../src/protocol/connection.ts";
import { HeadlessBrowser, MemoryCredentials } from "../../../servers/headlessBrowser.ts";
import { startProtectedServer, type ProtectedServerOptions } from "../../../servers/protectedServer.ts";
import { control, http, Scene } from "./connectScene.ts";

type Kind = Pick<ProtectedServerOptions, "speaks">["speaks"];

function authorization(changes: Partial<Authorization> = {}): Authorization & { readonly browser: HeadlessBrowser } {
	return {
		server: "small",
		config: {},
		credentials: new MemoryCredentials(),
		isInteractive: () => true,
		onDidChangeSignedIn() {},
		whileAsking: (ask, signal) => ask(signal),
		...changes,
		browser: (changes.browser as HeadlessBrowser | undefined) ?? new HeadlessBrowser(),
	};
}

async function toolNames(connection: Connection): Promise<readonly string[]> {
	const { items } = await connection.listTools(undefined, control());
	return items.map(({ name }) => name);
}

describe.each(["legacy", "modern", "sse"] satisfies readonly Kind[])("a protected server (%s)", (speaks) => {
	const kind = speaks === "sse" ? "sse" : "http";

	test("is signed in to during the connection, steps up in a call, and refreshes for all calls at once", async () => {
		await using server = await startProtectedServer({ speaks });
		await using scene = new Scene();
		const authorized = authorization();
		const connection = await scene.connect(http(server.url, kind), { authorization: authorized });
		expect(await toolNames(connection)).toContain("change");
		await connection.callTool("change", { what: "tools" }, undefined, control());
		expect(authorized.browser.opened.map(({ reason }) => reason)).toEqual(["sign-in", "step-up"]);
		server.auth.grants.expireAccess();
		const before = server.auth.requests("token").length;
		await Promise.all(Array.from({ length: 20 }, () => connection.listTools(undefined, control())));
		expect(server.auth.requests("token")).toHaveLength(before + 1);
		expect(authorized.browser.opened).toHaveLength(2);
		expect(scene.host.ends).toEqual([]);
	});

	test("is not connected to if no question is allowed, and reports it", async () => {
		await using server = await startProtectedServer({ speaks });
		await using scene = new Scene();
		const authorized = authorization({ isInteractive: () => false });
		const connecting = scene.connect(http(server.url, kind), { authorization: authorized });
		await expect(connecting).rejects.toMatchObject({ code: "needs-sign-in" });
	});

	test("asks the user once when they decline", async () => {
		await using server = await startProtectedServer({ speaks });
		await using scene = new Scene();
		const browser = new HeadlessBrowser();
		let asked = 0;
		browser.open = () => {
			asked++;
			return Promise.reject(new HostError("cancelled", "You did not sign in."));
		};
		const connecting = scene.connect(http(server.url, kind), { authorization: authorization({ browser }) });
		await expect(connecting).rejects.toMatchObject({ code: "needs-sign-in" });
		expect(asked).toBe(1);
	});
});

test("refreshed tokens are kept although the server is stopped meanwhile", async () => {
	const { promise: open, resolve: letGo } = Promise.withResolvers<void>();
	const { promise: refreshing, resolve: note } = Promise.withResolvers<void>();
	let isHeld = false;
	await using server = await startProtectedServer({
		authOptions: {
			beforeToken() {
				if (!isHeld) return Promise.resolve();
				note();
				return open;
			},
		},
	});
	await using scene = new Scene();
	const authorized = authorization();
	const connection = await scene.connect(http(server.url), { authorization: authorized });
	await toolNames(connection);
	server.auth.grants.expireAccess();
	isHeld = true;
	const listing = expect(toolNames(connection)).rejects.toThrow();
	await refreshing;
	const closing = connection.close();
	await listing;
	letGo();
	await closing;
	const unattended = { ...authorized, isInteractive: () => false };
	expect(await toolNames(await scene.connect(http(server.url), { authorization: unattended }))).toContain("change");
	expect(server.auth.requests("token")).toHaveLength(2);
});

test("a configured Authorization header is a choice of the user's: no sign-in is requested", async () => {
	await using server = await startProtectedServer();
	await using scene = new Scene();
	const authorized = authorization();
	const launch = { kind: "http" as const, url: server.url, headers: { authorization: "Bearer mine" } };
	await expect(scene.connect(launch, { authorization: authorized })).rejects.toThrow("401");
	expect(authorized.browser.opened).toEqual([]);
	expect(new Set(server.tokens)).toEqual(new Set(["mine"]));
});
