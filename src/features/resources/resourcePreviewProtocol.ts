/** The content of the page around a preview. */
export interface PreviewView {
	/** The rendered document, for a frame without scripts. */
	readonly document: string;
	/** Notes about it. */
	readonly notice: string;
	/** Whether it is read again only on the user's request: the server does not report changes. */
	readonly canReload: boolean;
}

/** The extension's functions for the page around a preview. */
export interface PreviewHostApi {
	ready(): PreviewView;
	reload(): void;
}

/** That page's functions for the extension. */
export interface PreviewViewApi {
	show(view: PreviewView): void;
}
