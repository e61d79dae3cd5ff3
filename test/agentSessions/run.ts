/**
 * `npm run agent-sessions`: sessions of Copilot in the workbench beside the packaged extension. Tells which servers of which place they
 * start by default, with *Run Here Only* and after *Move Servers of .mcp.json…*, and whether a session can call the tools for other agents
 * by the names that our texts give. Installs Copilot's runtime once, from npm; its model is on loopback, and nothing is sent to anybody.
 * Prints tables and one line of JSON last; ends with an error where a name or a call fails, or docs/who-starts-what.md is not what was
 * seen. Not part of `npm test`, which needs no registry.
 */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { isJsonObject, type Json } from "../../src/base/json.ts";
import type { PlaceId } from "../../src/servers/otherHosts/startFacts.ts";
import { TestFolder } from "../e2e/fixtures/testFolder.ts";
import { waitUntilGone } from "../realServers/census.ts";
import { startScriptedModel } from "../servers/scriptedModel.ts";
import { repositoryRoot } from "../tasks/paths.ts";
import { ensurePackaged } from "../tasks/vsix.ts";
import { AgentWindow } from "./agentWindow.ts";
import { installAgentWorkbench } from "./agentWorkbench.ts";
import { startModelApi } from "./modelApi.ts";
import { filePlaces, filesOfPlaces, isExpected, StartedServers, type Start } from "./startedServers.ts";
import { ToolCaller } from "./toolCalls.ts";

const { editor, copilot } = await installAgentWorkbench();
await ensurePackaged();
await using folder = await TestFolder.create();
const model = await startScriptedModel({ models: ["scripted"] });
const api = await startModelApi(`${model.url}/chat/completions`, "scripted");
const mark = randomUUID();
const logOf = (place: PlaceId): string => folder.file(`${place}.log`);
const started = new StartedServers(logOf);
const processes: (Start & { readonly when: string })[] = [];
let tools: ToolCaller;
{
	await using window = await AgentWindow.start(editor, api, filesOfPlaces(logOf, mark));
	await look(window, "by default");
	await window.setAccess("registry");
	await look(window, "registry");
	await window.setAccess("all");
	await window.runHereOnly();
	await look(window, "Run Here Only");
	await window.moveRootFile();
	await look(window, "moved");
	await window.approve("root");
	tools = await callTools(window);
	note("moved and approved");
}
await api.close();
await model.close();
const processesLeft = await waitUntilGone(mark);

const isStarted = (place: PlaceId, when: string): boolean =>
	processes.some((one) => one.server === place && one.when === when && one.client.startsWith("copilot-cli "));
const places = filePlaces.map((place) => ({
	place,
	"by default": isStarted(place, "by default"),
	registry: isStarted(place, "registry"),
	"Run Here Only": isStarted(place, "Run Here Only"),
	moved: isStarted(place, "moved") || isStarted(place, "moved and approved"),
	asDocumented:
		isStarted(place, "by default") === isExpected(place, true) &&
		isStarted(place, "Run Here Only") === isExpected(place, false),
}));
const rows = tools.rows();
const unknownNames = tools.unknownNames();
console.table(processes);
console.table(places);
console.table(rows);
const isMoveGood = places.every(({ place, moved }) => moved === (place !== "root" && isExpected(place, false)));
const isGood =
	isMoveGood &&
	places.every(({ asDocumented }) => asDocumented) &&
	unknownNames.length === 0 &&
	processesLeft === 0 &&
	rows.every(({ isOffered, isAnswered }) => isOffered && isAnswered);
if (!isGood) process.exitCode = 1;
const versions = { editor: editor.version, copilot };
console.log(JSON.stringify({ isGood, versions, processesLeft, tools: rows, unknownNames, places, processes }));

/** Begins a session with a message that calls nothing, and notes which servers were started since the last look. */
async function look(window: AgentWindow, when: string): Promise<void> {
	const before = model.requests.length;
	model.otherwise({ text: `Looked: ${when}.` });
	// A server of Copilot's own file is started in any session, with all others that are.
	const hasBegun = async (): Promise<boolean> =>
		model.requests.length > before &&
		started.all().filter(({ server }) => server === "copilot").length > seen("copilot");
	await window.beginSession(`What runs ${when}?`, hasBegun);
	await window.chat.waitForText(`Looked: ${when}.`);
	note(when);
}

async function callTools(window: AgentWindow): Promise<ToolCaller> {
	const manifest = JSON.parse(await readFile(path.join(repositoryRoot, "package.json"), "utf8")) as Json;
	const caller = new ToolCaller(isJsonObject(manifest) ? manifest : {});
	model.otherwise((body) => caller.next(body));
	await window.beginSession("Call every tool.", async () => {
		if (!caller.isDone) await window.allowPending();
		return caller.isDone;
	});
	return caller;
}

function note(when: string): void {
	processes.push(...started.fresh().map((start) => ({ when, ...start })));
}

function seen(place: PlaceId): number {
	return processes.filter(({ server }) => server === place).length;
}
