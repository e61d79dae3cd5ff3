import { resolve } from "node:path";
import type { Browser } from "playwright-core";
import { takeAdditions, type TakenAdditions } from "../../../src/features/apps/takenAdditions.ts";
import { AppCall } from "../../../src/features/apps/appCall.ts";
import type { OpenApp } from "../../../src/features/apps/openApp.ts";
import { isJsonObject, type JsonObject } from "../../../src/base/json.ts";
import { appsExtension } from "../../../src/protocol/apps.ts";
import { readCatalog, type ToolEntry } from "../../../src/permissions/catalog/catalog.ts";
import type { PinnedDefinitions } from "../../../src/permissions/pinning/pinnedDefinitions.ts";
import { factsOf, TestHost } from "../../integration/testHost.ts";
import { messagesOf, readReceived } from "../../servers/received.ts";
import { done } from "../../unit/features/apps/appScene.ts";
import { Listener } from "../../view/fixtures/appPage.ts";
import { appOf, appOfCall, type AppReach } from "../../view/fixtures/appOfCall.ts";
import { AppWindow, showApp } from "../../view/fixtures/appWindow.ts";

/** Whether a requirement is met, and the observation. */
export interface Finding {
	readonly id: string;
	readonly isMet: boolean;
	readonly seen: string;
}

/** The time limit for the app between two reports, in milliseconds. */
const patienceMs = 120_000;

/** The host with the servers that its app talks to, and its user, who agrees to everything by the buttons. */
interface Stage {
	readonly browser: Browser;
	readonly host: TestHost;
	readonly reached: Listener;
	readonly unreached: Listener;
	/** The pages opened in the browser, and the text put into the chat. */
	readonly opened: string[];
	readonly drafts: string[];
	/** The headings of the questions that the user answered. */
	readonly asked: Set<string>;
}

/** Shows the apps of the server in a browser, and returns all findings of the apps and of their surroundings (APP-14). */
export async function checkHost(browser: Browser): Promise<readonly Finding[]> {
	await using host = new TestHost({ extensions: appsExtension });
	await using reached = await Listener.open();
	await using unreached = await Listener.open();
	const stage: Stage = { browser, host, reached, unreached, opened: [], drafts: [], asked: new Set() };
	await startServers(stage);
	const about = [...(await checkWhole(stage)), ...(await checkClosed(stage)), ...(await checkUntyped(stage))];
	await checkCancelled(stage);
	await checkWritten(stage);
	return [...reportsOf(stage).flatMap(findingsOf), ...about, ...checkServer(stage)];
}

async function startServers({ host, reached, unreached }: Stage): Promise<void> {
	const server = (name: string, ...args: readonly string[]): JsonObject => ({
		command: process.execPath,
		args: [resolve("test/servers", `${name}.ts`), "--log", host.path(`${name}.log`), ...args],
	});
	const origins = ["--reached", originOf(reached), "--unreached", originOf(unreached)];
	await host.configure({
		checker: server("appConformanceServer", ...origins),
		other: server("everythingSmall", "--era", "modern"),
	});
	for (const session of host.host.registry.sessions) {
		await host.host.start(session.definition.id);
		factsOf(session);
		await until(() => session.tools.status.kind === "ready");
	}
}

