import { type Check, isFlag, isName, isTime, shape } from "../../base/shape.ts";
import { isJsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import { describeScope, type GrantScope } from "../policy/grant.ts";
import type { ServerDefinition, ServerId } from "../../servers/definitions/config.ts";
import { namesOf } from "../../servers/definitions/serverNames.ts";
import { describeBudget, isRuleBudget, type RuleBudget } from "./ruleBudget.ts";

/** How long a rule lasts: as long as this window, in this workspace, or everywhere. */
export type RuleScope = GrantScope;

/** The treatment of a server's requests in place of the review of both stages. */
export type SamplingEffect =
	| { readonly kind: "never" }
	/** The user sees each request, and the completion goes back unseen. */
	| { readonly kind: "request-only" }
	| {
			/** No review while the budget lasts. */
			readonly kind: "auto";
			readonly budget: RuleBudget;
			/** Also when the server asks on its own, and not only during a call of the user's. */
			readonly coversUnasked: boolean;
	  };

/** The user's decision about one server's sampling requests, bound to the server's definition at that time. */
export interface SamplingRule {
	readonly id: string;
	readonly server: ServerId;
	/** The server's configured name at that time. */
	readonly serverName: string;
	/** The hash of its definition at that time: another definition is another server, but `never` holds for its name. */
	readonly definition: string;
	readonly effect: SamplingEffect;
	/** When it was made, in milliseconds since the epoch. */
	readonly at: number;
	/** When it ends, in milliseconds since the epoch; absent for never. */
	readonly expiresAt?: number;
}

/** A rule with how long it lasts, which is where it is kept. */
export interface ScopedSamplingRule extends SamplingRule {
	readonly scope: RuleScope;
}

/** The data about a server by which its rules are found. */
export type RuledServer = Pick<ServerDefinition, "id" | "name" | "origin">;

/** Whether a server has the name of a rule's: either the one that was shown then, or the one in its file. */
export function isNamed({ server, serverName }: SamplingRule, definition: RuledServer): boolean {
	return namesOf(definition).names.some((name) => name === serverName || server.endsWith(`#${name}`));
}

const isAuto = shape({ budget: isRuleBudget, coversUnasked: isFlag });
const isEffect: Check = (value) =>
	isJsonObject(value) &&
	(value["kind"] === "never" || value["kind"] === "request-only" || (value["kind"] === "auto" && isAuto(value)));
const isKept = shape(
	{ id: isName, server: isName, serverName: isName, definition: isName, at: isTime, effect: isEffect },
	{ expiresAt: isTime },
);

/** Whether a stored value is a valid rule in all its members. An invalid one allows nothing (SEC-08). */
export function isSamplingRule(value: unknown): value is SamplingRule {
	return isKept(value);
}

/** The effect of a rule, in words: `Auto-approve up to 20 requests a day`. */
export function describeEffect(effect: SamplingEffect): string {
	switch (effect.kind) {
		case "never":
			return "Never";
		case "request-only":
			return "Review the request only";
		case "auto": {
			const unasked = effect.coversUnasked ? ", also when it asks on its own" : "";
			return `Auto-approve up to ${describeBudget(effect.budget)}${unasked}`;
		}
	}
}

/** A rule as it decides about requests, in words: `Never, always`. */
export function describeRule({ effect, scope, expiresAt }: ScopedSamplingRule): string {
	return `${describeEffect(effect)}, ${describeScope(scope, expiresAt)}`;
}

/** The server that a rule is about, on one line. */
export function serverOf({ serverName }: Pick<SamplingRule, "serverName">): string {
	return oneLine(serverName, 60);
}
