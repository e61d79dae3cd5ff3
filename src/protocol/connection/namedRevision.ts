import { ProtocolError, SdkHttpError, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/client";
import { causesOf } from "../http/networkFault.ts";

const revisionName = /\b20\d\d-\d\d-\d\d\b/g;
/** Without such a word a date is a date. */
const isAboutRevisions = /version|revision|protocol|support/i;
/** Statuses that say nothing about revisions, whatever their words are. */
const others: ReadonlySet<number> = new Set([401, 403, 407, 429]);

/**
 * The newest revision with a handshake that a server names, in whatever words, as it refuses `initialize`, and that this
 * host speaks; undefined where it names none. Only revisions older than `asked`, or than the newest, which was asked for.
 */
export function namedRevision(error: unknown, asked: string | undefined): string | undefined {
	const words = causesOf(error)
		.map(wordsOf)
		.find((text) => text !== undefined);
	if (words === undefined || !isAboutRevisions.test(words)) return undefined;
	const known = SUPPORTED_PROTOCOL_VERSIONS.toSorted().toReversed();
	const [newest = ""] = known;
	const named = new Set(words.match(revisionName));
	return known.find((revision) => revision < (asked ?? newest) && named.has(revision));
}

/** What a refusal of the server says; undefined for what is none, as a fault of the network or of the server itself. */
function wordsOf(error: unknown): string | undefined {
	if (error instanceof ProtocolError) return `${error.message} ${JSON.stringify(error.data ?? {})}`;
	if (!(error instanceof SdkHttpError) || error.status >= 500 || others.has(error.status)) return undefined;
	return typeof error.data["text"] === "string" ? error.data["text"] : undefined;
}
