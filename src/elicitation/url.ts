import { invalidParams } from "../decisions/refusal.ts";
import type { UrlView } from "../form/formProtocol.ts";
import { isLoopback, siteWarnings } from "./siteWarnings.ts";

/** A URL that a server asks the person to open: what is shown is what is opened. */
export interface RequestedUrl {
	/** The URL as it is opened; equal to the parts of `view` joined. */
	readonly href: string;
	readonly view: UrlView;
}

const lengthLimit = 8000;

/**
 * Reads the URL of a url-mode elicitation. It is parsed once, and the parsed form is both shown and opened, so that no
 * second parser can see another host in it (security.md ELC-04, UI-08). Nothing is fetched.
 * @throws RequestRefusal -32602 unless it is https, or http on this machine, and without a user name in front of the host.
 */
export function readUrl(text: string): RequestedUrl {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined) throw invalidParams("The URL is not valid");
	if (url.href.length > lengthLimit) throw invalidParams("The URL is too long");
	if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) {
		throw invalidParams("The URL must be https, or http on the loopback interface");
	}
	// `https://bank.example@evil.example/` leads to evil.example.
	if (url.username !== "" || url.password !== "") throw invalidParams("The URL must not hold a user name or password");
	const before = `${url.protocol}//`;
	return {
		href: url.href,
		view: {
			before,
			host: url.host,
			after: url.href.slice(before.length + url.host.length),
			warnings: siteWarnings(url),
		},
	};
}
