import { machineAlone } from "../../../servers/definitions/editorLimits.ts";
import { leaveOut } from "../../../servers/definitions/leftOut.ts";
import type { ConfigProblem } from "../../../servers/definitions/config.ts";
import { policyFileOf, readMachinePolicy } from "../../../servers/definitions/policyFile.ts";
import type { McpHost } from "../../../servers/host.ts";
import { judgeCall } from "../../../permissions/policy/judge.ts";
import { parseMachineRules } from "../../../permissions/policy/parseRules.ts";
import type { RuleList } from "../../../permissions/policy/rule.ts";
import type { ToolPolicy } from "../../../permissions/policy/verdict.ts";

/** The result of a configuration under the policy of the machine. */
export interface UnderMachine {
	readonly problems: readonly ConfigProblem[];
	/** The rules of the organization; empty if it has none. */
	readonly rules: readonly RuleList[];
}

/**
 * Has a host take a configuration, without the servers that the policy of the machine does not allow: they are among the
 * problems. `file` is where that policy is.
 */
export async function configureUnderMachine(
	host: McpHost,
	{ sources }: { readonly sources: Parameters<McpHost["configure"]>[0] },
	isDemoOffered: boolean,
	file: string = policyFileOf(),
): Promise<UnderMachine> {
	const [machine, library] = await Promise.all([readMachinePolicy(file), import("../../../base/glob.ts")]);
	const { isLeftOut, problems: leftOut } = leaveOut(() => false, machineAlone(machine));
	const problems = await host.configure(sources, isDemoOffered, isLeftOut);
	const rules = parseMachineRules(machine, library);
	return { problems: [...problems, ...leftOut], rules: rules === undefined ? [] : [rules] };
}

/** A policy that the rules of the organization come before: what they deny or ask about is not allowed by it. */
export function underRules(policy: ToolPolicy, rules: readonly RuleList[]): ToolPolicy {
	return {
		decide: (entry, args) => {
			const found = judgeCall(rules, entry, args);
			return found === undefined || found.decision === "allow"
				? policy.decide(entry, args)
				: { decision: found.decision, by: { kind: "rule", label: found.label } };
		},
		onDidChange: policy.onDidChange,
	};
}
