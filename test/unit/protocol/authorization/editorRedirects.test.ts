import { expect, test } from "vitest";
import { browserAddress, EditorRedirects } from "../../../../src/protocol/authorization/editorRedirects.ts";

const never = new AbortController().signal;

test("callbacks of the editor's handler reach the sign-in with their state", async () => {
	const redirects = new EditorRedirects();
	const [first, second] = [redirects.add("vscode://a"), redirects.add("vscode://b")];
	const received = [first.receive("one", never), second.receive("two", never)];
	expect(await redirects.deliver("code=x&state=three")).toBe(false);
	expect(await redirects.deliver("code=of-two&state=two")).toBe(true);
	expect((await received[1])?.get("code")).toBe("of-two");
	expect(await redirects.deliver("code=again&state=two")).toBe(false);
	expect(await redirects.deliver("code=of-one&state=one")).toBe(true);
	expect((await received[0])?.get("code")).toBe("of-one");
});

test("a code keeps its plus signs, whether or not the editor decoded the query", async () => {
	const redirects = new EditorRedirects();
	for (const query of ["code=a%2Bb&state=s", "code=a+b&state=s"]) {
		const received = redirects.add("vscode://a").receive("s", never);
		expect(await redirects.deliver(query)).toBe(true);
		expect((await received).get("code")).toBe("a+b");
	}
});

test("no sign-in waits after the end", async () => {
	const redirects = new EditorRedirects();
	const receiver = redirects.add("vscode://a");
	const received = receiver.receive("s", never);
	receiver.dispose();
	await expect(received).rejects.toThrow("cancelled");
	expect(await redirects.deliver("code=c&state=s")).toBe(false);
});

const path = "/authorize?redirect=http%3A%2F%2F127.0.0.1%3A7777%2F%3Fa%26b&plus=%2B";

test.each([
	["http://127.0.0.1:5555", "http://127.0.0.1:5555/", "http://127.0.0.1:5555"],
	["http://127.0.0.1:5555", "http://127.0.0.1:6666/", "http://127.0.0.1:6666"],
	["http://127.0.0.1:5555", "https://edit.example/proxy/5555/", "https://edit.example/proxy/5555"],
	// The editor forwards these as well, and would decode the redirect in the query.
	["https://127.0.0.1:5555", "https://edit.example/proxy/5555/", "https://edit.example/proxy/5555"],
	["https://localhost:5555", "https://localhost:6666/", "https://localhost:6666"],
	["http://[::1]:5555", "https://edit.example/proxy/5555/", "https://edit.example/proxy/5555"],
])(
	"%s, which the editor returns as %s, is opened in the browser exactly (AUT-02)",
	async (origin, external, expected) => {
		const asked: string[] = [];
		const address = await browserAddress(origin + path, async (of) => {
			asked.push(of);
			return external;
		});
		expect(address).toBe(expected + path);
		expect(asked).toEqual([`${origin}/`]);
	},
);

test("an address elsewhere is opened unchanged, for any query", async () => {
	const href = `https://auth.example${path}`;
	expect(await browserAddress(href, () => expect.fail("the editor was asked"))).toBe(href);
});
