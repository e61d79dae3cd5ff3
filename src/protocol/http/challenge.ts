/** The request of a server that answers 401 or 403. All of it is untrusted text. */
export interface Challenge {
	/** `sign-in`: a (better) token; `step-up`: more scopes than the token has. */
	readonly kind: "sign-in" | "step-up";
	readonly scope: string | undefined;
	/** Where the protected resource's metadata is; undefined when absent or no URL. */
	readonly resourceMetadata: URL | undefined;
	/** Whether tokens bound to a key are asked for (RFC 9449). */
	readonly wantsDpop: boolean;
	/** Why the request was refused, in the server's words (RFC 6750, section 3). */
	readonly reason: string | undefined;
}

interface SchemeChallenge {
	readonly scheme: string;
	readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Reads the challenge of a response: any 401, and a 403 with `insufficient_scope` (specification, "Scope Challenge
 * Handling"); undefined for every other response. One header may hold several challenges (RFC 9110, section 11.6.1).
 */
export function readChallenge(response: Response): Challenge | undefined {
	const { status } = response;
	if (status !== 401 && status !== 403) return undefined;
	const { ours, find } = challengesIn(response.headers);
	if (status === 403 && find("error") !== "insufficient_scope") return undefined;
	const address = find("resource_metadata");
	return {
		kind: status === 403 ? "step-up" : "sign-in",
		scope: find("scope"),
		resourceMetadata: address !== undefined && URL.canParse(address) ? new URL(address) : undefined,
		wantsDpop: ours.some(({ scheme }) => scheme === "dpop"),
		reason: find("error_description"),
	};
}

/** The words of a challenge (RFC 6750, section 3); undefined if there are none. Untrusted. */
export function challengeWords(headers: Headers): string | undefined {
	return challengesIn(headers).find("error_description");
}

/** The challenges that concern tokens, and the first value of a parameter among them. */
function challengesIn(headers: Headers): {
	readonly ours: readonly SchemeChallenge[];
	readonly find: (name: string) => string | undefined;
} {
	const ours = parse(headers.get("www-authenticate") ?? "").filter(
		({ scheme }) => scheme === "bearer" || scheme === "dpop",
	);
	return {
		ours,
		find: (name) =>
			ours.map(({ parameters }) => parameters.get(name)).find((value) => value !== undefined && value !== ""),
	};
}

/** A parameter (`name=value` or `name="quoted value"`), a scheme's name, or a separator; each at the current place only. */
const part = /([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))|([\w!#$%&'*+.^`|~-]+)|[\s,]+|[^]/y;
/** A longer header is not a challenge; its contents are not read. */
const maxHeaderLength = 8192;

function parse(header: string): readonly SchemeChallenge[] {
	if (header.length > maxHeaderLength) return [];
	const challenges: { scheme: string; parameters: Map<string, string> }[] = [];
	part.lastIndex = 0;
	for (let match = part.exec(header); match !== null; match = part.exec(header)) {
		const [, name, quoted, bare, scheme] = match;
		if (scheme !== undefined) challenges.push({ scheme: scheme.toLowerCase(), parameters: new Map() });
		const parameters = challenges.at(-1)?.parameters;
		const key = name?.toLowerCase();
		if (key === undefined || parameters === undefined || parameters.has(key)) continue;
		parameters.set(key, quoted === undefined ? (bare ?? "") : quoted.replace(/\\(.)/g, "$1"));
	}
	return challenges;
}
