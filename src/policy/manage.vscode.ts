import * as vscode from "vscode";
import { messageOf } from "../base/errors.ts";
import { showError, showInformation } from "../base/notify.vscode.ts";
import { oneLine } from "../base/text.ts";
import type { ListedSamplingRules } from "../budgets/overview.ts";
import { withoutIcons } from "../completion/rows.ts";
import type { SessionDirectory } from "../servers/session.ts";
import { addRule } from "./addRule.vscode.ts";
import type { ScopedGrant } from "./grant.ts";
import type { Grants } from "./grants.ts";
import type { GrantScene } from "./grantStatus.ts";
import { openRule } from "./openRule.vscode.ts";
import { overview, type OverviewRow } from "./overview.ts";
import type { ObservedRules } from "./rule.ts";

/** What the list of rules and grants shows and changes. */
export interface ManageServices {
	readonly directory: SessionDirectory;
	readonly rules: ObservedRules;
	readonly grants: Grants;
	readonly scene: GrantScene;
	readonly sampling: ListedSamplingRules;
}

interface Row extends vscode.QuickPickItem {
	readonly source?: Exclude<OverviewRow, { readonly kind: "heading" }>;
	readonly action?: "add" | "revoke-all";
}

const revokeButton: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon("trash"), tooltip: "Revoke" };
const openButton: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon("go-to-file"), tooltip: "Open" };

/** Lists all rules and grants in one place, where each can be opened or revoked. Stays current while it is open. */
export async function manageRules(services: ManageServices): Promise<void> {
	const picked = await showList(services);
	if (picked === undefined) return;
	const { source, action } = picked;
	if (action === "add") await addRule(services.directory);
	else if (action === "revoke-all") await revoke(services, services.grants.all);
	else if (source?.kind === "rule") await openRule(source.list.place.uri, source.index);
	else if (source?.kind === "grant") await chooseForGrant(services, source.grant);
	else if (source?.kind === "sampling") await vscode.commands.executeCommand("mcpHost.manageSampling");
}

function showList(services: ManageServices): Promise<Row | undefined> {
	const { rules, grants, sampling } = services;
	const pick = vscode.window.createQuickPick<Row>();
	pick.title = "Rules and Grants";
	pick.placeholder = "What runs without asking you, what is asked about and what is denied";
	pick.matchOnDescription = true;
	pick.matchOnDetail = true;
	pick.items = rowsOf(services);
	const refresh = (): void => {
		const [active] = pick.activeItems;
		const items = rowsOf(services);
		pick.keepScrollPosition = true;
		pick.items = items;
		const same = items.find(({ label, kind }) => kind === active?.kind && label === active?.label);
		if (same !== undefined) pick.activeItems = [same];
	};
	const { promise, resolve } = Promise.withResolvers<Row | undefined>();
	const subscriptions = vscode.Disposable.from(
		pick,
		vscode.Disposable.from(rules.onDidChange(refresh), grants.onDidChange(refresh), sampling.onDidChange(refresh)),
		pick.onDidAccept(() => {
			resolve(pick.activeItems[0]);
			pick.hide();
		}),
		pick.onDidTriggerItemButton(({ item }) => {
			const { source } = item;
			const tell = (error: unknown): void => void showError(messageOf(error));
			if (source?.kind === "grant") void grants.revoke([source.grant.id]).catch(tell);
			else if (source?.kind === "sampling") void sampling.revoke(source.id).catch(tell);
			else if (source?.kind === "rule") {
				resolve(item);
				pick.hide();
			}
		}),
		pick.onDidHide(() => resolve(undefined)),
	);
	void promise.finally(() => subscriptions.dispose());
	pick.show();
	return promise;
}

function rowsOf({ rules, grants, scene, sampling }: ManageServices): readonly Row[] {
	const rows = overview(rules.lists ?? [], grants.all, scene, sampling.rows);
	const none: Row[] =
		rows.length === 0 ? [{ label: "$(info) There are no rules and no grants: every call is asked about" }] : [];
	const revokeAll: Row[] =
		grants.all.length === 0 ? [] : [{ label: "$(trash) Revoke All Grants", action: "revoke-all" }];
	return [
		...none,
		...rows.map(toRow),
		{ label: "", kind: vscode.QuickPickItemKind.Separator },
		{ label: "$(add) Add a Rule…", action: "add" },
		...revokeAll,
	];
}

function toRow(row: OverviewRow): Row {
	if (row.kind === "heading") {
		return { label: withoutIcons(row.label), kind: vscode.QuickPickItemKind.Separator };
	}
	return {
		label: `$(${row.icon}) ${withoutIcons(row.label)}`,
		description: withoutIcons(row.description),
		...(row.detail === "" ? {} : { detail: withoutIcons(row.detail) }),
		buttons: [row.kind === "rule" ? openButton : revokeButton],
		source: row,
	};
}

async function chooseForGrant(services: ManageServices, grant: ScopedGrant): Promise<void> {
	const ofServer = services.grants.all.filter(({ server }) => server === grant.server);
	const name = withoutIcons(oneLine(grant.serverName, 60));
	const one = { label: "$(trash) Revoke This Grant", grants: [grant] };
	const all = { label: `$(trash) Revoke All ${ofServer.length} Grants of ${name}`, grants: ofServer };
	const picked = await vscode.window.showQuickPick(ofServer.length > 1 ? [one, all] : [one], {
		title: "Rules and Grants",
		placeHolder: "What is revoked no longer counts, from the next call on",
	});
	if (picked !== undefined) await revoke(services, picked.grants);
}

async function revoke({ grants }: ManageServices, revoked: readonly ScopedGrant[]): Promise<void> {
	await grants.revoke(revoked.map(({ id }) => id));
	const count = revoked.length === 1 ? "The grant is" : `${revoked.length} grants are`;
	void showInformation(`${count} revoked. You are asked again from the next call on.`);
}