/** Runs the app that declares an origin, to its end. */
async function checkWhole(stage: Stage): Promise<readonly Finding[]> {
	const { browser, host, reached, unreached, opened, drafts, asked } = stage;
	const { app, pins } = await openApp(stage, "run", { round: 1 });
	await using window = new AppWindow(app, await showApp(browser, app, {}));
	await until(() => app.questions.current !== undefined);
	const isWarned = (await window.page.locator("iframe").count()) === 0;
	const user = agree(stage, window);
	await until(() => isAsked(stage, "theme"));
	await window.dress("light");
	await until(() => isAsked(stage, "close"));
	const frame = window.page.locator("#stage > iframe");
	const [sandbox, allow] = [await frame.getAttribute("sandbox"), await frame.getAttribute("allow")];
	const around = (await window.page.locator("meta[http-equiv]").getAttribute("content")) ?? "";
	const inside = await window.evaluate<string>(`document.querySelector("meta[http-equiv]").content`);
	const added = app.view.added;
	const context = (await takeWhenSeen(app)).give()[0]?.content.text;
	const known = window.known;
	await app.close();
	user.abort();
	pins.dispose();
	const isKept = [around, inside].every(
		(policy) =>
			policy.includes(`connect-src ${originOf(reached)};`) &&
			["default-src 'none'", "frame-src 'none'", "object-src 'none'"].every((rule) => policy.includes(rule)),
	);
	const offered = readCatalog(host.host.registry).offered.map(({ name }) => name);
	const headings = [...asked].join("; ");
	return [
		see("security/iframe-sandboxed", sandbox === "allow-scripts allow-forms", sandbox),
		see("security/sandbox-proxy-required", sandbox !== null, sandbox),
		see("security/sandbox-csp-enforced", isKept, { around, inside }),
		see("security/permissions-allow-attr", allow === "clipboard-write", allow),
		see("security/csp-audit-log", known.includes(`Connect to ${originOf(reached)}: granted`), known),
		see("security/external-domain-warning", isWarned && headings.includes("wants to reach"), headings),
		see("security/global-allowlist", !around.includes("denied.example"), { around, known }),
		see("security/csp-allow-declared", reached.hits.length === 1, reached.hits),
		see("security/no-way-around", unreached.hits.length === 0, unreached.hits),
		see("visibility/app-tool-hidden", !offered.includes("checker_report"), offered),
		see("tools/asked", headings.includes("wants to run report"), headings),
		see("links/open-external", opened.join() === "https://apps.example/opened", opened),
		see("messages/consent", headings.includes("wants to write into your chat"), headings),
		see("messages/add-to-conversation", drafts.join().endsWith("a message of the app"), drafts),
		see("model-context/provide-future-turns", context !== undefined, context),
		see("model-context/last-wins", context === `{"secret":"last"}`, context),
		see("model-context/overwrite-defer-dedupe-display", added?.exact.includes("last") === true, added),
	];
}

/** The app that has no policy: it asks for nothing, and reaches nothing. */
async function checkClosed(stage: Stage): Promise<readonly Finding[]> {
	const { browser, reached, unreached } = stage;
	const before = reached.hits.length + unreached.hits.length;
	const { app, pins } = await openApp(stage, "run_closed", { round: 1 });
	await using window = new AppWindow(app, await showApp(browser, app, {}));
	const user = agree(stage, window);
	await until(() => isAsked(stage, "done"));
	user.abort();
	pins.dispose();
	const after = reached.hits.length + unreached.hits.length;
	return [see("security/csp-default-deny", after === before, reached.hits)];
}

/** The app of a call that is cancelled while it runs. */
async function checkCancelled(stage: Stage): Promise<void> {
	const { browser, host, opened, drafts } = stage;
	const call = new AppCall(entryOf(stage, "run_closed"), { round: 2 });
	const { app, pins } = await appOf(host.host.registry, call, reachOf(opened, drafts));
	await using window = new AppWindow(app, await showApp(browser, app, {}));
	const user = agree(stage, window);
	await until(() => isAsked(stage, "cancel"));
	call.finish({ kind: "cancelled", isSent: true, isAlone: true });
	await until(() => isAsked(stage, "cancelled"));
	user.abort();
	pins.dispose();
}

/** The app of a call that is opened while a model writes it (APP-24). */
async function checkWritten(stage: Stage): Promise<void> {
	const { browser, host, opened, drafts } = stage;
	const call = new AppCall(entryOf(stage, "run_closed"));
	const { app, pins } = await appOf(host.host.registry, call, reachOf(opened, drafts));
	await using window = new AppWindow(app, await showApp(browser, app, {}));
	const user = agree(stage, window);
	call.write({ round: 3 });
	await until(() => isAsked(stage, "write"));
	call.write({ round: 3, said: "fo" });
	const args = { round: 3, said: "for May" };
	call.send(args);
	call.write({ round: 3, said: "late" });
	call.finish(done(args, { content: [] }));
	await until(() => isAsked(stage, "written"));
	user.abort();
	pins.dispose();
}

/** The app whose page is of another type. */
async function checkUntyped(stage: Stage): Promise<readonly Finding[]> {
	const { app, pins } = await openApp(stage, "run_untyped", {});
	await app.open();
	const { blank, load } = app.view;
	const sentence = blank?.sentence;
	app.dispose();
	pins.dispose();
	return [see("resources/mime", load === 0 && sentence?.includes("text/html;profile=mcp-app") === true, sentence)];
}

