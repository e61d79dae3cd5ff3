import type { RedirectReceiver } from "./authorization.ts";
import { AwaitedRedirect } from "./awaitedRedirect.ts";

/**
 * The ways back through the editor's one URI handler, which web and remote windows have in place of a port. Callbacks are
 * told apart by their state.
 */
export class EditorRedirects {
	private readonly open = new Set<AwaitedRedirect>();

	/** Awaits one callback, which the authorization server sends to `redirectUrl` and the editor hands on to `deliver`. */
	add(redirectUrl: string): RedirectReceiver {
		const awaited = new AwaitedRedirect();
		this.open.add(awaited);
		awaited.ended.addEventListener("abort", () => this.open.delete(awaited));
		return {
			redirectUrl,
			receive: (state, signal) => awaited.receive(state, signal),
			dispose: () => awaited.dispose(),
		};
	}

	/** Gives the query of a URI to whoever waits for it; false when nobody does. */
	async deliver(query: string): Promise<boolean> {
		// Some editors decode the query once before it comes here, and no parameter of a callback holds a blank.
		const parameters = new URLSearchParams(query.replaceAll("+", "%2B"));
		const offers = [...this.open].map((awaited) => awaited.offer(parameters));
		return (await Promise.all(offers)).includes(true);
	}
}
