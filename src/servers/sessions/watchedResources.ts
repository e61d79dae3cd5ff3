import { toDisposable, type Disposable } from "../../base/lifecycle.ts";

/**
 * Whether `uri` is `whole` or, by its path or fragment, something within it: a server may report a change below the URI
 * of the subscription (specification, "Resources", notifications/resources/updated). Another query is another resource.
 */
export function isWithin(uri: string, whole: string): boolean {
	if (!uri.startsWith(whole)) return false;
	return uri.length === whole.length || /^[/#]/.test(uri.slice(whole.length)) || whole.endsWith("/");
}

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
