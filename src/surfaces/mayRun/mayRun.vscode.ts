import { homedir } from "node:os";
import * as vscode from "vscode";
import type { Commands } from "../../base/commands.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { escapeMarkdown } from "../../base/markdown.ts";
import { askModal, commandsOf } from "../../base/notify.vscode.ts";
import { oneLine } from "../../base/text.ts";
import type { ModelDirectory } from "../../models/model.ts";
import type { AppAccesses } from "../../features/apps/knownApps.ts";
import { openPanel, type Panel } from "../../questions/webview/panel.vscode.ts";
import type { BudgetPolicy } from "../../permissions/budgets/budgetPolicy.ts";
import { usageRows } from "../../permissions/budgets/usageRows.ts";
import { openRule } from "../../permissions/policy/ruleEdit.vscode.ts";
import type { Configuration } from "../../servers/sources/config.vscode.ts";
import { policiesIn } from "../../servers/definitions/editorLimits.ts";
import { editorSettings, readEditorSettings } from "../../servers/sources/editorSettings.vscode.ts";
import type { McpHost } from "../../servers/host.ts";
import type { ListedAgents } from "../bridge/listedAgents.ts";
import { type MayRunAction, type MayRunFacts, mayRunPage, mayRunText } from "./mayRun.ts";
import { connectMayRun, type MayRunSource } from "./mayRunPort.ts";

/** The dependencies of the page on the window. */
export interface MayRunServices extends Pick<MayRunFacts, "rules" | "grants" | "scene" | "policy" | "whyNoModel"> {
	readonly host: McpHost;
	readonly configuration: Configuration;
	readonly sampling: BudgetPolicy;
	readonly models: ModelDirectory;
	readonly apps: AppAccesses;
	readonly agents: ListedAgents;
	readonly refreshRules: () => Promise<void>;
	readonly extensionUri: vscode.Uri;
}

/** The page of what may run, and by whose decision, until it is disposed. */
export function wireMayRun(
	services: MayRunServices,
): Disposable & { readonly commands: Commands<"mcpHost.showWhatMayRun"> } {
	let open: Panel | undefined;
	const show = async (): Promise<void> => {
		await Promise.all([services.refreshRules(), readEditorSettings(), services.agents.refresh()]);
		if (open !== undefined) return open.reveal();
		const panel = openPanel({
			extensionUri: services.extensionUri,
			view: "mayRun",
			style: "mayRun.css",
			title: "What May Run",
		});
		open = panel;
		const connection = connectMayRun(panel.port, sourceOf(services));
		panel.onDidClose(() => {
			connection.dispose();
			open = undefined;
		});
	};
	return {
		commands: commandsOf({ "mcpHost.showWhatMayRun": show }),
		dispose: () => open?.dispose(),
	};
}

function sourceOf(services: MayRunServices): MayRunSource {
	const { host, configuration, models, rules, sampling, apps, agents } = services;
	const page = (): ReturnType<typeof mayRunPage> =>
		mayRunPage({
			...services,
			usage: usageRows(sampling, host.registry),
			apps: apps.all,
			agents: agents.all,
			home: homedir(),
			models: models.models.map(({ info }) => info),
			setting: (name) => vscode.workspace.getConfiguration("mcpHost").get(name),
			organization: policiesIn(editorSettings),
			problems: configuration.problems.current,
			redact: (text) => host.secretsInUse.redact(text),
		});
	return {
		page,
		onDidChange: (listener) => {
			const store = new DisposableStore();
			const heard = [
				host.registry.onDidChange,
				host.approvals.onDidChange,
				rules.onDidChange,
				sampling.onDidChange,
				models.onDidChange,
				apps.onDidChange,
				agents.onDidChange,
				configuration.problems.onDidChange,
				vscode.workspace.onDidChangeConfiguration,
			];
			for (const listen of heard) store.add(listen(() => listener(undefined)));
			return store;
		},
		act: (action) => act(services, action),
		copy: async ({ sections }) => {
			await vscode.env.clipboard.writeText(mayRunText(sections, escapeMarkdown));
			return "Copied.";
		},
	};
}

async function act({ host, grants, apps, agents }: MayRunServices, action: MayRunAction): Promise<string> {
	switch (action.kind) {
		case "revoke-server": {
			const answer = await askModal(
				`Revoke the approval of “${oneLine(action.name, 60)}”?`,
				"The server stops if it runs. The inputs, the sign-in and the roots that are kept for it are deleted.",
				"Revoke",
			);
			if (answer !== "Revoke") return "";
			await host.revoke(action.id);
			return `Revoked the approval of ${oneLine(action.name, 60)}.`;
		}
		case "revoke-grant":
			await grants.revoke([action.id]);
			return "Revoked. You are asked again from now on.";
		case "revoke-app":
			await apps.revoke(action.key);
			return "Revoked. The app asks again before it reaches anything.";
		case "revoke-agent":
			await agents.revoke([action.key]);
			return "Revoked. A program is asked about again; a key does not work any more.";
		case "open-rule":
			await openRule(action.uri, action.index);
			return "";
		case "setting":
			await vscode.commands.executeCommand("workbench.action.openSettings", action.name);
			return "";
	}
}
