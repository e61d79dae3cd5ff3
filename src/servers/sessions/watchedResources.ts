import { toDisposable, type Disposable } from "../../base/lifecycle.ts";
import { isWithin } from "../../protocol/messages/uriWithin.ts";

/** The resources whose changes have subscribers, counted, so that several may share one subscription. */
export class WatchedResources {
	private readonly counts = new Map<string, number>();
	private readonly onChange: (uris: readonly string[]) => void;

	/** `onChange` gets the whole set whenever it changes. */
	constructor(onChange: (uris: readonly string[]) => void) {
		this.onChange = onChange;
	}

	get uris(): readonly string[] {
		return [...this.counts.keys()];
	}

	/** Whether a change of this resource is one of a watched resource, or of something within one. */
	concerns(uri: string): boolean {
		return this.counts.has(uri) || this.uris.some((watched) => isWithin(uri, watched));
	}

	/** Watches a resource until disposed. */
	add(uri: string): Disposable {
		const count = this.counts.get(uri) ?? 0;
		this.counts.set(uri, count + 1);
		if (count === 0) this.onChange(this.uris);
		return toDisposable(() => {
			const left = (this.counts.get(uri) ?? 0) - 1;
			if (left > 0) this.counts.set(uri, left);
			else if (this.counts.delete(uri)) this.onChange(this.uris);
		});
	}
}
