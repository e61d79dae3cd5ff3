/** Several accounts at one server: each window chooses one, and none touches another. */
import { expect, it } from "vitest";
import type { RedirectReceiver, SignInBrowser, SignInRequest } from "../../src/protocol/authorization.ts";
import { openLoopbackReceiver } from "../../src/protocol/authorization/loopbackReceiver.ts";
import { startProtectedServer } from "../servers/protectedServer.ts";
import { textOf } from "./fixtures.ts";
import { TestHost } from "./testHost.ts";

/** A user who agrees to each sign-in. */
class User implements SignInBrowser {
	readonly asked: SignInRequest[] = [];

	openReceiver(port: number | undefined): Promise<RedirectReceiver> {
		return openLoopbackReceiver(port === undefined ? {} : { port });
	}

	async open(request: SignInRequest): Promise<void> {
		this.asked.push(request);
		await fetch(request.url);
	}
}

it("two windows use two accounts of one server; a refresh or a sign-out of one never ends the other (AUT-26)", async () => {
	let account = "ann@example.com";
	await using server = await startProtectedServer({
		authOptions: {
			alter: {
				token: (answer) => {
					const payload = Buffer.from(JSON.stringify({ email: account })).toString("base64url");
					return answer.id_token === undefined ? { ...answer } : { ...answer, id_token: `e30.${payload}.` };
				},
			},
		},
	});
	const secrets = new Map<string, string>();
	await using one = new TestHost({ secrets });
	await using other = new TestHost({ secrets });
	const users = [one, other].map((host) => {
		const user = new User();
		host.signInWith(user);
		return user;
	});
	for (const host of [one, other]) await host.configure({ guarded: { url: server.url } });
	const session = (host: TestHost) => host.session("guarded");
	const start = async (host: TestHost) => host.host.start(session(host).definition.id);
	const accountOf = (host: TestHost) => host.host.signIns.accounts.get(session(host).definition.id);
	const keptOf = async (host: TestHost) => host.host.signIns.kept.get();
	await start(one);
	await start(other);
	// Both windows use the account that was there first.
	expect(users.map(({ asked }) => asked.length)).toEqual([1, 0]);
	expect(accountOf(other)).toMatchObject({ account: "ann@example.com" });

	account = "bob@example.com";
	await (await keptOf(other)).use(session(other), "second");
	expect([session(other).state.kind, session(one).state.kind]).toEqual(["needs-sign-in", "running"]);
	await start(other);
	expect(accountOf(other)).toMatchObject({ account, isChosen: true });
	expect(accountOf(one)).toMatchObject({ account: "ann@example.com" });
	const known = await (await keptOf(other)).choice.list(session(other).definition);
	expect(known.map(({ id, signedIn, isChosen }) => [id, signedIn.account, isChosen])).toEqual([
		[undefined, "ann@example.com", false],
		["second", "bob@example.com", true],
	]);

	// Each refreshes its own token.
	server.auth.grants.expireAccess();
	for (const host of [one, other, one])
		expect(textOf(await session(host).callTool("echo", { text: "still here" }))).toBe("still here");
	expect(users.map(({ asked }) => asked.length)).toEqual([1, 1]);

	await other.host.signOut(session(other).definition.id);
	server.auth.grants.expireAccess();
	expect(textOf(await session(one).callTool("echo", { text: "still in" }))).toBe("still in");
	expect(users[0]?.asked).toHaveLength(1);

	// Back to the first account, without a question; removing the server deletes both.
	await (await keptOf(other)).use(session(other), undefined);
	await start(other);
	expect(session(other).state.kind).toBe("running");
	expect(users[1]?.asked).toHaveLength(1);
	await other.host.revoke(session(other).definition.id);
	expect([...secrets.keys()].filter((key) => key.startsWith("mcpHost.credentials/"))).toEqual([]);
});
