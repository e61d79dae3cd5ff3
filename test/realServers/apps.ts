/**
 * `npm run real-apps [-- --workbench] [-- --only name]`: the sample servers of MCP Apps from npm, each of whose apps is shown in a
 * browser as the product shows it: it is initialized, gets its call, another size and theme, and lets go; with `--workbench` by the
 * packaged extension in the editor instead. Installs them once, as `real-servers` does. Pictures in test-output/screenshots; the last
 * line is one line of JSON. Not part of `npm test`.
 */
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { messageOf } from "../../src/base/errors.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { appsExtension } from "../../src/protocol/apps.ts";
import { appUriOf } from "../../src/protocol/toolPage.ts";
import { readCatalog } from "../../src/permissions/catalog/catalog.ts";
import { launchBrowser } from "../editor/browser.ts";
import { factsOf, TestHost } from "../integration/testHost.ts";
import { appOfCall } from "../view/fixtures/appOfCall.ts";
import { AppWindow, showApp } from "../view/fixtures/appWindow.ts";
import { appName, type AppRow, appServers } from "./appPackages.ts";
import { AppWorkbench } from "./appWorkbench.ts";
import { install, scriptOf } from "./install.ts";
import type { RealServer } from "./realServer.ts";

/** How long an app may take to report that it is initialized, in milliseconds. */
const patienceMs = 60_000;

const { values: flags } = parseArgs({
	options: { only: { type: "string" }, workbench: { type: "boolean", default: false } },
});
const chosen = appServers.filter(({ name }) => flags.only === undefined || name.includes(flags.only));
await install(appServers);
const browser = await launchBrowser();
await using editor = flags.workbench ? await AppWorkbench.start(chosen) : undefined;
const rows: AppRow[] = [];
for (const server of chosen) {
	const app = appName(server);
	const none = { app, initialized: false, size: "", stopped: 0, asked: "", teardownMs: 0 };
	const trial = editor === undefined ? tryOut(browser, server, app) : editor.tryOut(server);
	const row = await trial.catch((error: unknown): AppRow => ({
		...none,
		happened: messageOf(error),
	}));
	rows.push(row);
	console.log(`${row.initialized ? "ok  " : "FAIL"}  ${app}: ${row.happened}`);
}
await browser.close();
console.table(rows);
const passed = rows.filter(({ initialized }) => initialized).length;
if (passed < rows.length) process.exitCode = 1;
console.log(JSON.stringify({ passed, total: rows.length }));

async function tryOut(inside: Browser, server: RealServer, name: string): Promise<AppRow> {
	await using host = new TestHost({ extensions: appsExtension });
	const args = [scriptOf(server), ...(server.args?.({ folder: host.folder, url: "", port: 0 }) ?? [])];
	const session = await host.run(name, { command: process.execPath, args });
	factsOf(session);
	await until(() => session.tools.status.kind === "ready");
	const { registry } = host.host;
	const entry = readCatalog(registry).entries.find(({ tool }) => appUriOf(tool) !== undefined);
	if (entry === undefined) throw new Error("It has no tool with an app.");
	const call: JsonObject = {};
	const { app, pins, result } = await appOfCall(registry, entry, call, {
		openExternal: async () => false,
		draft: async () => undefined,
	});
	await using window = new AppWindow(app, await showApp(inside, app, { width: 1000 }));
	const asked = new Set<string>();
	// Its requests are allowed while it is open, and so are domains: none of them can be reached here.
	const answering = setInterval(() => {
		const question = app.questions.current;
		if (question === undefined) return;
		const widest = question.answers.find(({ answer }) => answer === "open") ?? question.answers.at(-1);
		if (app.questions.answer(question.id, widest?.answer))
			asked.add(question.heading.replace(/^The app .* wants to /, ""));
	}, 100);
	try {
		await until(() => window.known.some((line) => line.startsWith("Initialized after")));
		if (app.view.details !== undefined) app.toggleDetails();
		await until(() => app.questions.current === undefined);
		await window.screenshot(`real-app-${name}-dark`);
		let isTold = false;
		app.onDidSend(({ message }) => (isTold ||= JSON.stringify(message).includes('"theme":"light"')));
		await window.dress("light");
		await window.page.setViewportSize({ width: 320, height: 600 });
		await until(() => isTold && app.questions.current === undefined);
		await window.screenshot(`real-app-${name}-light-narrow`);
		const size = window.known.find((line) => line.startsWith("Wants ")) ?? "";
		const stopped = window.known.filter((line) => line.startsWith("Blocked by the policy")).length;
		const failed = window.known.find((line) => line.startsWith("Error: "));
		const start = performance.now();
		await app.close();
		const teardownMs = Math.round(performance.now() - start);
		const happened = failed ?? `initialized, its call has ${result.isError === true ? "an error" : "a result"}`;
		return { app: name, initialized: true, size, stopped, asked: [...asked].join(", "), teardownMs, happened };
	} finally {
		clearInterval(answering);
		pins.dispose();
	}
}

async function until(isSo: () => boolean): Promise<void> {
	const end = performance.now() + patienceMs;
	while (!isSo()) {
		if (performance.now() > end) throw new Error("It did not go on in a minute.");
		await new Promise((done) => setTimeout(done, 50));
	}
}
