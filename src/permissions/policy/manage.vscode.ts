import * as vscode from "vscode";
import { showInformation } from "../../base/notify.vscode.ts";
import { oneLine } from "../../base/text.ts";
import { withoutIcons } from "../../base/words.ts";
import { pickFromList } from "../../questions/listPick.vscode.ts";
import type { ListLine } from "../../questions/listRow.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";
import { addRule, openRule } from "./ruleEdit.vscode.ts";
import type { ScopedGrant } from "./grant.ts";
import type { Grants } from "./grants.ts";
import type { GrantScene } from "./grantStatus.ts";
import { type Listed, type OtherRules, overview } from "./overview.ts";
import type { ObservedRules } from "./rule.ts";

/** The data and actions of the list of rules and grants. */
export interface ManageServices {
	readonly directory: SessionDirectory;
	readonly rules: ObservedRules;
	readonly grants: Grants;
	readonly scene: GrantScene;
	readonly sampling: OtherRules;
}

type Choice = Listed | { readonly kind: "add" } | { readonly kind: "revoke-all" };

/** Lists all rules and grants in one place, where each can be opened or revoked. Stays current while it is open. */
export async function manageRules(services: ManageServices): Promise<void> {
	const { rules, grants, sampling, directory } = services;
	const chosen = await pickFromList<Choice>({
		title: "Rules and Grants",
		placeholder: "Calls that run without asking you, calls that need confirmation, and calls that are denied",
		lines: () => linesOf(services),
		watch: (refresh) => [rules.onDidChange(refresh), grants.onDidChange(refresh), sampling.onDidChange(refresh)],
		revoke: async (of) => {
			if (of.kind === "grant") await grants.revoke([of.grant.id]);
			else if (of.kind === "sampling") await sampling.revoke(of.id);
		},
	});
	switch (chosen?.kind) {
		case undefined:
			break;
		case "add":
			return addRule(directory);
		case "revoke-all":
			return revoke(services, grants.all);
		case "rule":
			return openRule(chosen.list.place.uri, chosen.index);
		case "grant":
			return chooseForGrant(services, chosen.grant);
		case "sampling":
			await vscode.commands.executeCommand("mcpHost.manageSampling");
	}
}

function linesOf({ rules, grants, scene, sampling }: ManageServices): readonly ListLine<Choice>[] {
	const lines = overview(rules.lists ?? [], grants.all, scene, sampling.rows);
	const none: ListLine<Choice> = {
		kind: "row",
		icon: "info",
		label: "There are no rules and no grants. You are asked about every call",
	};
	const revokeAll: ListLine<Choice> = {
		kind: "row",
		icon: "trash",
		label: "Revoke All Grants",
		of: { kind: "revoke-all" },
	};
	return [
		...(lines.length === 0 ? [none] : lines),
		{ kind: "heading", label: "" },
		{ kind: "row", icon: "add", label: "Add a Rule…", of: { kind: "add" } },
		...(grants.all.length === 0 ? [] : [revokeAll]),
	];
}

async function chooseForGrant(services: ManageServices, grant: ScopedGrant): Promise<void> {
	const ofServer = services.grants.all.filter(({ server }) => server === grant.server);
	const name = withoutIcons(oneLine(grant.serverName, 60));
	const one = { label: "$(trash) Revoke This Grant", grants: [grant] };
	const all = { label: `$(trash) Revoke All ${ofServer.length} Grants of ${name}`, grants: ofServer };
	const picked = await vscode.window.showQuickPick(ofServer.length > 1 ? [one, all] : [one], {
		ignoreFocusOut: true,
		title: "Rules and Grants",
		placeHolder: "Revoking takes effect with the next call",
	});
	if (picked !== undefined) await revoke(services, picked.grants);
}

async function revoke({ grants }: ManageServices, revoked: readonly ScopedGrant[]): Promise<void> {
	await grants.revoke(revoked.map(({ id }) => id));
	const count = revoked.length === 1 ? "The grant is" : `${revoked.length} grants are`;
	void showInformation(`${count} revoked. You are asked again from the next call on.`);
}
