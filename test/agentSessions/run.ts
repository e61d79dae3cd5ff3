/**
 * `npm run agent-sessions`: sessions of Copilot in the workbench beside the packaged extension. Reports which servers
 * of which place they start by default, with *Run Here Only* and after *Move Servers of .mcp.json…*, and whether a
 * session can call the tools for other agents by the names that our texts give. Installs Copilot's runtime once, from
 * npm; its model is on loopback, and nothing leaves the machine. Prints tables and one line of JSON last; ends with an
 * error where a name or a call fails, or docs/who-starts-what.md differs from the observation. Not part of `npm test`,
 * which needs no registry.
 */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { isJsonObject, type Json } from "../../src/base/json.ts";
import { starterNames, startPlaces, type EditorAccess, type PlaceId } from "../../src/servers/otherHosts/startFacts.ts";
import { waitForCondition } from "../e2e/pages/conditions.ts";
import { TestFolder } from "../e2e/fixtures/testFolder.ts";
import { marked, waitUntilGone } from "../realServers/census.ts";
import { startScriptedModel } from "../servers/scriptedModel.ts";
import { repositoryRoot } from "../tasks/paths.ts";
import { ensurePackaged } from "../tasks/vsix.ts";
import { AgentWindow } from "./agentWindow.ts";
import { installAgentWorkbench } from "./agentWorkbench.ts";
import { startModelApi } from "./modelApi.ts";
import { filledPlaces, hostOf, isDocumented, StartedServers, type Start } from "./startedServers.ts";
import { ToolCaller } from "./toolCalls.ts";

const { editor, copilot } = await installAgentWorkbench();
await ensurePackaged();
await using folder = await TestFolder.create();
const model = await startScriptedModel({ models: ["scripted"] });
const api = await startModelApi(model.url, "scripted");
const mark = randomUUID();
/** The mark in the environment of servers; that of their hosts holds it in other words. */
const markWords = `MCP_HOST_MARK=${mark}`;
const logOf = (place: PlaceId): string => folder.file(`${place}.log`);
/** The moments of the looks, each with the access of the editor's own host then. */
const looks = {
	"by default": "all",
	registry: "registry",
	"Run Here Only": "none",
	moved: "none",
	"moved and approved": "none",
} as const satisfies Record<string, EditorAccess>;
const started = new StartedServers(logOf);
const processes: (Start & { readonly when: keyof typeof looks })[] = [];
let tools: ToolCaller;
{
	await using window = await AgentWindow.start(editor, api, filledPlaces(logOf, mark));
	try {
		await look(window, "by default");
		await window.setAccess("registry");
		await look(window, "registry");
		await window.setAccess("all");
		await window.runHereOnly();
		await window.approve("root");
		await look(window, "Run Here Only");
		await window.moveRootFile();
		await look(window, "moved");
		await window.approve("root");
		tools = await callTools(window);
		note("moved and approved");
	} catch (error) {
		await window.screenshot("agent-sessions-failed");
		console.table(started.all());
		throw error;
	}
}
await api.close();
await model.close();
const processesLeft = await waitUntilGone(markWords);

const places = startPlaces.map(({ id: place }) => {
	const cells = Object.entries(looks).map(([when, access]) => [when, seenIn(place, when, access)] as const);
	const hosts = Object.fromEntries(cells.map(([when, cell]) => [when, cell.hosts]));
	return Object.assign({ place, isTrue: cells.every(([, cell]) => cell.isTrue) }, hosts);
});
const rows = tools.rows();
const unknownNames = tools.unknownNames();
console.table(processes);
console.table(places);
console.table(rows);
const isGood =
	places.every(({ isTrue }) => isTrue) &&
	rows.every(({ isOffered, isAnswered }) => isOffered && isAnswered) &&
	unknownNames.length === 0 &&
	processesLeft === 0;
if (!isGood) process.exitCode = 1;
const versions = { editor: editor.version, copilot };
console.log(
	JSON.stringify({
		isGood,
		versions,
		processesLeft,
		tools: rows,
		unknownNames,
		refused: [...api.refused],
		places,
		processes,
	}),
);

/** The hosts that started the server of a place at a look, and whether those match the documentation. */
function seenIn(
	place: PlaceId,
	when: string,
	access: EditorAccess,
): { readonly hosts: string; readonly isTrue: boolean } {
	const seen = new Set(processes.filter((one) => one.server === place && one.when === when).map((one) => hostOf(one)));
	// The entries of `.mcp.json` are in `.vscode/mcp.json` at the end.
	const inFile = place === "root" && when.startsWith("moved") ? "vscode" : place;
	const isTrue = (["local", "copilot"] as const).every((host) => seen.has(host) === isDocumented(inFile, host, access));
	const names = { ...starterNames, here: "MCP Host" };
	return { hosts: [...seen].map((host) => (host === undefined ? "?" : names[host])).join(", "), isTrue };
}

/** Begins a session with a message that calls nothing, and records which servers were started since the last look. */
async function look(window: AgentWindow, when: keyof typeof looks): Promise<void> {
	model.otherwise({ text: `Looked: ${when}.` });
	const isAnswered = async (): Promise<boolean> => (await window.chat.lastText()).includes("Looked");
	await window.begin("Local", `@mcp What runs ${when}?`, isAnswered);
	const before = model.requests.length;
	// A server of Copilot's own file is started in any session, together with all others that are.
	const hasBegun = async (): Promise<boolean> =>
		model.requests.length > before &&
		started.all().filter(({ server }) => server === "copilot").length > seen("copilot");
	await window.begin("Copilot", `What runs ${when}?`, hasBegun);
	await window.chat.waitForText(`Looked: ${when}.`);
	// A session continues without a server that is slow.
	await waitForCondition("The starts of all that run", async () => {
		const told = new Set(started.all().map(({ pid }) => pid));
		return marked(markWords).every((pid) => told.has(pid));
	});
	note(when);
}

async function callTools(window: AgentWindow): Promise<ToolCaller> {
	const manifest = JSON.parse(await readFile(path.join(repositoryRoot, "package.json"), "utf8")) as Json;
	const caller = new ToolCaller(isJsonObject(manifest) ? manifest : {});
	model.otherwise((body) => caller.next(body));
	let answered = 0;
	await window.begin("Copilot", "Call every tool.", async () => {
		if (caller.isDone) return true;
		if (caller.early > answered) {
			answered++;
			await window.chat.waitUntilDone();
			await window.chat.send("Call every tool now.");
		} else await window.allowPending();
		return false;
	});
	return caller;
}

function note(when: keyof typeof looks): void {
	for (const start of started.fresh()) processes.push({ when, ...start });
}

function seen(place: PlaceId): number {
	return processes.filter(({ server }) => server === place).length;
}
