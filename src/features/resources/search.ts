import { displayName, oneLine } from "../../base/text.ts";
import type { Session, SessionDirectory } from "../../servers/sessions/session.ts";
import { headingsOf, type PickGroup, type PickRow } from "./catalog.ts";
import { listedResources, type ListedResource, type ListedTemplate } from "./listed.ts";

/** The resource of a row: one that its server lists, or a URI that the user typed. */
export interface FoundResource {
	readonly session: Session;
	readonly uri: string;
	readonly mimeType: string | undefined;
	/** In bytes, as the server states it. */
	readonly size: number | undefined;
	readonly isListed: boolean;
}

/** The rows for the typed text. */
export interface Found {
	readonly groups: readonly PickGroup<FoundResource>[];
	/** How many more resources match than are shown. */
	readonly more: number;
}

interface Indexed extends ListedResource {
	/** The title, otherwise the name, in lower case. */
	readonly name: string;
	/** All that is searched, in lower case. */
	readonly text: string;
}

/** How many rows are shown: a list of tens of thousands would block the window, and nobody reads it. */
const defaultLimit = 200;

/** How much of a name and of a description is searched. */
const searchedLength = 300;

/** A typed URI: a scheme, a colon, and text after it. */
const uriPattern = /^[A-Za-z][A-Za-z0-9+.-]*:\S+$/;

/**
 * Finds resources of the running servers by the typed text. The lists are read once; make a new search when they
 * changed. `templatesFor` returns the templates that may have made a URI.
 */
export class ResourceSearch {
	private readonly directory: SessionDirectory;
	private readonly templatesFor: (uri: string) => readonly ListedTemplate[];
	private readonly headings: ReadonlyMap<Session, string>;
	private indexed: readonly Indexed[] | undefined;

	constructor(directory: SessionDirectory, templatesFor: (uri: string) => readonly ListedTemplate[]) {
		this.directory = directory;
		this.templatesFor = templatesFor;
		this.headings = headingsOf(directory.sessions.filter(offersResources));
	}

	/**
	 * The resources that contain every word, those with the words in their names first; by server, the best server first.
	 * A URI that is not listed is offered of each server, of those with a matching template first.
	 */
	find(typed: string, limit = defaultLimit): Found {
		const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
		const ranked: Indexed[][] = [[], [], []];
		for (const entry of this.index()) {
			if (words.every((word) => entry.text.includes(word))) ranked[rankOf(entry, words)]?.push(entry);
		}
		const matches = ranked.flat();
		const shown = matches.slice(0, limit);
		const groups = [...Map.groupBy(shown, ({ session }) => session)].map(([session, entries]) => ({
			heading: this.headings.get(session) ?? session.definition.name,
			rows: entries.map(rowOf),
		}));
		return { groups: [...groups, ...this.unlisted(typed.trim())], more: matches.length - shown.length };
	}

	private index(): readonly Indexed[] {
		this.indexed ??= listedResources(this.directory).map(({ session, resource }) => {
			// Whole texts are made fit to show only for the rows that are shown.
			const name = (resource.title?.trim() || resource.name).slice(0, searchedLength).toLowerCase();
			const description = resource.description?.slice(0, searchedLength) ?? "";
			const text =
				`${name}\n${resource.name}\n${resource.uri}\n${session.definition.name}\n${description}`.toLowerCase();
			return { session, resource, name, text };
		});
		return this.indexed;
	}

	private unlisted(uri: string): readonly PickGroup<FoundResource>[] {
		if (!uriPattern.test(uri)) return [];
		const lister = new Set(this.index().flatMap(({ session, resource }) => (resource.uri === uri ? [session] : [])));
		const templates = new Map(this.templatesFor(uri).map((listed) => [listed.session, listed.template]));
		const rows = [...this.headings.keys()]
			.filter((session) => !lister.has(session))
			.map((session): PickRow<FoundResource> => {
				const template = templates.get(session);
				return {
					label: `Read from ${this.headings.get(session) ?? session.definition.name}`,
					description: oneLine(uri, 300),
					detail: template === undefined ? "" : `Matches its template ${oneLine(template.uriTemplate, 200)}`,
					mimeType: template?.mimeType,
					value: { session, uri, mimeType: template?.mimeType, size: undefined, isListed: false },
				};
			})
			.sort((a, b) => Number(templates.has(b.value.session)) - Number(templates.has(a.value.session)));
		return rows.length === 0 ? [] : [{ heading: "Not Listed", rows }];
	}
}

function offersResources({ state }: Session): boolean {
	return state.kind === "running" && state.facts.capabilities.resources !== undefined;
}

/** 0 if the name begins with the typed text, 1 if it contains all words, 2 if they are elsewhere. */
function rankOf({ name }: Indexed, words: readonly string[]): number {
	if (words.length > 0 && name.startsWith(words.join(" "))) return 0;
	return words.every((word) => name.includes(word)) ? 1 : 2;
}

function rowOf({ session, resource }: Indexed): PickRow<FoundResource> {
	const { uri, description, mimeType, size } = resource;
	return {
		label: displayName(resource),
		description: oneLine(uri, 300),
		detail: oneLine(description ?? "", 300),
		mimeType,
		value: { session, uri, mimeType, size, isListed: true },
	};
}
