import { oneLine } from "../../base/text.ts";
import type { SignedIn } from "../../protocol/authorization.ts";
import type { ServerFacts } from "../../protocol/connection.ts";

/** The transport, in the words of the specification. */
export function transportName(facts: ServerFacts): string {
	return { stdio: "stdio", http: "HTTP", sse: "HTTP+SSE" }[facts.transport];
}

/**
 * The user and the authorization server, in words for one line: `as ann@example.com at auth.example.com`. A server's
 * text is made fit to show.
 */
export function describeSignedIn({ account, issuer }: SignedIn): string {
	const at = `at ${oneLine(URL.canParse(issuer) ? new URL(issuer).host : issuer, 100)}`;
	return account === undefined ? at : `as ${oneLine(account, 80)} ${at}`;
}
