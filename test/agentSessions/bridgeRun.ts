/**
 * `npm run agent-sessions:bridge`: Copilot in the workbench, and Claude Code and Codex in a terminal, use the servers of
 * the window through the bridge, after one hand-over. Reports the starts of servers when the window opens, which calls
 * were asked about, and the processes at the end. Installs the agents once, from npm; their models are on loopback, and
 * no account is needed. Prints tables and one line of JSON last; ends with an error where another host starts a server, a
 * call fails or runs unasked, or a server has more than one process. Not part of `npm test`, which needs no registry.
 */
import { randomUUID } from "node:crypto";
import { waitForCondition } from "../e2e/pages/conditions.ts";
import { smallEntry } from "../e2e/fixtures/serverEntries.ts";
import { TestFolder } from "../e2e/fixtures/testFolder.ts";
import { container } from "../e2e/fixtures/serverReview.ts";
import { marked, parentsOf, waitUntilGone } from "../realServers/census.ts";
import { messagesOf, readReceived } from "../servers/received.ts";
import { startScriptedModel, type ChatRequestBody, type ScriptedStep } from "../servers/scriptedModel.ts";
import { ensurePackaged } from "../tasks/vsix.ts";
import { startAgentModels } from "./agentModels.ts";
import { AgentWindow } from "./agentWindow.ts";
import { installAgentWorkbench } from "./agentWorkbench.ts";
import { startModelApi } from "./modelApi.ts";
import {
	codexModel,
	installTerminalAgents,
	runTerminalAgent,
	terminalVersions,
	type TerminalAgent,
} from "./terminalAgents.ts";

const { editor, copilot } = await installAgentWorkbench();
const terminals = await installTerminalAgents();
await ensurePackaged();
await using folder = await TestFolder.create();
const model = await startScriptedModel({ models: ["scripted"] });
const api = await startModelApi(model.url, "scripted");
const said = "said by an agent";
await using models = await startAgentModels("one_echo", { text: said });
const mark = randomUUID();
const markWords = `MCP_HOST_MARK=${mark}`;
const names = ["one", "two", "three"] as const;
const logOf = (name: string): string => folder.file(`${name}.log`);
const entries = Object.fromEntries(
	names.map((name) => [name, { ...smallEntry(logOf(name)), env: { MCP_HOST_MARK: mark } }]),
);

interface Start {
	readonly when: string;
	readonly server: string;
	readonly by: string;
}
interface Call {
	readonly agent: string;
	/** Calls that reached the server before the user allowed it. */
	readonly unasked: number;
	/** Whether the question showed the argument. */
	readonly isShown: boolean;
	readonly isAnswered: boolean;
}

const starts: Start[] = [];
const calls: Call[] = [];
const seen = new Set<number>();
let processes: number;
{
	await using window = await AgentWindow.start(editor, api, places());
	try {
		for (const name of names) await window.approve(name);
		await waitForCondition("The servers", async () => marked(markWords).length >= names.length);
		note("before");
		await handOver(window);
		await window.reload();
		await window.tree.open(container);
		await waitForCondition("The servers", async () => started("after opening").length >= names.length);
		note("after opening");
		for (const agent of terminals) calls.push(await callInTerminal(window, agent));
		calls.push(await callInCopilot(window));
		note("after the calls");
		processes = marked(markWords).length;
	} catch (error) {
		await window.screenshot("agent-sessions-bridge-failed");
		console.table(starts);
		throw error;
	}
}
await api.close();
await model.close();
const processesLeft = await waitUntilGone(markWords);

const others = starts.filter(({ when, by }) => when !== "before" && by !== "extension host");
const isGood =
	others.length === 0 &&
	calls.every(({ unasked, isShown, isAnswered }) => unasked === 0 && isShown && isAnswered) &&
	processes === names.length &&
	processesLeft === 0;
console.table(starts);
console.table(calls);
if (!isGood) process.exitCode = 1;
const versions = { editor: editor.version, copilot, ...terminalVersions };
console.log(JSON.stringify({ isGood, versions, servers: names.length, processes, processesLeft, starts, calls }));

