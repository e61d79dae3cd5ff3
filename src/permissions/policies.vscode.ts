import * as vscode from "vscode";
import type { Commands } from "../base/commands.ts";
import { HostError } from "../base/errors.ts";
import { isJsonObject, type JsonObject } from "../base/json.ts";
import { type Disposable, DisposableStore } from "../base/lifecycle.ts";
import type { Log } from "../base/log.ts";
import { commandsOf, showWarning } from "../base/notify.vscode.ts";
import type { Store } from "../base/store/store.ts";
import { oneLine } from "../base/text.ts";
import { withoutIcons } from "../base/words.ts";
import type { Prices } from "../models/prices.ts";
import type { ActivityNotes } from "../records/activity/journal/entry.ts";
import { findServer } from "../servers/sessions/findServer.ts";
import type { SessionDirectory } from "../servers/sessions/session.ts";
import { BudgetPolicy } from "./budgets/budgetPolicy.ts";
import { followLimits } from "./budgets/limits.vscode.ts";
import { ModelUse } from "./budgets/modelUse.ts";
import type { ChooseSamplingRule, SamplingPolicy } from "./budgets/samplingPolicy.ts";
import type { ToolEntry } from "./catalog/catalog.ts";
import { chooseRule, grantChooser } from "./choose.vscode.ts";
import { Grants } from "./grants/grants.ts";
import type { GrantScene } from "./grants/grantStatus.ts";
import { manageRules, type ManageServices } from "./manage.vscode.ts";
import type { DefinitionPins } from "./pinning/pin.ts";
import { explain } from "./policy/explain.ts";
import { RulesAndGrants } from "./policy/policy.ts";
import { noteRules } from "./policy/ruleNotes.ts";
import { RuleFiles, showRuleProblems } from "./policy/rules.vscode.ts";
import type { ChooseGrant, ToolPolicy } from "./policy/verdict.ts";

/** The dependencies of the policies on the window and the rest of the host. */
export interface PolicyServices {
	readonly directory: SessionDirectory;
	readonly pins: DefinitionPins;
	readonly prices: Prices;
	readonly store: Store;
	readonly notes: ActivityNotes;
	readonly log: Log;
}

/** The policy of sampling requests, and how users choose a rule for them. */
export interface WiredSamplingPolicy {
	readonly policy: SamplingPolicy;
	readonly chooseRule: ChooseSamplingRule;
}

/** The policies of calls and of sampling requests, and where users see and change them. */
export interface WiredPolicies extends Disposable {
	readonly policy: ToolPolicy & Pick<RulesAndGrants, "allowsAll">;
	readonly chooseGrant: ChooseGrant;
	/** Allows a call with exactly these arguments from now on, in this workspace. */
	readonly grantArguments: (entry: ToolEntry, args: JsonObject) => Promise<void>;
	/**
	 * Reads the rules again, before a turn: a change of a file that VS Code did not report applies then at the latest.
	 */
	readonly refresh: () => Promise<void>;
	readonly sampling: WiredSamplingPolicy;
	/** The sources of the list of rules and grants. */
	readonly listed: ManageServices;
	readonly commands: Commands<"mcpHost.manageRules" | "mcpHost.explainPolicy">;
}

/** Creates the policies of calls and of sampling requests, until they are disposed. */
export function wirePolicies({ directory, pins, prices, store: shared, notes, log }: PolicyServices): WiredPolicies {
	const store = new DisposableStore();
	const rules = store.add(new RuleFiles(log));
	const grants = new Grants({ store: shared, notes });
	const policy = store.add(new RulesAndGrants({ rules, grants, pins }));
	store.add(noteRules(rules, notes));
	store.add(showRuleProblems(rules));

	const now = Date.now;
	const onProblem = (message: string): void => {
		log.warn(message);
		void report(message);
	};
	const sampling = store.add(
		new BudgetPolicy({
			grants,
			use: new ModelUse({ store: shared, grants, now, onProblem }),
			limits: store.add(followLimits()),
			prices,
			isTrusted: () => vscode.workspace.isTrusted,
			now,
		}),
	);
	const scene: GrantScene = {
		directory,
		pins,
		grants,
		get sampling() {
			return sampling.scene;
		},
	};
	const services = { directory, rules, grants, scene, sampling };
	return {
		policy,
		chooseGrant: grantChooser(policy, grants),
		grantArguments: (entry, args) => grants.add(grants.make(entry, args, "arguments"), "workspace"),
		refresh: () => rules.refresh(),
		sampling: { policy: sampling, chooseRule: ({ definition }) => chooseRule(sampling, definition) },
		listed: services,
		commands: commandsOf({
			"mcpHost.manageRules": async () => {
				await rules.refresh();
				await manageRules(services);
			},
			"mcpHost.explainPolicy": async (argument) => {
				await rules.refresh();
				await explainPolicy(services, argument);
			},
		}),
		dispose: () => store.dispose(),
	};
}

async function report(message: string): Promise<void> {
	const chosen = await showWarning(message, "Manage Rules and Grants…");
	if (chosen !== undefined) await vscode.commands.executeCommand("mcpHost.manageRules");
}

/**
 * Shows the rules and grants for the calls of one tool: `{ server, tool }` with the server's id or name and the tool,
 * from the tree, or the tool's name, from key bindings.
 * @throws HostError `invalid` when there is no such tool.
 */
async function explainPolicy(services: ManageServices, argument: unknown): Promise<void> {
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
			ignoreFocusOut: true,
			title: `What Decides About ${oneLine(entry.session.definition.name, 60)} · ${oneLine(entry.tool.name, 100)}`,
			placeHolder: "Checked in this order; the strictest decision applies",
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
			'No running server has this tool. Choose "Why Is This Tool Allowed or Denied?" from the context menu of a tool.',
		);
	return { session, tool: found, modelName: "", hidden: undefined };
}
