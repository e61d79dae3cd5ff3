import { isJsonObject } from "../../base/json.ts";
import type { DeniedDomains } from "./appsSetting.ts";

/** The purposes of a domain: connecting, loading, frames, base addresses. */
const domainUses = {
	connect: "connectDomains",
	resource: "resourceDomains",
	frame: "frameDomains",
	baseUri: "baseUriDomains",
} as const;
export type DomainUse = keyof typeof domainUses;

/** Domains by their purpose, each as it may be in a policy. */
export type AppDomains = Readonly<Record<DomainUse, readonly string[]>>;

/** The domains that an app's page requests, and the values that cannot be granted. */
export interface AskedDomains {
	readonly asked: AppDomains;
	/** As the server wrote them, untrusted. */
	readonly refused: readonly string[];
}

export const noDomains: AppDomains = { connect: [], resource: [], frame: [], baseUri: [] };

/** The rights of an app beyond its frame. */
export interface AppAccess {
	readonly domains: AppDomains;
	/** Whether it may write to the clipboard. */
	readonly clipboard: boolean;
}

export const noAccess: AppAccess = { domains: noDomains, clipboard: false };

/** How many domains a page may ask for of each kind. */
const mostDomains = 100;
/** `scheme://host[:port]` with an optional leading `*.`, and nothing that could end a directive of a policy. */
const domain = /^(?:https?|wss?):\/\/(?:\*\.)?[a-z0-9][a-z0-9.-]{0,252}(?::(?:\d{1,5}|\*))?$/;

/**
 * Reads the domains of a page's `_meta.ui.csp` (MCP Apps 2026-01-26, "UI Resource Format"). They come from a server and
 * go into the header that confines the app, so only plain origins count.
 */
export function readDomains(csp: unknown): AskedDomains {
	const refused: string[] = [];
	const read = (use: DomainUse): readonly string[] => {
		const values: unknown = isJsonObject(csp) ? csp[domainUses[use]] : undefined;
		if (values === undefined) return [];
		if (!Array.isArray(values)) {
			refused.push(`${domainUses[use]} is not a list`);
			return [];
		}
		const texts = values.map((value) => (typeof value === "string" ? value : (JSON.stringify(value) ?? "")));
		refused.push(...texts.slice(mostDomains));
		return [
			...new Set(
				texts.slice(0, mostDomains).flatMap((text) => {
					const origin = text.toLowerCase().replace(/\/$/, "");
					if (domain.test(origin)) return [origin];
					refused.push(text);
					return [];
				}),
			),
		];
	};
	const asked = {
		connect: read("connect"),
		resource: read("resource"),
		frame: read("frame"),
		baseUri: read("baseUri"),
	};
	return { asked, refused };
}

/** Whether an app asks to reach anything outside its frame. */
export function asksForDomains(domains: AppDomains): boolean {
	return Object.values(domains).some((list) => list.length > 0);
}

/** Whether an app asks for anything beyond its frame. */
export function asksForAccess({ domains, clipboard }: AppAccess): boolean {
	return clipboard || asksForDomains(domains);
}

/** The requested access of an app that was not allowed yet. */
export function accessBeyond(wanted: AppAccess, allowed: AppAccess): AppAccess {
	return {
		domains: domainsBeyond(wanted.domains, allowed.domains),
		clipboard: wanted.clipboard && !allowed.clipboard,
	};
}

/** The domains of an app that it was not allowed yet. */
export function domainsBeyond(wanted: AppDomains, allowed: AppDomains): AppDomains {
	return filtered(wanted, (one, use) => !allowed[use].includes(one));
}

/**
 * The domains of an app but those that are denied to all apps (MCP Apps 2026-01-26, "Security Implications"): the hosts that are
 * named, all below them, and wildcards that would reach one of these; all of them while the setting cannot be read.
 */
export function domainsNotDenied(wanted: AppDomains, { hosts: names, unread }: DeniedDomains): AppDomains {
	if (unread.length > 0) return noDomains;
	return filtered(wanted, (one) => {
		const [, star, host = ""] = /^[a-z]+:\/\/(\*\.)?([^:]*)/.exec(one) ?? [];
		// As a parser writes it, which has one form for each of `127.0.0.1`, `2130706433` and `0x7f.1`.
		const own = (URL.parse(`https://${host}`)?.hostname ?? host).replace(/\.$/, "");
		return !names.some(
			(name) => own === name || own.endsWith(`.${name}`) || (star !== undefined && name.endsWith(`.${own}`)),
		);
	});
}

function filtered(domains: AppDomains, isKept: (domain: string, use: DomainUse) => boolean): AppDomains {
	const of = (use: DomainUse): readonly string[] => domains[use].filter((one) => isKept(one, use));
	return { connect: of("connect"), resource: of("resource"), frame: of("frame"), baseUri: of("baseUri") };
}

/**
 * The content security policy of an app: the specification's rules for its domains ("Content Security Policy
 * Requirements"), without `'self'`, which in a frame of its own opaque origin could only mean VS Code's. `own` is where
 * the page around the frame loads its own script and style from; the frame's policy, which also applies, has none.
 */
export function appPolicy(domains: AppDomains, own: string = ""): string {
	const sources = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join(" ") || "'none'";
	const { connect, resource, frame, baseUri } = domains;
	return [
		"default-src 'none'",
		`script-src ${sources("'unsafe-inline'", own, ...resource)}`,
		`style-src ${sources("'unsafe-inline'", own, ...resource)}`,
		`img-src ${sources("data:", ...resource)}`,
		`font-src ${sources(...resource)}`,
		`media-src ${sources("data:", ...resource)}`,
		`connect-src ${sources(...connect)}`,
		// Without it an app could send data by leading its own frame elsewhere.
		`frame-src ${sources(...frame)}`,
		`base-uri ${sources(...baseUri)}`,
		"object-src 'none'",
		"form-action 'none'",
	].join("; ");
}
