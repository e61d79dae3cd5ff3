import * as vscode from "vscode";
import type { ActivityNotes } from "../../records/activity/journal/entry.ts";
import { guarded, type Commands } from "../../base/commands.ts";
import { messageOf } from "../../base/errors.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import type { Log } from "../../base/log.ts";
import { showError, showWarning } from "../../base/notify.vscode.ts";
import type { Store } from "../../base/store/store.ts";
import type { Prices } from "../../models/prices.ts";
import type { RowWords } from "../../questions/listRow.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";
import { BudgetPolicy } from "./budgetPolicy.ts";
import { chooseRule } from "./chooseRule.vscode.ts";
import { isUseKept, UsageCounter, usageName } from "./usageCounter.ts";
import { LimitsSetting } from "./limits.vscode.ts";
import { manageSampling } from "./manage.vscode.ts";
import { ruleRows, usageRows } from "./overview.ts";
import type { ChooseSamplingRule, SamplingPolicy } from "./samplingPolicy.ts";
import { SamplingRules } from "./samplingRules.ts";
import type { OtherRules } from "../policy/overview.ts";

/** The dependencies of the policy of sampling on the window and the rest of the host. */
export interface SamplingPolicyServices {
	readonly directory: SessionDirectory;
	readonly prices: Prices;
	readonly store: Store;
	readonly notes: ActivityNotes;
	readonly log: Log;
}

/** The policy of sampling requests, and where users see and change it. */
export interface WiredBudgets extends Disposable {
	readonly policy: SamplingPolicy;
	readonly chooseRule: ChooseSamplingRule;
	readonly rules: OtherRules;
	/** The servers' usage of models today, the remaining amounts, and their limits. */
	readonly usage: () => readonly RowWords[];
	/** Withdraws all rules of this window, of the workspace and of everywhere. */
	readonly revokeAll: () => Promise<void>;
	readonly commands: Commands<"mcpHost.manageSampling">;
}

/** Creates the policy of sampling requests, until it is disposed. */
export function wireBudgets(services: SamplingPolicyServices): WiredBudgets {
	const { directory, prices, store: shared, notes, log } = services;
	const store = new DisposableStore();
	const now = (): number => Date.now();
	const onProblem = (message: string): void => {
		log.warn(message);
		void report(message);
	};
	const rules = new SamplingRules({ store: shared, now, notes, onProblem });
	const journal = shared.journal(usageName, { isKept: (line) => isUseKept(line, now()) });
	const spent = new UsageCounter({ journal, name: "spent", now, onProblem });
	const limits = store.add(new LimitsSetting());
	const isTrusted = (): boolean => vscode.workspace.isTrusted;
	const policy = store.add(new BudgetPolicy({ rules, spent, limits, prices, isTrusted, now }));
	return {
		policy,
		chooseRule: ({ definition }) => chooseRule(policy, definition),
		rules: {
			get rows() {
				return ruleRows(policy, directory);
			},
			onDidChange: policy.onDidChange,
			revoke: (id) => rules.revoke([id]),
		},
		usage: () => usageRows(policy, directory),
		revokeAll: () => rules.revoke(rules.all.map(({ id }) => id)),
		commands: guarded(
			{ "mcpHost.manageSampling": () => manageSampling({ directory, policy }) },
			(error) => void showError(messageOf(error)),
		),
		dispose: () => store.dispose(),
	};
}

async function report(message: string): Promise<void> {
	const chosen = await showWarning(message, "Sampling Rules and Budgets…");
	if (chosen !== undefined) await vscode.commands.executeCommand("mcpHost.manageSampling");
}
