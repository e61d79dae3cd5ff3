import type { Session } from "../../servers/sessions/session.ts";

/** Resolves when the lists of a server that runs have been read, as far as that goes, or when the signal is aborted. */
export async function settled(session: Session, signal: AbortSignal): Promise<void> {
	for (const list of [session.tools, session.prompts, session.resources, session.resourceTemplates]) {
		if (list.status.kind !== "loading") continue;
		await new Promise<void>((resolve) => {
			const done = (): void => {
				if (list.status.kind === "loading" && !signal.aborted) return;
				subscription.dispose();
				resolve();
			};
			const subscription = list.onDidChange(done);
			signal.addEventListener("abort", done, { once: true });
			done();
		});
	}
}
