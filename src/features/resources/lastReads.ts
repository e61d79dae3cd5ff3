import type { ResourcePart } from "./content.ts";
import type { ResourceRead } from "./reader.ts";
import { keyOf, type ResourceAddress } from "./uri.ts";

/** One of several contents that the last read brought. */
export interface KnownPart {
	readonly uri: string;
	readonly mimeType: string | undefined;
	/** In bytes. */
	readonly size: number;
}

interface LastRead {
	/** None for a single content. */
	readonly parts: readonly KnownPart[];
	readonly answer: LastAnswer;
	readonly modified: number;
}

/** For how many resources it is remembered. */
const limit = 1000;

/** The facts about the last read of each resource, without the contents themselves. */
export class LastReads {
	private readonly reads = new Map<string, LastRead>();

	/** Takes note of a read; returns whether it brought other parts, or another answer, than the previous one. */
	note({ address, snapshot: { parts, modified } }: ResourceRead): boolean {
		const key = keyOf(address);
		const former = this.reads.get(key);
		const several = parts.length > 1 ? parts : [];
		const read = {
			parts: several.map(({ uri, mimeType, bytes }) => ({ uri, mimeType, size: bytes.length })),
			answer: answerOf(address.uri, parts),
			modified,
		};
		this.reads.delete(key);
		this.reads.set(key, read);
		const [oldest] = this.reads.keys();
		if (this.reads.size > limit && oldest !== undefined) this.reads.delete(oldest);
		return describe(former) !== describe(read);
	}

	/** The several contents of a resource; none for one, or when it was not read yet. */
	partsOf(address: Pick<ResourceAddress, "server" | "uri">): readonly KnownPart[] {
		return this.reads.get(keyOf(address))?.parts ?? [];
	}

	/** The URI of the only content where it is not the one that was asked for (RES-04). */
	answeredAs(address: Pick<ResourceAddress, "server" | "uri">): string | undefined {
		const answer = this.reads.get(keyOf(address))?.answer;
		return answer === undefined || answer.kind === "exact" ? undefined : answer.uri;
	}

	/** The time of the contents, as in `ResourceSnapshot`; undefined when the resource was not read yet. */
	modifiedOf(address: Pick<ResourceAddress, "server" | "uri">): number | undefined {
		return this.reads.get(keyOf(address))?.modified;
	}
}

function describe(read: LastRead | undefined): string {
	return JSON.stringify([read?.parts ?? [], read?.answer ?? { kind: "exact" }]);
}

/** The relation between the URI of an answer and the requested one. */
type LastAnswer =
	/** The same, or one of several contents, which have URIs of their own. */
	| { readonly kind: "exact" }
	/** Written otherwise, but the same by the rules for URIs; it may still be another resource of that server. */
	| { readonly kind: "equivalent"; readonly uri: string }
	| { readonly kind: "other"; readonly uri: string };

/**
 * Whether a server answered with the requested resource. Contents always belong to the requested URI, and a user is
 * informed when the server names another one (RES-04).
 */
export function answerOf(uri: string, parts: readonly Pick<ResourcePart, "uri">[]): LastAnswer {
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
