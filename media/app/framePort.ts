import type { FrameEvent } from "../../src/features/apps/appProtocol.ts";

/** The member of a frame's one message that contains the port of its document. */
export const portMessage = "mcpHostPort";

/** The page's messages to the document that it put into a frame, which a later document never receives. */
export type ToDocument =
	/** A message of the frame arrived: is the document still there? */
	| { readonly ask: number }
	/** A message for the app. */
	| { readonly message: unknown };

/** The messages of that document. */
export type FromDocument =
	| { readonly here: number }
	| { readonly kind: FrameEvent; readonly text: string }
	| { readonly stored: string }
	/** Another document replaces it. */
	| { readonly isLeft: true };