/** The messages of the host that the server received. */
function checkServer({ host }: Stage): readonly Finding[] {
	const received = readReceived(host.path("appConformanceServer.log"));
	const reads = messagesOf(received, "resources/read").map(({ params }) => (params as JsonObject)["uri"]);
	const declared = JSON.stringify(messagesOf(received, "tools/list")[0]);
	const calls = messagesOf(received, "tools/call").map(({ params }) => (params as JsonObject)["name"]);
	return [
		see("resources/read-referenced", reads.includes("ui://check/open"), reads),
		see("capabilities/mimetypes-required", declared.includes('"mimeTypes":["text/html;profile=mcp-app"]'), declared),
		see("visibility/app-tool-call-guard", !calls.includes("for_models"), calls),
	];
}

async function openApp(
	stage: Stage,
	name: string,
	args: JsonObject,
): Promise<{ readonly app: OpenApp; readonly pins: PinnedDefinitions }> {
	const { host, opened, drafts } = stage;
	return appOfCall(host.host.registry, entryOf(stage, name), args, reachOf(opened, drafts));
}

function entryOf({ host }: Stage, name: string): ToolEntry {
	const entry = readCatalog(host.host.registry).entries.find(({ tool }) => tool.name === name);
	if (entry === undefined) throw new Error(`The server has no tool ${name}.`);
	return entry;
}

function reachOf(opened: string[], drafts: string[]): AppReach {
	return {
		openExternal: async (href) => opened.push(href) > 0,
		draft: async (text) => void drafts.push(text),
		deniedDomains: ["denied.example"],
	};
}

/** Plays a user who presses the last, widest button of each question, until it is stopped. */
function agree({ asked }: Stage, { app, page }: AppWindow): AbortController {
	const ended = new AbortController();
	const press = async (): Promise<void> => {
		while (!ended.signal.aborted) {
			const question = app.questions.current;
			if (question === undefined) {
				await new Promise<void>((done) => setTimeout(done, 20));
				continue;
			}
			asked.add(question.heading);
			const label = question.answers.find(({ answer }) => answer === "open") ?? question.answers.at(-1);
			await page.getByRole("button", { name: label?.label ?? "", exact: true }).click();
			await until(() => ended.signal.aborted || app.questions.current?.id !== question.id);
		}
	};
	press().catch((error: unknown) => {
		if (!ended.signal.aborted) console.error(error);
	});
	return ended;
}

function reportsOf({ host }: Stage): readonly JsonObject[] {
	const calls = messagesOf(readReceived(host.path("appConformanceServer.log")), "tools/call");
	return calls.flatMap(({ params }) => {
		const { name, arguments: args } = params as JsonObject;
		const found = isJsonObject(args) ? args["found"] : undefined;
		return name === "report" && Array.isArray(found) ? found.filter(isJsonObject) : [];
	});
}

function isAsked(stage: Stage, what: string): boolean {
	return reportsOf(stage).some(({ ask }) => ask === what);
}

function findingsOf({ id, isMet, seen }: JsonObject): readonly Finding[] {
	return typeof id === "string" ? [{ id, isMet: isMet === true, seen: typeof seen === "string" ? seen : "" }] : [];
}

function see(id: string, isMet: boolean, seen: unknown): Finding {
	return { id, isMet, seen: JSON.stringify(seen) ?? "nothing" };
}

function originOf({ port }: Listener): string {
	return `http://127.0.0.1:${port}`;
}

/** The content of this app in a message after its user saw the app's addition. */
async function takeWhenSeen(app: OpenApp): Promise<TakenAdditions> {
	let taken: TakenAdditions | undefined;
	await until(() => {
		taken = takeAdditions(
			[app],
			() => false,
			() => undefined,
		);
		return taken.held.length === 0;
	});
	if (taken === undefined) throw new Error("Nothing was taken.");
	return taken;
}

async function until(isSo: () => boolean): Promise<void> {
	const end = performance.now() + patienceMs;
	while (!isSo()) {
		if (performance.now() > end) throw new Error("The app did not go on.");
		await new Promise((done) => setTimeout(done, 20));
	}
}
