import { expect, test } from "vitest";
import { startProtectedServer } from "../../../servers/protectedServer.ts";
import { setScene } from "./authorizationScene.ts";

/** Signs in where one kind of request to other servers is answered in this way, and returns the user's message. */
async function messageWhere(when: RegExp, answer: () => Response): Promise<unknown> {
	await using server = await startProtectedServer();
	const { call } = setScene(server.url, {
		plainFetch: (input, init) =>
			when.test(`${init?.method ?? "GET"} ${String(input)}`) ? Promise.resolve(answer()) : fetch(input, init),
	});
	return await call().then(
		({ status }) => status,
		({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
	);
}

const page = (title: string): string => `<!doctype html><title>${title}</title><p>SENT-PAGE</p>`;

test.each<[string, RegExp, () => Response, RegExp]>([
	[
		"an outage of the metadata",
		/well-known\/oauth-protected/,
		() => new Response("Back at noon", { status: 503, headers: { "retry-after": "90" } }),
		/^unreachable: \S+ answered 503 when asked how to sign in\. Try again later\. It asks to wait 90 s\. It says: Back at noon\.$/,
	],
	[
		"a limit at the authorization server",
		/well-known\/oauth-authorization/,
		() => Response.json({ message: "Too many" }, { status: 429 }),
		/^unreachable: .* answered 429 .* It says: Too many\.$/,
	],
	[
		"a refusal of tokens in the words of a gateway",
		/POST .*\/token/,
		() => Response.json({ error: { code: 4001, message: "Tenant is suspended" } }, { status: 403 }),
		/^unreachable: .* answered 403 when asked for a token\. It says: Tenant is suspended\.$/,
	],
	[
		"a page in place of tokens",
		/POST .*\/token/,
		() => new Response(page("Bad gateway"), { status: 502, headers: { "content-type": "text/html" } }),
		/answered 502 when asked for a token\. It says: Bad gateway\.$/,
	],
	[
		"a page of success in place of tokens",
		/POST .*\/token/,
		() => new Response(page("Welcome")),
		/^protocol: The token response of \S+ cannot be used: "access_token" is missing/,
	],
	[
		"an error of OAuth with its words",
		/POST .*\/token/,
		() => Response.json({ error: "invalid_target", error_description: "Use the other region" }, { status: 400 }),
		/^denied: .* does not know the server that the sign-in is for \(invalid_target\)\. It says: Use the other region\.$/,
	],
	[
		"an unknown error of OAuth",
		/POST .*\/token/,
		() => Response.json({ error: "region_closed" }, { status: 400 }),
		/^denied: .* it gave an unknown reason\. It says: region_closed\.$/,
	],
	[
		"a refused registration",
		/POST .*\/register/,
		() => Response.json({ error: "invalid_redirect_uri", error_description: "No loopback" }, { status: 400 }),
		/^denied: .* register itself \(400\)\. Register a client there .* It says: invalid_redirect_uri: No loopback\.$/,
	],
	[
		"a registration that is down",
		/POST .*\/register/,
		() => new Response("Try tomorrow", { status: 503 }),
		/^unreachable: .* answered 503 when asked to register MCP Host\. It says: Try tomorrow\.$/,
	],
])("%s is shown in the sender's words beside ours", async (_what, when, answer, says) => {
	const message = await messageWhere(when, answer);
	expect(message).toMatch(says);
	expect(message).not.toMatch(/SENT-|Zod|SyntaxError|Unexpected token/);
});
