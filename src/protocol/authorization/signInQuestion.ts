import { HostError, messageOf } from "../../base/errors.ts";
import { cap, oneLine } from "../../base/text.ts";
import { readUrl } from "../../base/url.ts";
import type { SignInRequest } from "../authorization.ts";

/** The text that a user reads before their browser opens. Plain text throughout. */
export interface SignInQuestion {
	readonly message: string;
	readonly detail: string;
	/** The address as the server gave it. */
	readonly href: string;
	/** Where the browser goes, such as `auth.example.com`. */
	readonly host: string;
}

const maxScopes = 50;

const messages: Readonly<Record<SignInRequest["reason"], (name: string, host: string) => string>> = {
	"sign-in": (name) => `Sign in to use “${name}”?`,
	"step-up": (name) => `Grant more permissions to “${name}”?`,
	"identity-provider": (name, host) => `Sign in at ${host} to use “${name}” and other servers of your organization?`,
	credentials: (name, host) => `Send the credentials of “${name}” to ${host}?`,
};

/**
 * The words for a sign-in: who requests it, where the browser goes, which scopes are requested (AUT-02, AUT-15,
 * AUT-16). `address` is the one that opens, where a browser on another machine needs another one.
 * @throws HostError `invalid` when the address must not be opened: neither https nor http on loopback, with a user
 * name, or too long (AUT-01).
 */
export function signInQuestion(
	{ server, url, issuer, scopes, reason }: SignInRequest,
	address: string = url.href,
): SignInQuestion {
	const name = oneLine(server, 100);
	let read: ReturnType<typeof readUrl>;
	try {
		read = readUrl(url.href);
	} catch (error) {
		throw new HostError("invalid", `The sign-in page of ${name} was not opened. ${messageOf(error)}.`, {
			cause: error,
		});
	}
	const { host, warnings } = read.view;
	const issuerHost = URL.canParse(issuer) ? new URL(issuer).host : oneLine(issuer, 200);
	const lines = [
		reason === "sign-in"
			? `Your browser opens a page of ${host}, where you decide what MCP Host may do on this server on your behalf.`
			: reason === "identity-provider"
				? `Your browser opens a page of ${host}, the identity provider of your organization. You sign in once; it then decides which servers you may use.`
				: `This server asks for more permissions than you granted before. Your browser opens a page of ${host}, where you decide.`,
		"",
		`Server: ${name}`,
		`Sign-in page: ${host}`,
		...(issuerHost === host ? [] : [`Authorization server: ${issuerHost}`]),
		`Asks for: ${scopesText(scopes)}`,
		...warnings.map((warning) => `\n\u26A0 ${warning}`),
		"",
		read.href,
		...(address === read.href
			? []
			: ["", "This address is on the remote machine. Your browser reaches it at:", address]),
	];
	return {
		message: messages[reason](name, host),
		detail: lines.join("\n"),
		href: read.href,
		host,
	};
}

/** Words for the question whether configured credentials may go to an authorization server that the server names. */
export function credentialsQuestion({ server, url }: SignInRequest): Pick<SignInQuestion, "message" | "detail"> {
	const { view } = readUrl(url.href);
	return {
		message: messages.credentials(oneLine(server, 100), view.host),
		detail: [
			"The server names this authorization server. MCP Host uses the client secret, key or assertion in the server's configuration to sign in there, now and later, and nowhere else.",
			...view.warnings.map((warning) => `\u26A0 ${warning}`),
			'To set this in the configuration, add "issuer" to its "oauth".',
		].join("\n\n"),
	};
}

function scopesText(scopes: readonly string[]): string {
	if (scopes.length === 0) return "what the authorization server grants by default";
	const shown = scopes.slice(0, maxScopes).map((scope) => oneLine(scope, 100));
	return cap(shown.join(", "), 2000) + (scopes.length > maxScopes ? `, and ${scopes.length - maxScopes} more` : "");
}
