import { type Check, isName, isTime, shape } from "../../base/shape.ts";
import { isJsonObject } from "../../base/json.ts";
import type { Scope } from "../../base/store/scopedStore.ts";
import { oneLine } from "../../base/text.ts";
import { momentOf } from "../../base/shownTime.ts";

/** How long a grant lasts. */
export type GrantScope = Scope;

/** The scope of a grant, bound to its original subject. */
export type GrantCover =
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
	/** The tools that the server calls read-only, as long as its definition is the one it was then. */
	| { readonly kind: "read-only"; readonly definition: string };

/** Something that the user allowed from then on. Holds no arguments but the beginning of some. */
export interface Grant {
	readonly id: string;
	/** The server's id, and its name at that time. */
	readonly server: string;
	readonly serverName: string;
	readonly covers: GrantCover;
	/** When it was given, in milliseconds since the epoch. */
	readonly at: number;
	/** When it ends, in milliseconds since the epoch; absent for never. */
	readonly expiresAt?: number;
}

/** A grant with how long it lasts, which is where it is kept. */
export interface ScopedGrant extends Grant {
	readonly scope: GrantScope;
}

const isBound = { tool: isName, fingerprint: isName };
const covers: Readonly<Record<GrantCover["kind"], Check>> = {
	tool: shape(isBound),
	arguments: shape({ ...isBound, hash: isName, shown: isName }),
	"read-only": shape({ definition: isName }),
};
const isCover: Check = (value) =>
	isJsonObject(value) &&
	Object.entries(covers).some(([kind, hasMembers]) => value["kind"] === kind && hasMembers(value));
const isKept = shape(
	{ id: isName, server: isName, serverName: isName, at: isTime, covers: isCover },
	{ expiresAt: isTime },
);

/** Whether a stored value is a valid grant in all its members. An invalid one grants nothing (SEC-08). */
export function isGrant(value: unknown): value is Grant {
	return isKept(value);
}

const durations: Readonly<Record<GrantScope, string>> = {
	session: "in this session",
	workspace: "in this workspace",
	always: "always",
};

/** How long a grant lasts, in words: `in this workspace`, `always, until 12/1/2026, 10:00 AM`. */
export function describeScope(scope: GrantScope, expiresAt?: number): string {
	const until = expiresAt === undefined ? "" : `, until ${describeTime(expiresAt)}`;
	return `${durations[scope]}${until}`;
}

/** The scope of a grant, in one line: `bookHotel of travel with exactly {"nights":3}`. */
export function describeCover({ covers, serverName }: Pick<Grant, "covers" | "serverName">): string {
	const server = oneLine(serverName, 60);
	switch (covers.kind) {
		case "tool":
			return `${oneLine(covers.tool, 100)} of ${server}`;
		case "arguments":
			return `${oneLine(covers.tool, 100)} of ${server} with exactly ${oneLine(covers.shown, 200)}`;
		case "read-only":
			return `tools that ${server} calls read-only`;
	}
}

/** A point in time in its display form. */
export function describeTime(time: number): string {
	return momentOf(time);
}
