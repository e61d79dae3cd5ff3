import { isJsonObject } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import { describeScope, type GrantScope } from "../policy/grant.ts";
import type { ServerId } from "../servers/config.ts";
import { describeBudget, isRuleBudget, type RuleBudget } from "./ruleBudget.ts";

/** How long a rule lasts: as long as this window, in this workspace, or everywhere. */
export type RuleScope = GrantScope;

/** What happens to a server's requests in place of the review of both stages. */
export type SamplingTreatment =
	| { readonly kind: "never" }
	/** The person sees each request, and the completion goes back unseen. */
	| { readonly kind: "request-only" }
	| {
			/** Nobody is asked while the budget lasts. */
			readonly kind: "auto";
			readonly budget: RuleBudget;
			/** Also when the server asks on its own, and not only during a call of the person's. */
			readonly coversUnasked: boolean;
	  };

/** What the person decided for one server's sampling requests, bound to what the server was then. */
export interface SamplingRule {
	readonly id: string;
	readonly server: ServerId;
	/** The server's configured name at that time. */
	readonly serverName: string;
	/** The hash of its definition at that time: another definition is another server, but `never` holds for its name. */
	readonly definition: string;
	readonly treatment: SamplingTreatment;
	/** When it was made, in milliseconds since the epoch. */
	readonly at: number;
	/** When it ends, likewise; absent for never. */
	readonly expiresAt?: number;
}

/** A rule with how long it lasts, which is where it is kept. */
export interface ScopedSamplingRule extends SamplingRule {
	readonly scope: RuleScope;
}

const longestText = 2000;

/** Whether a stored value is a rule in all that it says. What is not one allows nothing (security.md SEC-08). */
export function isSamplingRule(value: unknown): value is SamplingRule {
	if (!isJsonObject(value)) return false;
	const { id, server, serverName, definition, treatment, at, expiresAt } = value as {
		readonly [key in keyof SamplingRule]?: unknown;
	};
	return (
		[id, server, serverName, definition].every(isText) &&
		isTime(at) &&
		(expiresAt === undefined || isTime(expiresAt)) &&
		isTreatment(treatment)
	);
}

function isTreatment(value: unknown): value is SamplingTreatment {
	if (!isJsonObject(value)) return false;
	if (value["kind"] === "auto") return isRuleBudget(value["budget"]) && typeof value["coversUnasked"] === "boolean";
	return value["kind"] === "never" || value["kind"] === "request-only";
}

function isText(value: unknown): value is string {
	return typeof value === "string" && value !== "" && value.length <= longestText;
}

function isTime(value: unknown): value is number {
	return typeof value === "number" && Number.isFinite(value) && value > 0;
}

/** What a rule does, in words: `Auto-approve up to 20 requests a day`. */
export function describeTreatment(treatment: SamplingTreatment): string {
	switch (treatment.kind) {
		case "never":
			return "Never";
		case "request-only":
			return "Review the request only";
		case "auto": {
			const unasked = treatment.coversUnasked ? ", also when it asks on its own" : "";
			return `Auto-approve up to ${describeBudget(treatment.budget)}${unasked}`;
		}
	}
}

/** A rule as it decides about requests, in words: `Never, always`. */
export function describeRule({ treatment, scope, expiresAt }: ScopedSamplingRule): string {
	return `${describeTreatment(treatment)}, ${describeScope(scope, expiresAt)}`;
}

/** The server that a rule is about, on one line. */
export function serverOf({ serverName }: Pick<SamplingRule, "serverName">): string {
	return oneLine(serverName, 60);
}
