import { type Browser, chromium, type Page } from "playwright-core";
import { ensureBrowser } from "./ensureBrowser.ts";

/** The size of a window in CSS pixels. */
export interface WindowSize {
	readonly width: number;
	readonly height: number;
}

/** Set where pictures are finer than the window: the number of pixels per CSS pixel. */
export const pixelRatio = "MCP_HOST_PIXEL_RATIO";

/** How long an action of a page may take, in milliseconds. */
const defaultTimeout = 60_000;
/** How long the browser may take to start, in milliseconds. */
const launchTimeout = 120_000;

/** Starts Chromium so that nothing in it can leave the machine; with a window where `MCP_HOST_HEADED` is set. */
export async function launchBrowser(): Promise<Browser> {
	return chromium.launch({
		executablePath: await ensureBrowser(),
		headless: process.env["MCP_HOST_HEADED"] === undefined,
		timeout: launchTimeout,
		args: [
			"--no-sandbox",
			"--disable-gpu",
			"--disable-quic",
			"--no-first-run",
			"--disable-background-networking",
			"--disable-component-update",
			"--disable-sync",
			"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
		],
	});
}

/** Opens an address in a new browser profile: no storage, no cookies, no cache. */
export async function openPage(browser: Browser, url: string, size?: WindowSize): Promise<Page> {
	const page = await newPage(browser, size);
	await page.goto(url);
	return page;
}

/**
 * Opens an address in another window of a page's browser profile. Of two tabs the one behind would not receive the
 * mouse.
 */
export async function openPageBeside(browser: Browser, beside: Page, url: string): Promise<Page> {
	const context = beside.context();
	const { targetInfo } = await (await context.newCDPSession(beside)).send("Target.getTargetInfo");
	const { browserContextId = "" } = targetInfo;
	const opened = context.waitForEvent("page", { timeout: defaultTimeout });
	const session = await browser.newBrowserCDPSession();
	await session.send("Target.createTarget", { url: "about:blank", browserContextId, newWindow: true });
	const page = await opened;
	page.setDefaultTimeout(defaultTimeout);
	await page.goto(url);
	return page;
}

/** An empty page in a browser profile of its own. */
export async function newPage(browser: Browser, size: WindowSize = { width: 1280, height: 800 }): Promise<Page> {
	const context = await browser.newContext({
		viewport: size,
		deviceScaleFactor: Number(process.env[pixelRatio] ?? 1),
		locale: "en-US",
		permissions: ["clipboard-read", "clipboard-write"],
	});
	const page = await context.newPage();
	page.setDefaultTimeout(defaultTimeout);
	return page;
}
