import * as vscode from "vscode";
import type { Commands } from "../../base/commands.ts";
import { isJsonObject } from "../../base/json.ts";
import { commandsOf, showInformation } from "../../base/notify.vscode.ts";
import { oneLine } from "../../base/text.ts";
import { withoutIcons } from "../../base/words.ts";
import { listedSkills } from "../../features/skills/skillLoad.ts";
import { skillWords } from "../../permissions/catalog/skillTool.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";
import { type SkillQuery, skillQueryOf } from "./skillCommand.ts";

/** Lets the user choose a skill of the running servers; undefined when they choose none. */
export async function pickSkill(directory: SessionDirectory): Promise<SkillQuery | undefined> {
	const all = listedSkills(directory);
	if (all.length === 0) {
		void showInformation("No running server offers skills.");
		return undefined;
	}
	const items = all.map(({ session, skill }) => {
		const { name, about } = skillWords(skill);
		const description = withoutIcons(oneLine(session.definition.name, 100));
		return {
			label: withoutIcons(name),
			description,
			detail: withoutIcons(about),
			query: { session, skill: skill.uri },
		};
	});
	const options = { ignoreFocusOut: true, title: "Use Skill", placeHolder: "Search by name", matchOnDescription: true };
	return (await vscode.window.showQuickPick(items, options))?.query;
}

/** The command of a skill's row, `{server, uri}`; without it the user chooses. The chat asks before anything is read. */
export function skillCommands(directory: SessionDirectory): Commands<"mcpHost.useSkill"> {
	return commandsOf({
		"mcpHost.useSkill": async (argument: unknown) => {
			const { server, uri } = isJsonObject(argument) ? argument : {};
			const session = typeof server === "string" ? directory.get(server) : undefined;
			const named = session !== undefined && typeof uri === "string" ? { session, skill: uri } : undefined;
			const query = named ?? (await pickSkill(directory));
			if (query === undefined) return;
			const options = { query: skillQueryOf(directory, query) };
			await vscode.commands.executeCommand("workbench.action.chat.open", options);
		},
	});
}