/** Every agent with the servers in its own file, which it starts itself. */
function places(): Parameters<typeof AgentWindow.start>[2] {
	const tables = names.map((name) => {
		const { command, args } = smallEntry(logOf(name));
		return `\n[mcp_servers.${name}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\nenv = { MCP_HOST_MARK = "${mark}" }\n`;
	});
	return {
		workspace: { "README.md": "# Agents\n" },
		home: {
			".copilot/mcp-config.json": { mcpServers: entries },
			".claude.json": { hasCompletedOnboarding: true, mcpServers: entries },
			".codex/config.toml": codexModel(models.url) + tables.join(""),
		},
		settings: { "mcpHost.servers": entries },
	};
}

/** The hand-over, as a user performs it. */
async function handOver({ tree, palette, dialogs }: AgentWindow): Promise<void> {
	await tree.titleAction("Share Servers with Other Agents…");
	await palette.pick("Hand Over to Agents…");
	await palette.waitForTitle("Hand Over Servers to Other Agents");
	await palette.waitForRow("Claude Code");
	await palette.settled();
	await palette.accept();
	await dialogs.answerNotification(/Change 3 files of other agents as shown/, "Change Files");
	await dialogs.waitForNotification(/use your servers through MCP Host/);
}

function started(when: string): readonly (Start & { readonly pid: number })[] {
	return names.flatMap((server) =>
		readReceived(logOf(server))
			.filter(({ kind, pid }) => kind === "start" && !seen.has(pid))
			.map(({ pid }) => ({ when, server, pid, by: parentsOf(pid)[0] ?? "gone" })),
	);
}

function note(when: string): void {
	for (const { pid, ...start } of started(when)) {
		seen.add(pid);
		starts.push(start);
	}
}

function received(): number {
	return messagesOf(readReceived(logOf("one")), "tools/call").length;
}

/** A session before its program is allowed, and one in which the call is allowed as soon as its question was read. */
async function callInTerminal(window: AgentWindow, agent: TerminalAgent): Promise<Call> {
	const run = { home: window.home, folder: window.workspaceFolder, url: models.url };
	const before = received();
	const first = runTerminalAgent(agent, run);
	await window.dialogs.answerNotification(new RegExp(`calls itself “${agent.client}”`), "Allow");
	await first;
	const early = received() - before;
	let isOver = false;
	const second = runTerminalAgent(agent, run).finally(() => (isOver = true));
	const { unasked, isShown } = await allow(window, before + early, async () => isOver);
	const out = await second;
	return {
		agent: agent.name,
		unasked: early + unasked,
		isShown,
		isAnswered: received() > before && !/denied|refused/i.test(out),
	};
}

async function callInCopilot(window: AgentWindow): Promise<Call> {
	let isAsked = false;
	let isAnswered = false;
	model.otherwise((body: ChatRequestBody): ScriptedStep => {
		const name = body.tools?.find(({ function: { name: one } }) => one.endsWith("one_echo"))?.function.name;
		isAnswered ||= isAsked && JSON.stringify(body.messages.filter(({ role }) => role === "tool")).includes(said);
		if (name === undefined || isAnswered) return { text: isAnswered ? "The call was made." : "No tool yet." };
		isAsked = true;
		return { toolCalls: [{ name, arguments: { text: said } }] };
	});
	const before = received();
	let isAllowed = false;
	await window.begin("Copilot", "Call the tool.", async () => {
		if (!isAllowed) {
			await window.dialogs.answerNotification(/calls itself “copilot-cli”|calls itself “[^”]*copilot/i, "Allow");
			isAllowed = true;
		}
		return true;
	});
	await window.chat.waitUntilDone();
	const early = received() - before;
	await window.chat.send("Call the tool now.");
	const { unasked, isShown } = await allow(window, before + early, async () => {
		const own = window.page.getByRole("button", { name: /^Allow\b/ }).last();
		if (await own.isVisible()) await own.click({ timeout: 2000 }).catch(() => undefined);
		return isAnswered;
	});
	return { agent: "copilot", unasked: early + unasked, isShown, isAnswered };
}

/** Reads the question about the call, allows it, and waits for the end. */
async function allow(
	window: AgentWindow,
	before: number,
	isOver: () => Promise<boolean>,
): Promise<{ readonly unasked: number; readonly isShown: boolean }> {
	let unasked = 0;
	let isShown = false;
	await waitForCondition(
		"The end of the call",
		async () => {
			const pending = window.tree.view("Pending");
			const [row] = await pending.rows();
			if (row !== undefined && !isShown) {
				unasked = received() - before;
				isShown = await window.allowPending(said);
			}
			return isOver();
		},
		120_000,
	);
	return { unasked, isShown };
}
