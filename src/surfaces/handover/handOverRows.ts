import { messageOf } from "../../base/errors.ts";
import { comparedPath } from "../../base/folderPaths.ts";
import { oneLine } from "../../base/text.ts";
import { counted } from "../../base/words.ts";
import type { EditableConfiguration } from "../../setup/entries/editable.ts";
import type { AgentFile } from "./agents.ts";
import { bridgeName, changes, planFile, type FilePlan, type SharedDefinition } from "./filePlan.ts";
import type { HandOver } from "./handOvers.ts";
import type { BridgeCommand } from "./launcher.ts";

/** A file with its planned change, or with the reason why there is none. */
export type Planned = { readonly file: AgentFile } & (
	| { readonly plan: FilePlan }
	| {
			/** In a sentence without a subject. */
			readonly problem: string;
	  }
);

/** A row of the list of files. */
export interface HandOverRow {
	readonly label: string;
	readonly description: string;
	readonly detail: string;
	/** Whether the row is ticked when the list opens. */
	readonly isPicked: boolean;
	/** The change; undefined for a row that only informs. */
	readonly plan: FilePlan | undefined;
}

/** The dependencies of planning. */
export interface PlanServices {
	readonly open: (file: string) => Pick<EditableConfiguration, "read" | "exists">;
	readonly command: BridgeCommand;
	readonly servers: readonly SharedDefinition[];
	/** The folders that are open. */
	readonly folders: readonly string[];
	/** Files of which MCP Host itself reads its servers. */
	readonly followed: readonly string[];
}

/** Plans the change of each file. Nothing is written. Never rejects. */
export async function planFiles(files: readonly AgentFile[], services: PlanServices): Promise<readonly Planned[]> {
	const { open, command, servers, folders } = services;
	const followed = new Set(services.followed.map((file) => comparedPath(file)));
	return Promise.all(
		files.map(async (file): Promise<Planned> => {
			if (followed.has(comparedPath(file.file)))
				return { file, problem: "MCP Host reads servers from this file (mcpHost.followedFiles). Import them first." };
			try {
				const target = open(file.file);
				const isNew = !(await target.exists());
				const text = isNew ? "" : await target.read();
				return { file, plan: planFile({ ...file, text, isNew, folders }, command, servers) };
			} catch (error) {
				return { file, problem: messageOf(error) };
			}
		}),
	);
}

/** The rows of the list. Files of open folders that nothing is removed from are left out. */
export function handOverRows(planned: readonly Planned[], shorten: (file: string) => string): readonly HandOverRow[] {
	return planned.flatMap((one): readonly HandOverRow[] => {
		const { file } = one;
		const { agent, isOwn } = file;
		const description = shorten(file.file);
		const about = agent.about === "" || !isOwn ? "" : ` · ${agent.about}`;
		const row = { label: agent.label, description: `${description}${about}` };
		if ("problem" in one)
			return isOwn ? [{ ...row, detail: `Not possible: ${one.problem}`, isPicked: false, plan: undefined }] : [];
		const { plan } = one;
		if (!changes(plan))
			return isOwn ? [{ ...row, detail: "Uses your servers already.", isPicked: false, plan: undefined }] : [];
		const others = isOwn ? "" : " Others may share this file.";
		return [{ ...row, detail: `${effectOf(plan)}${others}`, isPicked: file.isSuggested, plan }];
	});
}

/** The question before files are written. Their differences are open beside it. */
export function handOverQuestion(
	plans: readonly FilePlan[],
	shorten: (file: string) => string,
	isSharing: boolean,
): string {
	const files = plans.map(({ file }) => shorten(file)).join(", ");
	const share = isSharing ? "" : " This also turns on mcpHost.shareServers.";
	return `Change ${counted(plans.length, "file")} of other agents as shown? ${files}.${share} Undo restores them to the byte.`;
}

/** The message after files were written. */
export function handOverDone(plans: readonly FilePlan[]): string {
	const labels = [...new Set(plans.map(({ agent }) => agent.label))];
	const names = labels.length < 2 ? labels.join("") : `${labels.slice(0, -1).join(", ")} and ${labels.at(-1) ?? ""}`;
	return `${names} ${labels.length === 1 ? "uses" : "use"} your servers through MCP Host, from the next session. You are asked about each program once.`;
}

/** A hand-over in the list of those that can be undone. */
export function undoRow(
	{ agent, file, replaced, isNew }: HandOver,
	label: (agent: string) => string,
	shorten: (file: string) => string,
): { readonly label: string; readonly description: string; readonly detail: string } {
	const names = quoted(replaced);
	const back = isNew ? "Deletes the file." : `Removes “${bridgeName}”.`;
	return {
		label: label(agent),
		description: shorten(file),
		detail: names === "" ? back : `${back} Restores ${names}.`,
	};
}

function effectOf({ isOwn, replaced, staying }: FilePlan): string {
	const names = quoted(replaced);
	const adds = isOwn ? `Adds “${bridgeName}”${names === "" ? "" : ` in place of ${names}`}.` : `Removes ${names}.`;
	const stay = staying.length === 0 ? "" : ` ${quoted(staying)} stay: MCP Host runs them in this workspace only.`;
	return adds + stay;
}

/** Most names that a text lists. */
const mostNames = 6;

function quoted(names: readonly string[]): string {
	const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : "";
	return (
		names
			.slice(0, mostNames)
			.map((name) => `“${oneLine(name, 40)}”`)
			.join(", ") + more
	);
}
