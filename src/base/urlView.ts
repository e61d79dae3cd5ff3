/** A URL in full, cut so that the host can be set off. The three parts joined are the URL that is opened. */
export interface UrlView {
	readonly before: string;
	readonly host: string;
	readonly after: string;
	readonly warnings: readonly string[];
}
