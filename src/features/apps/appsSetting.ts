import { literalRange } from "../../base/addresses.ts";
import { oneOf } from "../../base/guards.ts";
import { oneLine } from "../../base/text.ts";

/** When apps of servers open: `off` means that there are none, and they are not declared to servers. */
export type AppsSetting = "off" | "onRequest" | "firstTime" | "always";

const values: ReadonlySet<AppsSetting> = new Set<AppsSetting>(["off", "onRequest", "firstTime", "always"]);

/** Reads the setting `mcpHost.apps`; an unknown value opens nothing automatically. */
export function readAppsSetting(value: unknown): AppsSetting {
	return oneOf(values, value) ?? "onRequest";
}

/** The domains that no app may reach. */
export interface DeniedDomains {
	/** Host names; their subdomains are denied too. */
	readonly hosts: readonly string[];
	/** Entries that may mean any domain, so that no app reaches one while they exist; fit for one line. */
	readonly unread: readonly string[];
}

/**
 * Reads the setting `mcpHost.deniedAppDomains`: names of hosts, and all forms of addresses that contain one. An
 * unreadable entry denies everything that it can mean.
 */
export function readDeniedDomains(value: unknown): DeniedDomains {
	if (value === undefined || value === null) return { hosts: [], unread: [] };
	const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
	const hosts: string[] = [];
	const unread: string[] = [];
	for (const entry of entries) {
		const host = typeof entry === "string" ? hostOf(entry) : undefined;
		if (host !== undefined) hosts.push(host);
		else if (typeof entry !== "string" || entry.trim() !== "") unread.push(oneLine(JSON.stringify(entry) ?? "", 100));
	}
	return { hosts, unread };
}

/** An address with a host, with or without its other parts; before the host no user name, and behind it what begins a path. */
const addressForm =
	/^(?:(?:[a-z][a-z\d+.-]*:)?\/\/)?(?:\*?\.){0,3}(?<host>[^\s/?#:@[\]]{1,255}|\[[\da-f:.]{2,50}\])(?::(?:\d{1,5}|\*))?(?<rest>[/?#].*)?$/i;
/** Names of hosts as parsers write them: more is no name, but a list, an expression or a quotation of names. */
const hostName = /^(?:\[[\da-f:.]+\]|[a-z\d_](?:[a-z\d_-]{0,62})(?:\.[a-z\d_][a-z\d_-]{0,62})*)$/;

/** The host of an entry such as `example.com`, `*.example.com` or `https://example.com:8443/a`. */
function hostOf(entry: string): string | undefined {
	const { host: written = "", rest = "" } = addressForm.exec(entry.trim())?.groups ?? {};
	const url = URL.parse(`https://${written}`);
	const host = url?.hostname.replace(/\.$/, "");
	if (url === null || host === undefined || !hostName.test(host)) return undefined;
	// `10.0.0.0/8` is a network.
	return literalRange(url) !== undefined && /^\/\d/.test(rest) ? undefined : host;
}

/** Whether the app of a finished call opens automatically; `isFirst`: it was not offered in this window before. */
export function isOffered(setting: AppsSetting, isFirst: boolean): boolean {
	return setting === "always" || (setting === "firstTime" && isFirst);
}
