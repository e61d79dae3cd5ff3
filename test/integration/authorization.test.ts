import { describe, expect, it } from "vitest";
import type { RedirectReceiver, SignInBrowser, SignInRequest } from "../../src/protocol/authorization.ts";
import { openLoopbackReceiver } from "../../src/protocol/authorization/loopbackReceiver.ts";
import { HostError } from "../../src/base/errors.ts";
import type { ServerSession } from "../../src/servers/sessions/serverSession.ts";
import { startProtectedServer, type ProtectedServer } from "../servers/protectedServer.ts";
import { textOf } from "./fixtures.ts";
import { factsOf, TestHost } from "./testHost.ts";

/** A user who signs in, with a browser that returns through the product's own loopback redirect. */
class User implements SignInBrowser {
	readonly asked: SignInRequest[] = [];
	/** The status of the last page that the browser showed. */
	lastPage: number | undefined;
	agrees = true;

	openReceiver(port: number | undefined): Promise<RedirectReceiver> {
		return openLoopbackReceiver(port === undefined ? {} : { port });
	}

	async open(request: SignInRequest): Promise<void> {
		this.asked.push(request);
		if (!this.agrees) throw new HostError("cancelled", "No.");
		this.lastPage = (await fetch(request.url)).status;
	}
}

/** A host with a user in front of it, and one protected server, approved but not started. */
async function scene(host: TestHost, server: ProtectedServer): Promise<{ user: User; session: ServerSession }> {
	const user = new User();
	host.signInWith(user);
	await host.configure({ guarded: { url: server.url } });
	return { user, session: host.session("guarded") };
}

describe("a server that requires a sign-in", () => {
	it.each(["modern", "legacy", "sse"] as const)("runs for the user who signs in (%s)", async (speaks) => {
		await using host = new TestHost();
		await using server = await startProtectedServer({ speaks });
		const { user, session } = await scene(host, server);
		await host.host.start(session.definition.id);
		factsOf(session);
		expect(user.asked).toHaveLength(1);
		expect(user.asked[0]).toMatchObject({ server: "guarded", reason: "sign-in", scopes: ["small:use"] });
		expect(user.lastPage).toBe(200);
		expect(textOf(await session.callTool("echo", { text: "in" }))).toBe("in");
		expect(host.host.signIns.accounts.get(session.definition.id)).toMatchObject({
			issuer: server.auth.issuer,
			account: "ann@example.com",
		});
		const log = host.log.join("\n");
		const tokens = server.tokens.filter((token) => token !== undefined);
		expect(tokens.length).toBeGreaterThan(0);
		for (const token of tokens) expect(log).not.toContain(token);
	});

	it("waits for the user when no user is there", async () => {
		await using host = new TestHost();
		await using server = await startProtectedServer();
		const { user, session } = await scene(host, server);
		await host.host.startApproved();
		await expect.poll(() => session.state.kind).toBe("needs-sign-in");
		expect(user.asked).toEqual([]);
		await host.host.start(session.definition.id);
		expect(session.state.kind).toBe("running");
		expect(user.asked).toHaveLength(1);
	});

	it("does not run for a user who declines", async () => {
		await using host = new TestHost();
		await using server = await startProtectedServer();
		const { user, session } = await scene(host, server);
		user.agrees = false;
		await host.host.start(session.definition.id);
		expect(session.state.kind).toBe("needs-sign-in");
		expect(user.asked).toHaveLength(1);
		expect(server.auth.requests("authorize")).toEqual([]);
	});

	it("asks for more scopes when a tool needs them, together with those already granted", async () => {
		await using host = new TestHost();
		await using server = await startProtectedServer();
		const { user, session } = await scene(host, server);
		await host.host.start(session.definition.id);
		expect(textOf(await session.callTool("change", { what: "prompts" }))).toBe("changed prompts");
		expect(user.asked.map(({ reason }) => reason)).toEqual(["sign-in", "step-up"]);
		expect(user.asked[1]?.scopes.toSorted((a, b) => a.localeCompare(b))).toEqual(["small:change", "small:use"]);
		expect(textOf(await session.callTool("change", { what: "prompts" }))).toBe("changed prompts");
		expect(user.asked).toHaveLength(2);
	});

	it("refreshes once for many calls with an expired token, without a question", async () => {
		await using host = new TestHost();
		await using server = await startProtectedServer();
		const { user, session } = await scene(host, server);
		await host.host.start(session.definition.id);
		await expect.poll(() => session.tools.status.kind).toBe("ready");
		server.auth.grants.expireAccess();
		const calls = Array.from({ length: 20 }, (_, index) => session.callTool("echo", { text: String(index) }));
		expect((await Promise.all(calls)).map(textOf)).toEqual(calls.map((_, index) => String(index)));
		const refreshes = server.auth.requests("token").filter(({ fields }) => fields["grant_type"] === "refresh_token");
		expect(refreshes).toHaveLength(1);
		expect(user.asked).toHaveLength(1);
	});

	it("asks again when the grant was withdrawn, in the call that detects it", async () => {
		await using host = new TestHost();
		await using server = await startProtectedServer();
		const { user, session } = await scene(host, server);
		await host.host.start(session.definition.id);
		server.auth.grants.revokeAll();
		expect(textOf(await session.callTool("echo", { text: "back" }))).toBe("back");
		expect(user.asked).toHaveLength(2);
	});

	it("is signed out with everything that was kept, and asks at the next start", async () => {
		await using host = new TestHost();
		await using server = await startProtectedServer();
		const { user, session } = await scene(host, server);
		const { id } = session.definition;
		await host.host.start(id);
		const token = server.tokens.at(-1) ?? "";
		expect(server.auth.find(token)).toBeDefined();
		await host.host.signOut(id);
		expect(session.state.kind).toBe("needs-sign-in");
		expect(host.host.signIns.accounts.get(id)).toBeUndefined();
		expect(server.auth.find(token)).toBeUndefined();
		await host.host.startApproved();
		expect(user.asked).toHaveLength(1);
		await host.host.start(id);
		expect(session.state.kind).toBe("running");
		expect(user.asked).toHaveLength(2);
	});
});
