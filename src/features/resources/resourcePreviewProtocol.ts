/** What the page around a preview shows. */
export interface PreviewView {
	/** What is drawn, for a frame without scripts. */
	readonly document: string;
	/** What is to be known of it. */
	readonly notice: string;
	/** Whether it is read anew only when the user says so: the server does not tell of changes. */
	readonly canReload: boolean;
}

/** What the extension offers the page around a preview. */
export interface PreviewHostApi {
	ready(): PreviewView;
	reload(): void;
}

/** What that page offers the extension. */
export interface PreviewViewApi {
	show(view: PreviewView): void;
}
