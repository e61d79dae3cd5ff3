import { sha256 } from "../../base/hash.ts";
import { isJsonObject } from "../../base/json.ts";
import type { KeyValue } from "../../base/storage.ts";
import type { Session } from "../../servers/sessions/session.ts";
import { type AppAccess, type AppDomains, noAccess } from "./appPolicy.ts";
import type { FormerPages } from "./formerPages.ts";

/** The state of an app that the user has seen. */
interface KnownApp {
	/** Of the page that was shown last. */
	readonly hash: string;
	/** When that was first shown, in milliseconds since the epoch. */
	readonly at: number;
	/** The access that it has. */
	readonly domains: AppDomains;
	/** Absent where it was not asked for. */
	readonly clipboard?: boolean;
}

/** Another page that an app had. */
export interface FormerPage {
	/** When it was first shown, in milliseconds since the epoch. */
	readonly at: number;
	/** Undefined where it was not kept. */
	readonly html: string | undefined;
}

const storeName = "mcpHost.apps";
/** How many apps are remembered; the one that was seen first makes room. */
const mostKnown = 300;

/**
 * Remembers the pages of apps and their access, so that a change of a page is reported and wider access is asked about
 * again. An app is identified by the definition of its server and the address of its page.
 */
export class KnownApps {
	private readonly state: KeyValue;
	private readonly pages: FormerPages | undefined;

	/** Without `pages` a change of a page is reported without its differences. */
	constructor(state: KeyValue, pages?: FormerPages) {
		this.state = state;
		this.pages = pages;
	}

	/** The access that the user gave this app. */
	accessOf(session: Session, uri: string): AppAccess {
		const known = this.find(session, uri);
		return known === undefined ? noAccess : { domains: known.domains, clipboard: known.clipboard === true };
	}

	/** The page that was shown before, if it was another one; undefined when this is the first or the same. */
	async former(session: Session, uri: string, html: string): Promise<FormerPage | undefined> {
		const known = this.find(session, uri);
		if (known === undefined || known.hash === sha256(html)) return undefined;
		return { at: known.at, html: await this.pages?.read(keyOf(session, uri), known.hash) };
	}

	/** This page is shown, with this access. */
	async remember(session: Session, uri: string, html: string, { domains, clipboard }: AppAccess): Promise<void> {
		const known = this.find(session, uri);
		const hash = sha256(html);
		const at = known?.hash === hash ? known.at : Date.now();
		void this.pages?.keep(keyOf(session, uri), html);
		const all = this.all().filter(([key]) => key !== keyOf(session, uri));
		all.push([keyOf(session, uri), { hash, at, domains, ...(clipboard ? { clipboard } : {}) }]);
		await this.state.update(storeName, Object.fromEntries(all.slice(-mostKnown)));
	}

	private find(session: Session, uri: string): KnownApp | undefined {
		return new Map(this.all()).get(keyOf(session, uri));
	}

	private all(): [string, KnownApp][] {
		const stored = this.state.get<unknown>(storeName);
		if (!isJsonObject(stored)) return [];
		return Object.entries(stored).flatMap(([key, value]) => (isKnownApp(value) ? [[key, value]] : []));
	}
}

function keyOf({ definition }: Session, uri: string): string {
	return sha256(JSON.stringify([definition.id, definition.hash, uri]));
}

/** Damaged data counts as unknown: the user is asked again. */
function isKnownApp(value: unknown): value is KnownApp {
	if (!isJsonObject(value)) return false;
	const { hash, at, domains } = value;
	const isList = (list: unknown): boolean => Array.isArray(list) && list.every((item) => typeof item === "string");
	return (
		typeof hash === "string" &&
		typeof at === "number" &&
		isJsonObject(domains) &&
		(["connect", "resource", "frame", "baseUri"] as const).every((use) => isList(domains[use]))
	);
}
