import type { JsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import { destructive } from "../../permissions/catalog/annotations.ts";
import type { ToolEntry } from "../../permissions/catalog/catalog.ts";
import { fingerprint } from "../../permissions/pinning/fingerprint.ts";
import type { ToolPolicy, Verdict } from "../../permissions/policy/verdict.ts";

/**
 * The user's policy for one open app: a tool may be allowed until the app is closed. Tools that their server calls
 * destructive are asked about each time, despite rules and grants, because those were given for models in turns that
 * the user began. Where a rule asks or denies, or a tool changed, nothing here allows anything.
 */
export class AppGrants implements ToolPolicy {
	private readonly policy: ToolPolicy;
	private readonly granted = new Set<string>();

	constructor(policy: ToolPolicy) {
		this.policy = policy;
	}

	get onDidChange(): ToolPolicy["onDidChange"] {
		return this.policy.onDidChange;
	}

	decide(entry: ToolEntry, args: JsonObject): Verdict {
		const verdict = this.policy.decide(entry, args);
		if (verdict.decision === "allow" && isDestructive(entry)) {
			const label = `${oneLine(entry.tool.name, 100)} may delete or overwrite something, so each call of an app needs confirmation`;
			return { decision: "ask", by: { kind: "default", label } };
		}
		if (verdict.by.kind !== "default" || verdict.decision !== "ask" || !this.granted.has(keyOf(entry))) return verdict;
		return { decision: "allow", by: { kind: "grant", label: `your grant: ${this.describe(entry)}` } };
	}

	/** Whether a grant for the app while it is open would count for this call. */
	isGrantable(entry: ToolEntry, args: JsonObject): boolean {
		const { decision, by } = this.policy.decide(entry, args);
		return decision === "ask" && by.kind === "default" && !isDestructive(entry);
	}

	/** Allows a tool, in its current definition, while the app is open. */
	grant(entry: ToolEntry): void {
		this.granted.add(keyOf(entry));
	}

	/** The scope of such a grant, in our words. */
	describe({ session, tool }: ToolEntry): string {
		return `${oneLine(tool.name, 100)} of ${oneLine(session.definition.name, 60)} for this app while it is open`;
	}

	/** Withdraws all of them: the app was closed, or is another one. */
	clear(): void {
		this.granted.clear();
	}
}

/** Whether the server itself declares it. If it is only assumed, the policy asks, and a grant is possible. */
function isDestructive({ tool }: ToolEntry): boolean {
	return destructive(tool.annotations) === "stated";
}

function keyOf({ session, tool }: ToolEntry): string {
	return fingerprint(session, tool);
}
