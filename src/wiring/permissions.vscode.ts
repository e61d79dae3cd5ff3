import { DisposableStore } from "../base/lifecycle.ts";
import type { Prices } from "../models/prices.ts";
import { wireBudgets } from "../permissions/budgets/budgets.vscode.ts";
import { wirePinning } from "../permissions/pinning/pinning.vscode.ts";
import { wirePolicy } from "../permissions/policy/policy.vscode.ts";
import type { Records } from "./records.vscode.ts";
import type { Window } from "./window.vscode.ts";

/** The parts that decide about calls and sampling requests, until it is disposed. */
export type Permissions = ReturnType<typeof wirePermissions>;

/**
 * Creates the decision makers: the approvals of tools, the rules of calls, and those of sampling, which are listed with
 * them.
 */
export function wirePermissions({ host, shared, log }: Window, { notes }: Records, prices: Prices) {
	const store = new DisposableStore();
	const { registry: directory } = host;

	const pinning = store.add(wirePinning({ directory, store: shared, notes }));
	const { pins } = pinning;
	const budgets = store.add(wireBudgets({ directory, prices, store: shared, notes, log }));
	const rules = store.add(wirePolicy({ directory, pins, sampling: budgets.rules, store: shared, notes, log }));
	return {
		/** The parts that every caller of tools uses. */
		deciding: { directory, policy: rules.policy, refreshRules: rules.refresh, pins, notes },
		budgets,
		development: { restarts: pinning.restarts, ownChanges: pinning.ownChanges },
		listed: rules.listed,
		chooseGrant: rules.chooseGrant,
		grantArguments: rules.grantArguments,
		commands: { ...pinning.commands, ...rules.commands, ...budgets.commands },
		dispose: () => store.dispose(),
	};
}
