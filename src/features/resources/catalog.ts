import { HostError } from "../../base/errors.ts";
import { isJsonObject } from "../../base/json.ts";
import { displayName, oneLine } from "../../base/text.ts";
import type { Session, SessionDirectory } from "../../servers/sessions/session.ts";
import { type ListedTemplate, listedTemplates } from "./listed.ts";
import { fromEditorUri, type ResourceAddress } from "./uri.ts";

/** A resource in the argument of a command. */
export interface ResourceReference {
	/** A server's id, or its configured name. */
	readonly server: string;
	readonly uri: string;
	/** Which of several contents, from 0. */
	readonly part?: number;
}

/** A template in the argument of a command. */
export interface TemplateReference {
	readonly server: string;
	readonly uriTemplate: string;
}

/**
 * The argument of a command as a reference to a resource: a node of the tree, `{server, uri, part?}` from anywhere, or
 * the URI of one of our editors, as menus of editors pass it.
 */
export function resourceReference(argument: unknown): ResourceReference | undefined {
	if (!isJsonObject(argument)) return undefined;
	const { server, uri, part, scheme, query } = argument as Partial<Record<string, unknown>>;
	if (typeof scheme === "string" && typeof query === "string") return referenceOf(fromEditorUri({ scheme, query }));
	if (typeof server !== "string" || typeof uri !== "string") return undefined;
	return referenceOf({ server, uri, ...(typeof part === "number" && Number.isInteger(part) ? { part } : {}) });
}

/** The resource and part of an address, for every version or view of it. */
function referenceOf(address: ResourceAddress | undefined): ResourceReference | undefined {
	if (address === undefined) return undefined;
	const { server, uri, part } = address;
	return { server, uri, ...(part === undefined ? {} : { part }) };
}

/** The argument of a command as a reference to a template: a node of the tree, or `{server, uriTemplate}`. */
export function templateReference(argument: unknown): TemplateReference | undefined {
	if (!isJsonObject(argument)) return undefined;
	const { server, uriTemplate } = argument as Partial<Record<string, unknown>>;
	return typeof server === "string" && typeof uriTemplate === "string" ? { server, uriTemplate } : undefined;
}

/**
 * The session for an id or a configured name, if only one has it.
 * @throws HostError `not-connected` when there is none; `invalid`, with the ids, for a name that several have.
 */
export function sessionNamed(directory: SessionDirectory, server: string): Session {
	const known = directory.get(server);
	if (known !== undefined) return known;
	const named = directory.sessions.filter(({ definition }) => definition.name === server);
	const [session, ...others] = named;
	if (session === undefined)
		throw new HostError("not-connected", `No server named "${oneLine(server)}" is configured.`);
	if (others.length > 0) {
		const ids = named.map(({ definition }) => oneLine(definition.id)).join(", ");
		throw new HostError("invalid", `Several servers are named "${oneLine(server)}". Choose one of: ${ids}`);
	}
	return session;
}

/** A row of a list to choose from. The texts are servers' texts, made fit for one line. */
export interface PickRow<T> {
	readonly label: string;
	/** The URI or the template, so that no title can hide what is opened. */
	readonly description: string;
	readonly detail: string;
	readonly mimeType: string | undefined;
	readonly value: T;
}

/** The rows of one server under its name. */
export interface PickGroup<T> {
	readonly heading: string;
	readonly rows: readonly PickRow<T>[];
}

/** All listed templates to choose from, by server. */
export function templateGroups(directory: SessionDirectory): readonly PickGroup<ListedTemplate>[] {
	const groups = Map.groupBy(listedTemplates(directory), ({ session }) => session);
	const headings = headingsOf([...groups.keys()]);
	return [...groups].map(([session, listed]) => ({
		heading: headings.get(session) ?? session.definition.name,
		rows: listed.map((value) => ({
			label: displayName(value.template),
			description: oneLine(value.template.uriTemplate, 300),
			detail: oneLine(value.template.description ?? "", 300),
			mimeType: value.template.mimeType,
			value,
		})),
	}));
}

/** The heading of each server above its rows: two servers may have the same name in different files. */
export function headingsOf(sessions: readonly Session[]): ReadonlyMap<Session, string> {
	const names = new Set<string>();
	return new Map(
		sessions.map((session) => {
			const { name, origin } = session.definition;
			const heading = names.has(name) ? `${name} (${origin.label})` : name;
			names.add(name);
			return [session, heading];
		}),
	);
}
