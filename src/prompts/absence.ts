import { oneLine } from "../base/text.ts";
import type { SessionDirectory } from "../servers/session.ts";
import { runningSessions } from "./catalog.ts";

/** Why there is no prompt to choose from, and what helps. */
export interface Absence {
	readonly message: string;
	readonly remedies: readonly Remedy[];
}

/** A button under the message. */
export type Remedy =
	| { readonly kind: "demo"; readonly title: "Try the Demo Server" }
	| { readonly kind: "start"; readonly title: "Start Server" }
	| { readonly kind: "log"; readonly title: "Show Log"; readonly server: string };

const demo: Remedy = { kind: "demo", title: "Try the Demo Server" };
const start: Remedy = { kind: "start", title: "Start Server" };

/** Whether prompts may still appear by themselves: a server is starting or a list is being read. */
export function isSettling(directory: SessionDirectory): boolean {
	return directory.sessions.some(
		({ state, prompts }) => state.kind === "starting" || prompts.status.kind === "loading",
	);
}

/** Explains a list of prompts that is empty, once nothing is settling any more. */
export function explainAbsence(directory: SessionDirectory): Absence {
	const { sessions } = directory;
	const running = runningSessions(directory);
	const starts = running.length < sessions.length ? [start] : [];
	const demos = sessions.some(({ definition }) => definition.origin.kind === "demo") ? [] : [demo];
	if (sessions.length === 0) return { message: "No MCP server is configured.", remedies: demos };
	if (running.length === 0) return { message: "No MCP server is running.", remedies: [...starts, ...demos] };
	for (const { definition, prompts } of running) {
		if (prompts.status.kind !== "failed") continue;
		return {
			message: `The prompts of "${oneLine(definition.name)}" could not be read. ${oneLine(prompts.status.message, 500)}`,
			remedies: [{ kind: "log", title: "Show Log", server: definition.id }, ...starts],
		};
	}
	return { message: "None of the running servers offers prompts.", remedies: [...starts, ...demos] };
}
