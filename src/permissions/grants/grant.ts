import { isJsonObject } from "../../base/json.ts";
import { type Check, isFlag, isName, isTime, shape } from "../../base/shape.ts";
import { oneLine } from "../../base/text.ts";
import type { ServerDefinition, ServerId } from "../../servers/definitions/config.ts";
import { namesOf } from "../../servers/definitions/serverNames.ts";
import { describeBudget, isRuleBudget, type RuleBudget } from "./ruleBudget.ts";
import { momentOf } from "../../base/shownTime.ts";

/** How long a grant lasts: as long as this window, in this workspace, or everywhere; the narrowest first. */
export const scopes = ["session", "workspace", "always"] as const;
export type Scope = (typeof scopes)[number];

/** The calls that a grant allows. */
export type CallCover =
	/** A tool in its definition at that time, with any arguments. */
	| { readonly kind: "tool"; readonly tool: string; readonly fingerprint: string }
	/** The same with exactly these arguments: the hash of their JSON, and some of it to show. */
	| {
			readonly kind: "arguments";
			readonly tool: string;
			readonly fingerprint: string;
			readonly hash: string;
			readonly shown: string;
	  }
	/** The tools that the server calls read-only. */
	| { readonly kind: "read-only" };

/** The handling of a server's sampling requests in place of the review of both stages. */
export type SamplingCover =
	/** Each is rejected. Holds for the server's name, whatever its definition. */
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

/**
 * The user's decision about later calls or sampling requests of one server, bound to the server's definition at that
 * time. Holds no arguments but the beginning of some.
 */
export interface Grant<Cover = CallCover | SamplingCover> {
	readonly id: string;
	readonly server: ServerId;
	/** The server's configured name at that time. */
	readonly serverName: string;
	/** The hash of the server's definition at that time. */
	readonly definition: string;
	readonly covers: Cover;
	/** When it was given, in milliseconds since the epoch. */
	readonly at: number;
	/** When it ends, in milliseconds since the epoch; absent for never. */
	readonly expiresAt?: number;
}

/** A grant with how long it lasts, which is where it is kept. */
export interface ScopedGrant<Cover = CallCover | SamplingCover> extends Grant<Cover> {
	readonly scope: Scope;
}

/** A grant about sampling requests, which users see as a rule. */
export type SamplingRule = ScopedGrant<SamplingCover>;

const bound = { tool: isName, fingerprint: isName };
const ofCalls: Readonly<Record<CallCover["kind"], Check>> = {
	tool: shape(bound),
	arguments: shape({ ...bound, hash: isName, shown: isName }),
	"read-only": shape({}),
};
const ofSampling: Readonly<Record<SamplingCover["kind"], Check>> = {
	never: shape({}),
	"request-only": shape({}),
	auto: shape({ budget: isRuleBudget, coversUnasked: isFlag }),
};
const isCover: Check = (value) =>
	isJsonObject(value) &&
	Object.entries({ ...ofCalls, ...ofSampling }).some(([kind, check]) => value["kind"] === kind && check(value));
const isKept = shape(
	{ id: isName, server: isName, serverName: isName, definition: isName, at: isTime, covers: isCover },
	{ expiresAt: isTime },
);

/** Whether a stored value is a valid grant in all its members. An invalid one grants nothing (SEC-08). */
export function isGrant(value: unknown): value is Grant {
	return isKept(value);
}

/** Whether a grant covers calls, and not sampling requests. */
export function coversCalls(covers: Grant["covers"]): covers is CallCover {
	return Object.hasOwn(ofCalls, covers.kind);
}

/** Whether a grant is about sampling requests, and not about calls. */
export function isOfSampling(grant: ScopedGrant): grant is SamplingRule {
	return !coversCalls(grant.covers);
}

/** Whether a server has the name of a grant's: either the one that was shown then, or the one in its file. */
export function isNamed(
	{ server, serverName }: Pick<Grant, "server" | "serverName">,
	definition: Pick<ServerDefinition, "id" | "name" | "origin">,
): boolean {
	return namesOf(definition).names.some((name) => name === serverName || server.endsWith(`#${name}`));
}

const durations: Readonly<Record<Scope, string>> = {
	session: "in this session",
	workspace: "in this workspace",
	always: "always",
};

/** How long a grant lasts, in words: `in this workspace`, `always, until Dec 1, 2026, 10:00`. */
export function describeScope(scope: Scope, expiresAt?: number): string {
	const until = expiresAt === undefined ? "" : `, until ${describeTime(expiresAt)}`;
	return `${durations[scope]}${until}`;
}

/** The subject of a grant, in one line: `bookHotel of travel with exactly {"nights":3}`, `Never: travel`. */
export function describeCover({ covers, serverName }: Pick<Grant, "covers" | "serverName">): string {
	const server = oneLine(serverName, 60);
	if (!coversCalls(covers)) return `${describeEffect(covers)}: ${server}`;
	switch (covers.kind) {
		case "tool":
			return `${oneLine(covers.tool, 100)} of ${server}`;
		case "arguments":
			return `${oneLine(covers.tool, 100)} of ${server} with exactly ${oneLine(covers.shown, 200)}`;
		case "read-only":
			return `tools that ${server} calls read-only`;
	}
}

/** The handling of sampling requests, in words: `Auto-approve up to 20 requests a day`. */
export function describeEffect(covers: SamplingCover): string {
	if (covers.kind !== "auto") return covers.kind === "never" ? "Never" : "Review the request only";
	const unasked = covers.coversUnasked ? ", also when it asks on its own" : "";
	return `Auto-approve up to ${describeBudget(covers.budget)}${unasked}`;
}

/** A rule as it decides about requests, in words: `Never, always`. */
export function describeRule({ covers, scope, expiresAt }: SamplingRule): string {
	return `${describeEffect(covers)}, ${describeScope(scope, expiresAt)}`;
}

/** A point in time in its display form. */
export function describeTime(time: number): string {
	return momentOf(time);
}
