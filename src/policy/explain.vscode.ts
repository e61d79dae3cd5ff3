import * as vscode from "vscode";
import { HostError } from "../base/errors.ts";
import { isJsonObject } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import { withoutIcons } from "../completion/rows.ts";
import { findServer } from "../prompts/find.ts";
import type { ToolEntry } from "../tools/catalog.ts";
import { explain } from "./explain.ts";
import { manageRules, type ManageServices } from "./manage.vscode.ts";

/**
 * Shows what decides about the calls of one tool: `{ server, tool }` with the server's id or name and the tool, from the
 * tree, or the tool's name, from key bindings.
 * @throws HostError `invalid` when there is no such tool.
 */
export async function explainPolicy(services: ManageServices, argument: unknown): Promise<void> {
	const entry = findEntry(services, argument);
	const { rules, grants, scene } = services;
	const reasons = explain(entry, rules.lists ?? [], grants.all, scene);
	const picked = await vscode.window.showQuickPick(
		[
			...reasons.map(({ label, effect }) => ({
				label: withoutIcons(label),
				detail: withoutIcons(effect),
				isManage: false,
			})),
			{ label: "$(settings-gear) Manage Rules and Grants…", isManage: true },
		],
		{
			title: `What Decides About ${oneLine(entry.session.definition.name, 60)} · ${oneLine(entry.tool.name, 100)}`,
			placeHolder: "In this order; what is stricter counts",
		},
	);
	if (picked?.isManage === true) await manageRules(services);
}

function findEntry({ directory }: ManageServices, argument: unknown): ToolEntry {
	const named = isJsonObject(argument) ? argument : {};
	const tool: unknown = isJsonObject(named["tool"]) ? named["tool"]["name"] : named["tool"];
	const { server } = named;
	const session = typeof server === "string" ? findServer(directory, server) : undefined;
	const found = typeof tool === "string" ? session?.tools.get(tool) : undefined;
	if (session === undefined || found === undefined)
		throw new HostError(
			"invalid",
			"No running server has this tool. Choose Explain Policy from the tool's menu in the tree.",
		);
	return { session, tool: found, modelName: "", hidden: undefined };
}
