import { guarded, type Commands } from "../base/commands.ts";
import { messageOf } from "../base/errors.ts";
import { DisposableStore, type Disposable } from "../base/lifecycle.ts";
import type { Log } from "../base/log.ts";
import { showError } from "../base/notify.vscode.ts";
import type { KeyValue } from "../base/storage.ts";
import type { ListedSamplingRules } from "../budgets/overview.ts";
import type { DefinitionPins } from "../pinning/pin.ts";
import type { SessionDirectory } from "../servers/session.ts";
import { grantChooser } from "./chooseGrant.vscode.ts";
import { explainPolicy } from "./explain.vscode.ts";
import { Grants } from "./grants.ts";
import type { GrantScene } from "./grantStatus.ts";
import { manageRules } from "./manage.vscode.ts";
import { RulesAndGrants } from "./policy.ts";
import { showRuleProblems } from "./problems.vscode.ts";
import { RuleFiles } from "./rules.vscode.ts";
import type { ChooseGrant, ToolPolicy } from "./verdict.ts";

/** What the policy needs of the window and of the other rooms. */
export interface PolicyRoomServices {
	readonly directory: SessionDirectory;
	readonly pins: DefinitionPins;
	/** The rules of sampling, which are listed with the others. */
	readonly sampling: ListedSamplingRules;
	readonly workspaceState: KeyValue;
	readonly state: KeyValue;
	readonly log: Log;
}

/** Who decides about calls, and where people see and change that. */
export interface PolicyRoom extends Disposable {
	readonly policy: ToolPolicy;
	readonly chooseGrant: ChooseGrant;
	/** Reads the rules again, before a turn: a change of a file of which the editor did not tell counts then at the latest. */
	refresh(): Promise<void>;
	readonly commands: Commands<"mcpHost.manageRules" | "mcpHost.explainPolicy">;
}

/** Opens the room of rules and grants until it is disposed. */
export function policyRoom({ directory, pins, sampling, workspaceState, state, log }: PolicyRoomServices): PolicyRoom {
	const store = new DisposableStore();
	const rules = store.add(new RuleFiles(log));
	const grants = new Grants({ workspaceState, state });
	const policy = store.add(new RulesAndGrants({ rules, grants, pins }));
	store.add(showRuleProblems(rules));
	const scene: GrantScene = { directory, pins, isExpired: (grant) => grants.isExpired(grant) };
	const services = { directory, rules, grants, scene, sampling };
	return {
		policy,
		chooseGrant: grantChooser(policy, grants),
		refresh: () => rules.refresh(),
		commands: guarded(
			{
				"mcpHost.manageRules": async () => {
					await rules.refresh();
					await manageRules(services);
				},
				"mcpHost.explainPolicy": async (argument) => {
					await rules.refresh();
					await explainPolicy(services, argument);
				},
			},
			(error) => void showError(messageOf(error)),
		),
		dispose: () => store.dispose(),
	};
}
