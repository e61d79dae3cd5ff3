import type { FrameEvent } from "../../src/features/apps/appProtocol.ts";

/** The member of the one message of a frame that hands over the port of its document. */
export const portMessage = "mcpHostPort";

/** What the page around a frame says to the document that it put there, which a document that came in its place never hears. */
export type ToDocument =
	/** A message of the frame arrived: is the document still there? */
	| { readonly ask: number }
	/** A message for the app. */
	| { readonly message: unknown };

/** What that document says. */
export type FromDocument =
	| { readonly here: number }
	| { readonly kind: FrameEvent; readonly text: string }
	| { readonly stored: string }
	/** Another document comes in its place. */
	| { readonly isLeft: true };
