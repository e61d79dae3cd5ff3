import { DisposableStore } from "../base/lifecycle.ts";
import type { Prices } from "../models/prices.ts";
import { wirePinning } from "../permissions/pinning/pinning.vscode.ts";
import { wirePolicies } from "../permissions/policies.vscode.ts";
import type { Records } from "./records.vscode.ts";
import type { Window } from "./window.vscode.ts";

/** The parts that decide about calls and sampling requests, until it is disposed. */
export type Permissions = ReturnType<typeof wirePermissions>;

/** Creates the decision makers: the approvals of tools, and the policies of calls and sampling requests. */
export function wirePermissions({ host, shared, log }: Window, { notes }: Records, prices: Prices) {
	const store = new DisposableStore();
	const { registry: directory } = host;

	const pinning = store.add(wirePinning({ directory, store: shared, notes }));
	const { pins } = pinning;
	const policies = store.add(wirePolicies({ directory, pins, prices, store: shared, notes, log }));
	return {
		/** The parts that every caller of tools uses. */
		deciding: { directory, policy: policies.policy, refreshRules: policies.refresh, pins, notes },
		sampling: policies.sampling,
		development: { restarts: pinning.restarts, ownChanges: pinning.ownChanges },
		listed: policies.listed,
		chooseGrant: policies.chooseGrant,
		grantArguments: policies.grantArguments,
		commands: { ...pinning.commands, ...policies.commands },
		dispose: () => store.dispose(),
	};
}
