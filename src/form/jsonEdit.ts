import type { DecisionSubject } from "../decisions/decision.ts";
import { acceptedInput, FormSession } from "./formSession.ts";

/** A JSON text for the person to edit, such as the arguments of a tool call. */
export interface JsonEditRequest {
	readonly subject: DecisionSubject;
	/** What is edited, in our words, such as `Edit the arguments of bookHotel`. */
	readonly heading: string;
	/** The schema to show beside the text. */
	readonly schemaText?: string;
	readonly initialText: string;
	/** The label of the button that hands the text back, such as `Run with These Arguments`. */
	readonly submitLabel: string;
	/** What is wrong with a text, as it is typed; empty when it may be submitted. Must not throw. */
	validate(text: string): Promise<readonly string[]>;
	/** Ends the edit, as when the turn that waits for it is cancelled. */
	readonly signal: AbortSignal;
}

/** Lets the person edit a JSON text. Undefined when they cancelled or closed the editor, or the signal was aborted. */
export type OpenJsonEditor = (request: JsonEditRequest) => Promise<string | undefined>;

/** The form of a JSON edit: one text, handed back exactly as it stands when it is submitted. */
export function jsonEditSession({ subject, heading, schemaText, ...request }: JsonEditRequest): FormSession {
	const session = new FormSession({
		subject,
		heading,
		body: { kind: "json", ...(schemaText === undefined ? {} : { schemaText }) },
		initial: { kind: "json", text: request.initialText },
		submitLabel: request.submitLabel,
		canDecline: false,
		async validate(input) {
			if (input.kind !== "json") return [];
			return (await request.validate(input.text)).map((message) => ({ message }));
		},
	});
	session.decision.lapseOn(request.signal);
	return session;
}

/** The text that a JSON edit ended with, or undefined when it ended without one. */
export async function editedText(session: FormSession): Promise<string | undefined> {
	const input = await acceptedInput(session);
	return input?.kind === "json" ? input.text : undefined;
}
