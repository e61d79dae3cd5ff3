import { answerOf, type Answer } from "./answered.ts";
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
	readonly answer: Answer;
	readonly modified: number;
}

/** For how many resources it is remembered. */
const limit = 1000;

/** What the last read of each resource brought, but for the contents themselves. */
export class LastReads {
	private readonly reads = new Map<string, LastRead>();

	/** Takes note of a read; tells whether it brought other parts, or another answer, than the one before. */
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

	/** The URI of the only content where it is not the one that was asked for (security.md RES-04). */
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
