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
export function describeSignedIn({ account, issuer, provider }: SignedIn): string {
	const by = provider === undefined ? "" : ` through the identity provider ${hostOf(provider)}`;
	const at = `at ${hostOf(issuer)}${by}`;
	return account === undefined ? at : `as ${oneLine(account, 80)} ${at}`;
}

/** The question before signing out of an identity provider, of which other servers are a part. */
export function signOutQuestion(
	name: string,
	provider: string,
	accounts: readonly SignedIn[],
): { readonly message: string; readonly detail: string } {
	const count = accounts.filter((account) => account.provider !== undefined).length;
	const others = count < 2 ? "" : ` All ${count} servers that it signed you in to disconnect, in every window.`;
	return {
		message: `Sign out of ${hostOf(provider)}?`,
		detail: `You are signed in to “${name}” through this identity provider.${others}`,
	};
}

function hostOf(address: string): string {
	return oneLine(URL.canParse(address) ? new URL(address).host : address, 100);
}
