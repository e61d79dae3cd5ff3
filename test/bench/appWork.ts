import { createServer } from "node:http";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, newPage } from "../editor/browser.ts";
import { AppScene } from "../unit/features/apps/appScene.ts";
import { plainApp } from "../view/fixtures/appPage.ts";
import { AppWindow, readyWindow } from "../view/fixtures/appWindow.ts";
import { viewScript } from "../view/fixtures/formPage.ts";
import { portOf } from "../view/fixtures/servedPage.ts";
import type { Sample } from "./doWork.ts";
import type { Side } from "./side.ts";

const result = { content: [{ type: "text" as const, text: "5 left" }] };
/** The time limit for a page, in milliseconds. */
const patienceMs = 60_000;

/**
 * A small page that shows the result of a call, and logs when it was painted: the first paint, and the one with the
 * result.
 */
const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Budget</title>
<style>body { font: 14px/1.5 sans-serif } li { padding: 2px }</style></head><body><h1>Budget</h1><ul id="out"></ul><script>
	const painted = (what, at) => console.info("painted " + what + " " + (performance.timeOrigin + at));
	new PerformanceObserver((list) => { for (const { name, startTime } of list.getEntries()) if (name === "first-contentful-paint") painted("first", startTime); }).observe({ type: "paint", buffered: true });
	const show = ({ content }) => {
		document.getElementById("out").innerHTML = "<li>" + content[0].text + "</li>".repeat(20);
		requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel(); port1.onmessage = () => painted("result", performance.now()); port2.postMessage(0); });
	};
	${plainApp}
	if (self === top) show(${JSON.stringify(result)});
	else { addEventListener("told", () => { const came = told["ui/notifications/tool-result"]; if (came !== undefined) show(came); }); begin(); }
</script></body></html>`;

let launched: Promise<Browser> | undefined;

/** The time of a small page from the result of a call to its paint: as the app of the call, or on its own in the window. */
export async function appPaint({ showsApps }: Side): Promise<Sample> {
	const browser = await (launched ??= launchBrowser());
	return showsApps === true ? asApp(browser) : alone(browser);
}

async function alone(browser: Browser): Promise<Sample> {
	const server = createServer((_, response) => response.setHeader("content-type", "text/html").end(html));
	const page = await newPage(browser);
	const port = await portOf(server);
	try {
		return await paintsOf(page, () => page.goto(`http://127.0.0.1:${port}/`));
	} finally {
		await page.context().close();
		server.closeAllConnections();
		server.close();
	}
}

async function asApp(browser: Browser): Promise<Sample> {
	const { app } = await AppScene.begin({ html, result, preamble: await viewScript("appFrame") });
	const { open, ...parts } = await readyWindow(browser, app, {});
	await using window = new AppWindow(app, parts);
	return await paintsOf(window.page, async () => Promise.all([app.open(), open()]));
}

/** Runs the function that shows the page, and waits until it was painted. */
async function paintsOf(page: Page, show: () => Promise<unknown>): Promise<Sample> {
	const start = performance.timeOrigin + performance.now();
	const paints: Record<string, number> = {};
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	const timer = setTimeout(() => reject(new Error("The page was not painted.")), patienceMs);
	page.on("console", (message) => {
		const [, what = "", at] = /^painted (\w+) ([\d.]+)$/.exec(message.text()) ?? [];
		if (at === undefined) return;
		paints[what] ??= Number(at) - start;
		if ("first" in paints && "result" in paints) resolve();
	});
	await Promise.all([show(), promise]);
	clearTimeout(timer);
	return paints;
}
