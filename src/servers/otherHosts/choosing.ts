import type { ActivityNotes } from "../../records/activity/journal/entry.ts";
import type { ConfigOrigin } from "../definitions/config.ts";
import { bothCanRun, chooseRunner } from "./remarks.ts";
import { stillStarted, stillStartedBriefly } from "./startFacts.ts";
import { accessSetting, type Runner } from "./left.ts";
import type { KeptAnswer, SettingScope, SharedFiles } from "./sharedFiles.ts";

/** VS Code's setting that turns its host off, scope by scope. */
export interface AccessSetting {
	/** The value that is written in a scope; undefined for none. */
	written(scope: SettingScope): unknown;
	/** Writes it, or removes it. Rejects if VS Code refuses. */
	write(scope: SettingScope, value: unknown): Promise<void>;
}

/** One of the answers, for a pick list. */
export interface RunnerItem {
	readonly label: string;
	readonly detail: string;
	readonly runner: Runner;
	readonly scope: SettingScope;
	readonly isCurrent: boolean;
}

/** The question, and where it was answered before why it is asked again. */
export function questionOf({ answer }: SharedFiles): string {
	const why =
		answer?.runner === "here"
			? `You chose "Run Here Only", but VS Code's own MCP host is on again in this workspace (${accessSetting} was changed) and can start its servers.`
			: "VS Code's own MCP host also reads this workspace's mcp.json and can start the same servers.";
	return `${why} Which host should run them? "Run Here Only" turns off VS Code's host and all its servers (${accessSetting}); you choose in whose settings. ${stillStartedBriefly()}`;
}

/**
 * Whether to ask now which host runs shared servers. Both hosts run some of these origins, and nobody in this workspace
 * answered or closed the question, or somebody turned VS Code's host on after an answer that it is off (CFG-39).
 */
export function isToBeAsked(
	shared: SharedFiles,
	origins: readonly ConfigOrigin[],
	isWorkspaceTrusted: boolean,
): boolean {
	// In an untrusted workspace neither host starts a server of it.
	if (!isWorkspaceTrusted || (shared.answer !== undefined && shared.answer.runner !== "here")) return false;
	return origins.some((origin) => bothCanRun(shared, origin));
}

/** Stores that the question was closed: it is not asked again. Settings of an answer can still be reverted. */
export async function close(shared: SharedFiles): Promise<void> {
	const written = shared.answer?.written;
	await shared.keep(written === undefined ? {} : { written });
}

/** Reverts the changes of an answer, and forgets it: the question which host runs shared servers is asked again. */
export async function forgetAnswer(shared: SharedFiles, access: AccessSetting): Promise<void> {
	await takeBack(shared, access);
	await shared.keep(undefined);
}

/** Which host runs shared servers at present; undefined without an answer. */
function current({ answer, isEditorOn }: SharedFiles): Runner | undefined {
	// The setting may be older than the answer, or newer.
	if (!isEditorOn && answer?.runner !== "editor") return "here";
	return answer?.runner === "here" ? undefined : answer?.runner;
}

/**
 * The answers, each with its effect; the current one is marked. Of those that write a setting the user's own comes
 * first; `settingsFile` names that of the workspace, which others may share.
 */
export function runnerItems(
	shared: SharedFiles,
	access: AccessSetting,
	settingsFile = ".vscode/settings.json",
): readonly RunnerItem[] {
	const now = current(shared);
	const isOff = (scope: SettingScope): boolean => now === "here" && access.written(scope) === "none";
	const off = `Turns off VS Code's own MCP host and all its servers: sets ${accessSetting} to "none"`;
	const still = stillStartedBriefly();
	return [
		{
			label: "Run Here Only, in All Workspaces",
			detail: `For you. ${off} in your user settings. ${still}`,
			runner: "here",
			scope: "user",
			isCurrent: isOff("user"),
		},
		{
			label: "Run Here Only, in This Workspace",
			detail: `For everyone who gets ${settingsFile}, a file that teams share: those without MCP Host lose VS Code's MCP servers here. ${off} in it. ${still}`,
			runner: "here",
			scope: "workspace",
			isCurrent: isOff("workspace"),
		},
		{
			label: "Leave to VS Code",
			detail: "MCP Host does not run servers that VS Code also reads. Settings that MCP Host changed are restored.",
			runner: "editor",
			scope: "workspace",
			isCurrent: now === "editor",
		},
		{
			label: "Both",
			detail:
				"Each host asks and starts servers on its own, so a server can run twice. Settings that MCP Host changed are restored.",
			runner: "both",
			scope: "workspace",
			isCurrent: now === "both",
		},
	];
}

/**
 * Carries out an answer: reverts the settings of a former one, writes VS Code's setting if the answer requires it,
 * stores the answer, and returns the message for the user. An answer that fails is not stored.
 */
export async function choose(
	shared: SharedFiles,
	access: AccessSetting,
	runner: Runner,
	scope: SettingScope,
	notes?: ActivityNotes,
): Promise<string> {
	const note = (who: string): void => {
		notes?.note({ kind: "permission", event: "runner", subject: `Servers of mcp.json: ${who}` });
	};
	await takeBack(shared, access);
	if (runner !== "here") {
		await shared.keep({ runner });
		note(runner === "both" ? "run by MCP Host and VS Code" : "left to VS Code");
		const isBoth = runner === "both";
		const done = isBoth
			? "Both VS Code and MCP Host can run the servers of mcp.json."
			: "MCP Host leaves the servers of mcp.json to VS Code.";
		const who = isBoth ? "only MCP Host runs them" : "nothing runs them";
		const off = shared.isEditorOn ? "" : ` But VS Code's own MCP host is off (${accessSetting}): ${who}.`;
		return `${done}${off} ${howToChange}`;
	}
	const written = shared.isEditorOn ? await turnOff(shared, access, scope) : undefined;
	await shared.keep({ runner, ...(written === undefined ? {} : { written }) });
	note(written === undefined ? "run here only" : `run here only; ${accessSetting} is "none" in ${scopeNames[scope]}`);
	const where = written === undefined ? "off already" : `off: ${accessSetting} is "none" in ${scopeNames[scope]}`;
	return `VS Code's own MCP host is ${where}. ${stillStarted()} ${howToChange}`;
}

const howToChange = `"${chooseRunner.title}" changes this.`;
const scopeNames: Readonly<Record<SettingScope, string>> = {
	workspace: "the settings of this workspace",
	user: "your user settings",
};

/** Turns VS Code's host off. Leaves everything unchanged if that has no effect, as under a policy. */
async function turnOff(
	shared: SharedFiles,
	access: AccessSetting,
	scope: SettingScope,
): Promise<KeptAnswer["written"]> {
	const former = access.written(scope);
	await access.write(scope, "none");
	if (shared.isEditorOn) {
		await access.write(scope, former);
		throw new Error(
			`VS Code's own MCP host stays on: another setting or a policy controls ${accessSetting}. Nothing was changed.`,
		);
	}
	return { scope, ...(former === undefined ? {} : { former }) };
}

/** Reverts the changes of an answer, unless somebody has changed them since. */
async function takeBack(shared: SharedFiles, access: AccessSetting): Promise<void> {
	const written = shared.answer?.written;
	// First, so that nobody asks why the host is on again, and so that the answer is no longer in force if the next step
	// fails.
	if (shared.answer !== undefined) await close(shared);
	if (written === undefined) return;
	if (access.written(written.scope) === "none") await access.write(written.scope, written.former);
	await shared.keep({});
}
