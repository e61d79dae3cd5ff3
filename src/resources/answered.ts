import type { ResourcePart } from "./content.ts";

/** How the URI of an answer stands to the one that was asked for. */
export type Answer =
	/** The same, or one of several contents, which have URIs of their own. */
	| { readonly kind: "exact" }
	/** Written otherwise, but the same by the rules for URIs; it may still be another resource of that server. */
	| { readonly kind: "equivalent"; readonly uri: string }
	| { readonly kind: "other"; readonly uri: string };

/**
 * Whether a server answered with what it was asked for. Contents always belong to the URI that was asked for, and a person
 * is told when the server calls them by another (security.md RES-04).
 */
export function answerOf(uri: string, parts: readonly Pick<ResourcePart, "uri">[]): Answer {
	const [only, ...others] = parts;
	if (only === undefined || others.length > 0 || only.uri === uri) return { kind: "exact" };
	const isSame = normalized(only.uri) === normalized(uri);
	return { kind: isSame ? "equivalent" : "other", uri: only.uri };
}

/** As libraries write URIs that they read: `HTTPS://A` as `https://a/`, with escapes only where they are needed. */
function normalized(uri: string): string {
	if (!URL.canParse(uri)) return uri;
	const { href } = new URL(uri);
	try {
		return encodeURI(decodeURI(href)).replace(/\/$/, "");
	} catch {
		return href;
	}
}
