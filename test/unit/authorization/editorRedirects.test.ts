import { expect, test } from "vitest";
import { EditorRedirects } from "../../../src/authorization/editorRedirects.ts";
import { externalAddress } from "../../../src/authorization/externalAddress.ts";

const never = new AbortController().signal;

test("callbacks of the editor's handler reach whoever waits for their state", async () => {
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

test("nobody waits after the end", async () => {
	const redirects = new EditorRedirects();
	const receiver = redirects.add("vscode://a");
	const received = receiver.receive("s", never);
	receiver.dispose();
	await expect(received).rejects.toThrow("cancelled");
	expect(await redirects.deliver("code=c&state=s")).toBe(false);
});

test.each([
	["http://127.0.0.1:5555/", "the same place"],
	["http://127.0.0.1:6666/", "http://127.0.0.1:6666/authorize?redirect=http%3A%2F%2Fx%3Fa%26b&plus=%2B"],
	[
		"https://edit.example/proxy/5555/",
		"https://edit.example/proxy/5555/authorize?redirect=http%3A%2F%2Fx%3Fa%26b&plus=%2B",
	],
])("behind %s a browser reads the very address", (external, expected) => {
	const href = "http://127.0.0.1:5555/authorize?redirect=http%3A%2F%2Fx%3Fa%26b&plus=%2B";
	expect(externalAddress(new URL(href), external)).toBe(expected === "the same place" ? href : expected);
});
