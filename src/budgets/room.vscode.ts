import * as vscode from "vscode";
import { guarded, type Commands } from "../base/commands.ts";
import { messageOf } from "../base/errors.ts";
import { DisposableStore, type Disposable } from "../base/lifecycle.ts";
import type { Log } from "../base/log.ts";
import { showError, showWarning } from "../base/notify.vscode.ts";
import type { KeyValue } from "../base/storage.ts";
import type { Prices } from "../models/prices.ts";
import type { SessionDirectory } from "../servers/session.ts";
import { BudgetPolicy } from "./budgetPolicy.ts";
import { chooseRule } from "./chooseRule.vscode.ts";
import { Ledger } from "./ledger.ts";
import { LimitsSetting } from "./limits.vscode.ts";
import { manageSampling } from "./manage.vscode.ts";
import { ruleRows, type ListedSamplingRules } from "./overview.ts";
import type { ChooseSamplingRule, SamplingPolicy } from "./samplingPolicy.ts";
import { SamplingRules } from "./samplingRules.ts";

/** What the policy of sampling needs of the window and of the other rooms. */
export interface SamplingPolicyServices {
	readonly directory: SessionDirectory;
	readonly prices: Prices;
	readonly workspaceState: KeyValue;
	readonly state: KeyValue;
	readonly log: Log;
}

/** Who decides about sampling requests, and where people see and change that. */
export interface SamplingPolicyRoom extends Disposable {
	readonly policy: SamplingPolicy;
	readonly chooseRule: ChooseSamplingRule;
	readonly rules: ListedSamplingRules;
	readonly commands: Commands<"mcpHost.manageSampling">;
}

/** Opens the room of sampling rules and budgets until it is disposed. */
export function samplingPolicyRoom(services: SamplingPolicyServices): SamplingPolicyRoom {
	const { directory, prices, workspaceState, state, log } = services;
	const store = new DisposableStore();
	const now = (): number => Date.now();
	const onProblem = (message: string): void => {
		log.warn(message);
		void tell(message);
	};
	const rules = new SamplingRules({ workspaceState, state, now, onProblem });
	const spent = new Ledger({ store: state, key: "mcpHost.sampling.spent", now, onProblem });
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
		commands: guarded(
			{ "mcpHost.manageSampling": () => manageSampling({ directory, policy }) },
			(error) => void showError(messageOf(error)),
		),
		dispose: () => store.dispose(),
	};
}

async function tell(message: string): Promise<void> {
	const chosen = await showWarning(message, "Sampling Rules and Budgets…");
	if (chosen !== undefined) await vscode.commands.executeCommand("mcpHost.manageSampling");
}
