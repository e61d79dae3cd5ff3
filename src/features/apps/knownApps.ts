import { sha256 } from "../../base/hash.ts";
import { isJsonObject } from "../../base/json.ts";
import { Emitter, type Event } from "../../base/event.ts";
import { oneLine } from "../../base/text.ts";
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
	/** The name of its server, and the address of its page, for the user. */
	readonly server?: string;
	readonly page?: string;
}

/** An app that was allowed something outside its frame, in words of its server. */
export interface AllowedApp {
	readonly key: string;
	readonly server: string;
	readonly page: string;
	readonly domains: readonly string[];
	readonly clipboard: boolean;
}

/** The access of apps, which can be revoked. */
export interface AppAccesses {
	readonly all: readonly AllowedApp[];
	readonly onDidChange: Event<unknown>;
	revoke(key: string): Promise<void>;
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
export class KnownApps implements AppAccesses {
	private readonly changed = new Emitter<string>();
	/** Fires with the key of an app that was allowed something, or is not any more. */
	readonly onDidChange: Event<string> = this.changed.event;
	private readonly state: KeyValue;
	private readonly pages: FormerPages | undefined;

	/** Without `pages` a change of a page is reported without its differences. */
	constructor(state: KeyValue, pages?: FormerPages) {
		this.state = state;
		this.pages = pages;
	}

	/** The apps that may reach something outside their frames, the one that was seen last first. */
	get all(): readonly AllowedApp[] {
		return this.kept()
			.flatMap(([key, { domains, clipboard = false, server = "a server", page = "" }]): AllowedApp[] => {
				const names = [...new Set(Object.values(domains).flat())];
				return names.length === 0 && !clipboard ? [] : [{ key, server, page, domains: names, clipboard }];
			})
			.toReversed();
	}

	/** Revokes the access of an app. An open app asks again with its next load. */
	async revoke(key: string): Promise<void> {
		await this.keep(this.kept().filter(([other]) => other !== key));
		this.changed.fire(key);
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
		const key = keyOf(session, uri);
		const about = { server: oneLine(session.definition.name, 100), page: oneLine(uri, 200) };
		const app: KnownApp = { hash, at, domains, ...(clipboard ? { clipboard } : {}), ...about };
		const others = this.kept().filter(([other]) => other !== key);
		await this.keep([...others, [key, app] as const].slice(-mostKnown));
		this.changed.fire(key);
	}

	private async keep(apps: readonly (readonly [string, KnownApp])[]): Promise<void> {
		await this.state.update(storeName, Object.fromEntries(apps));
	}

	private find(session: Session, uri: string): KnownApp | undefined {
		return new Map(this.kept()).get(keyOf(session, uri));
	}

	private kept(): [string, KnownApp][] {
		const stored = this.state.get<unknown>(storeName);
		if (!isJsonObject(stored)) return [];
		return Object.entries(stored).flatMap(([key, value]) => (isKnownApp(value) ? [[key, value]] : []));
	}
}

/** The identity of an app: the definition of its server and the address of its page. */
export function keyOf({ definition }: Session, uri: string): string {
	return sha256(JSON.stringify([definition.id, definition.hash, uri]));
}

/** Damaged data counts as unknown: the user is asked again. */
function isKnownApp(value: unknown): value is KnownApp {
	if (!isJsonObject(value)) return false;
	const { hash, at, domains, server = "", page = "" } = value;
	const isList = (list: unknown): boolean => Array.isArray(list) && list.every((item) => typeof item === "string");
	return (
		typeof hash === "string" &&
		typeof at === "number" &&
		typeof server === "string" &&
		typeof page === "string" &&
		isJsonObject(domains) &&
		(["connect", "resource", "frame", "baseUri"] as const).every((use) => isList(domains[use]))
	);
}
