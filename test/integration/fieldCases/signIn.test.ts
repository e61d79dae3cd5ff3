import { describe, expect, it } from "vitest";
import type { RedirectReceiver, SignInBrowser, SignInRequest } from "../../../src/protocol/authorization.ts";
import { openLoopbackReceiver } from "../../../src/protocol/authorization/loopbackReceiver.ts";
import type { JsonObject } from "../../../src/base/json.ts";
import { startProtectedServer, type ProtectedServerOptions } from "../../servers/protectedServer.ts";
import { textOf } from "../fixtures.ts";
import { TestHost } from "../testHost.ts";

/** A user who signs in on each page that opens. */
class SignsIn implements SignInBrowser {
	readonly pages: SignInRequest[] = [];

	openReceiver(): Promise<RedirectReceiver> {
		return openLoopbackReceiver({});
	}

	async open(request: SignInRequest): Promise<void> {
		this.pages.push(request);
		await fetch(request.url);
	}
}

/** Starts a protected server, signs in and calls a tool: returns what is visible of it. */
async function use(options: ProtectedServerOptions) {
	await using server = await startProtectedServer(options);
	await using host = new TestHost();
	const browser = new SignsIn();
	host.signInWith(browser);
	const session = await host.start("guarded", { url: server.url });
	const { state } = session;
	const answer = state.kind === "running" ? textOf(await session.callTool("echo", { text: "in" })) : undefined;
	return {
		kind: state.kind,
		message: "message" in state ? state.message : "",
		answer,
		pages: browser.pages.length,
		log: host.log.join("\n"),
		port: new URL(server.url).port,
		tokens: server.tokens.filter((token) => token !== undefined),
	};
}

const token = (changes: JsonObject): ProtectedServerOptions => ({
	authOptions: { alter: { token: (answer) => ({ ...answer, ...changes }) } },
});

/** An authorization server that names itself with a slash at the end, also in its redirects. */
const slashed: NonNullable<ProtectedServerOptions["authOptions"]>["alter"] = {
	metadata: (it) => ({ ...it, issuer: `${String(it["issuer"])}/` }),
	callback: (query) => query.set("iss", `${query.get("iss") ?? ""}/`),
};

describe("a sign-in at a server with unusual habits", () => {
	it.each<[string, ProtectedServerOptions, RegExp]>([
		["sends null for the refresh token", token({ refresh_token: null }), /read without "refresh_token"/],
		["sends null for the scope", token({ scope: null }), /read without "scope"/],
		[
			"sends null for all that it need not send",
			token({ expires_in: null, scope: null, id_token: null, refresh_token: null }),
			/read without "refresh_token", "id_token", "expires_in", "scope"/,
		],
		["names itself with a slash", { authOptions: { alter: slashed } }, /^/],
		[
			"names itself with a slash in metadata of OpenID Connect",
			{ authOptions: { metadataAt: ["/.well-known/openid-configuration"], alter: slashed } },
			/^/,
		],
	])("that %s opens one page, and calls are answered", async (_what, options, noted) => {
		const { kind, answer, pages, log, tokens } = await use(options);
		expect({ kind, answer, pages }).toEqual({ kind: "running", answer: "in", pages: 1 });
		expect(log).toMatch(noted);
		expect(log.split("is read without").length).toBeLessThan(3);
		for (const value of tokens) expect(log).not.toContain(value);
	});

	it.each<[string, (url: URL) => void, (port: string) => string]>([
		["https in place of http", (url) => (url.protocol = "https:"), (port) => `https://127.0.0.1:${port}/mcp`],
		[
			"localhost in place of 127.0.0.1",
			(url) => (url.hostname = "localhost"),
			(port) => `http://localhost:${port}/mcp`,
		],
	])("that is for %s opens no page, and names the address to configure", async (_what, change, address) => {
		const { kind, message, pages, port, tokens } = await use({
			alterResource(it) {
				const url = new URL(String(it["resource"]));
				change(url);
				return { ...it, resource: url.href };
			},
		});
		expect([kind, pages, tokens]).toEqual(["failed", 0, []]);
		expect(message).toContain(`configured as http://127.0.0.1:${port}/mcp, but its metadata names ${address(port)}.`);
		expect(message).toContain(`set ${address(port)} as the URL in its configuration`);
		expect(message).not.toContain("intercept");
	});

	it("that gives a needed member a useless value names the member, in the message and in the log, without the value", async () => {
		const { kind, message, log } = await use(token({ token_type: null }));
		expect(kind).toBe("failed");
		expect(message).toMatch(/token response .*cannot be used: "token_type" is missing/);
		expect(log).toContain('"token_type"');
		expect(message + log).not.toMatch(/access-|refresh-|code-|Zod/);
	});
});
