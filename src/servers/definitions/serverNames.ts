import { inPlainLetters } from "../../base/lookAlikes.ts";
import type { ServerDefinition } from "./config.ts";

/** A server as settings that name servers see it. */
export interface NamedServer {
	/** The names that it counts under: the one that is shown, and the one in its file where that differs. */
	readonly names: readonly string[];
	/** Whether a workspace chose its name: the user's settings for that name can then only make its limits stricter. */
	readonly isOfWorkspace: boolean;
}

/** The names of a server. */
export function namesOf({ id, name, origin }: Pick<ServerDefinition, "id" | "name" | "origin">): NamedServer {
	const place = `${origin.kind}:${origin.file ?? origin.folder ?? ""}#`;
	const configured = id.startsWith(place) ? id.slice(place.length) : name;
	return { names: [...new Set([name, configured])], isOfWorkspace: origin.isWorkspace };
}

/** An entry of a setting by the names of servers. */
export interface NamedEntry {
	/** A name, or a pattern for names. */
	readonly pattern: string;
	/** Whether the pattern fits a name. */
	readonly fits: (name: string) => boolean;
}

/**
 * The entries of a setting that apply to a server. For a user's own server: the one under its exact name, otherwise
 * those whose patterns match, in order. For a workspace's server, which may have any name, all matching ones: it gets
 * only what each of them grants (CFG-35).
 */
export function entriesFor<T extends NamedEntry>(
	{ names, isOfWorkspace }: NamedServer,
	entries: readonly T[],
): readonly T[] {
	const exact = names.flatMap((name) => entries.filter(({ pattern }) => pattern === name));
	if (exact.length > 0 && !isOfWorkspace) return exact;
	return entries.filter((entry) => exact.includes(entry) || names.some((name) => entry.fits(name)));
}

/** Whether an entry applies to every server, regardless of its name. */
export function isAboutAll({ pattern }: NamedEntry): boolean {
	return pattern === "*" || pattern === "**";
}

/** The origins that are not files. */
const plainOrigins = ["(user settings)", "(workspace settings)", "(demo)"];

/** The text in the name of an origin that is a file of a folder. */
const fileOrigin = /\b(?:mcp|settings)\.json in /i;

/**
 * Whether a name reads as if its origin had been added to it, and not the one whose label this is: a workspace could
 * otherwise give its server the name of one of the user's (CFG-37).
 */
export function claimsOrigin(name: string, label: string): boolean {
	const unnumbered = name.replace(/ \d{1,9}$/, "");
	const end = inPlainLetters(unnumbered.normalize("NFKC").toLowerCase());
	if (!end.trimEnd().endsWith(")") || unnumbered.endsWith(` (${label})`)) return false;
	if (plainOrigins.some((origin) => end.replace(/\s+/g, " ").trimEnd().endsWith(origin))) return true;
	const open = end.indexOf("(");
	return open !== -1 && fileOrigin.test(end.slice(open));
}
