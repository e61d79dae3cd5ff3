/** Apps that try to get out of their frame, in a browser without VS Code: nothing reaches a listener outside. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, newPage } from "../editor/browser.ts";
import { tool } from "../unit/features/tools/toolSession.ts";
import { AppPage, Listener, plainApp } from "./fixtures/appPage.ts";
import { callingPage, ways } from "./fixtures/hostileApp.ts";

const spend = tool("spend", { amount: { type: "number" } }, { _meta: { ui: { visibility: ["app"] } } });

let browser: Browser;
let listener: Listener;
beforeAll(async () => {
	browser = await launchBrowser();
	listener = await Listener.open();
});
afterAll(async () => {
	await browser?.close();
	await listener?.[Symbol.asyncDispose]();
});

test("an app reaches nothing outside its frame and nothing around it: no listener, no storage, no document (APP-05)", async () => {
	const outside = `http://127.0.0.1:${listener.port}`;
	const html = `<script>fetch("${outside}/early")</script><!doctype html><html><head><meta http-equiv="refresh" content="3600"></head><body><script>${plainApp}</script><script>${ways(outside, listener.packetPort)}</script>`;
	await using shown = await AppPage.open(browser, { html });
	await expect.poll(() => shown.known).toContain("Log, info: tried all");
	expect(shown.known).toContain("Log, info: origin null, undefined undefined undefined");
	expect(shown.known.filter((line) => line.includes("REACHED"))).toEqual([]);
	expect(listener.hits).toEqual([]);
	// Ways that wait for the policy are reported with what it blocked.
	expect(shown.known.some((line) => line.includes("Blocked by the policy") && line.includes("connect-src"))).toBe(true);
});

test("the same ways from an ordinary page reach the listener, so that the listener works (APP-05)", async () => {
	await using heard = await Listener.open();
	heard.page = `<body><script>${plainApp}</script><script>${ways(`http://127.0.0.1:${heard.port}`, heard.packetPort)}</script>`;
	const page = await newPage(browser);
	// Counted before the ways run: one of them navigates the page away.
	expect(await page.evaluate("typeof RTCPeerConnection")).toBe("function");
	await page.goto(`http://127.0.0.1:${heard.port}/page`);
	const expected = [
		"fetch",
		"xhr",
		"beacon",
		"socket",
		"image",
		"style",
		"script",
		"frame",
		"object",
		"nested",
		"popup",
		"top",
		"parent",
	];
	await expect.poll(() => expected.filter((way) => !heard.hits.includes(`/${way}`))).toEqual([]);
	await page.context().close();
});

test.each([
	["an address", (to: string) => `location.href = "${to}"`],
	["a replacement", (to: string) => `location.replace("${to}")`],
	[
		"a refresh",
		(to: string) => `document.head.insertAdjacentHTML("beforeend", "<meta http-equiv=refresh content='0;url=${to}'>")`,
	],
	[
		"a link",
		(to: string) => `const a = document.createElement("a"); a.href = "${to}"; document.body.append(a); a.click()`,
	],
	[
		"a form",
		(to: string) =>
			`const f = document.createElement("form"); f.action = "${to}"; f.method = "post"; document.body.append(f); f.submit()`,
	],
	[
		"a page of data",
		() =>
			`location.href = "data:text/html,<script>parent.postMessage({jsonrpc:'2.0',id:1,method:'tools/call',params:{name:'budget'}},'*')</" + "script>"`,
	],
	["a page of its own", () => `location.href = URL.createObjectURL(new Blob(["<p>other"], { type: "text/html" }))`],
])(
	"an app that navigates its own frame by %s sends nothing, and is ignored afterwards (APP-05)",
	async (_name, way) => {
		const to = `http://127.0.0.1:${listener.port}/left?data`;
		const html = `<body><script>${plainApp}</script><script>begin().then(() => { try { ${way(to)} } catch (e) { say(e) } say("tried"); });</script>`;
		await using shown = await AppPage.open(browser, { html });
		// Either the policy blocks it first, or the frame is gone.
		await expect
			.poll(
				() =>
					/navigated to another page/.test(shown.scene.app.view.sentence ?? "") ||
					shown.known.some((line) => /form-action|frame-src/.test(line)),
			)
			.toBe(true);
		expect(listener.hits).toEqual([]);
		expect(shown.scene.app.questions.current).toBeUndefined();
		expect(shown.scene.session.received).toEqual([]);
	},
);

test.each([
	["while it is parsed, to a page that loads", "/page", "location.href = to;"],
	["while it is parsed, to a page that never finishes", "/slow", "location.href = to;"],
	["later, to a page that loads", "/page", "begin().then(() => { location.href = to; });"],
	["later, to a page that never finishes", "/slow", "begin().then(() => { location.href = to; });"],
])(
	"an app that navigates its frame to an outside page of a domain that it was granted %s exchanges no message with that page (APP-05)",
	async (_name, path, leave) => {
		await using outside = await Listener.open();
		const origin = `http://127.0.0.1:${outside.port}`;
		outside.page = callingPage;
		const html = `<body><script>${plainApp} const to = "${origin}${path}"; ${leave}</script>`;
		const ui = { csp: { frameDomains: [origin] } };
		await using shown = await AppPage.open(browser, { html, ui, tools: [spend] });
		const allow = shown.page.getByRole("button", { name: "Allow and Open" });
		await expect.poll(() => allow.isEnabled()).toBe(true);
		await allow.click();
		await expect.poll(() => outside.pages).toBe(1);
		await expect.poll(() => shown.scene.app.view.sentence).toMatch(/navigated to another page/);
		expect(shown.scene.app.questions.current).toBeUndefined();
		expect(shown.scene.app.view.added).toBeUndefined();
		expect(shown.scene.session.received).toEqual([]);
		expect(outside.hits.filter((hit) => hit.startsWith("/told"))).toEqual([]);
	},
);

test("an app that floods, or sends oversized messages, non-messages or a prototype, does no harm (APP-09)", async () => {
	const html = `<body><script>${plainApp}</script><script>
		begin().then(async () => {
			for (let i = 0; i < 3000; i++) parent.postMessage({ jsonrpc: "2.0", method: "ui/notifications/nothing", params: { i } }, "*");
			const circle = {}; circle.circle = circle;
			parent.postMessage(circle, "*");
			parent.postMessage({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "x".repeat(5000000) } }, "*");
			const pause = () => new Promise((resolve) => setTimeout(resolve, 500));
			while (!(await Promise.race([rpc("ping"), pause()])));
			// So that nothing of what follows is dropped with the flood.
			await pause();
			parent.postMessage(JSON.parse('{"jsonrpc":"2.0","id":"p","method":"tools/call","params":{"name":"__proto__","arguments":{"__proto__":{"polluted":true}}}}'), "*");
			parent.postMessage({ rpc: "call", id: 1, method: "show", args: [{ load: 0, sentence: "forged" }] }, "*");
			const answer = await rpc("ping");
			say("after " + JSON.stringify(answer.result));
		});
	</script>`;
	await using shown = await AppPage.open(browser, { html });
	await expect.poll(() => shown.known).toContain("Log, info: after {}");
	expect(shown.known.some((line) => line.includes(": The app sent too many messages"))).toBe(true);
	expect(await shown.page.getByText("forged").count()).toBe(0);
	expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
	expect(shown.scene.session.received).toEqual([]);
});
