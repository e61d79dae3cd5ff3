import type { RedirectReceiver } from "../authorization.ts";
import { AwaitedRedirect } from "./awaitedRedirect.ts";

/**
 * The redirects through VS Code's URI handler, which web and remote windows use instead of a port. Callbacks are
 * distinguished by their state.
 */
export class EditorRedirects {
	private readonly open = new Set<AwaitedRedirect>();

	/** Awaits one callback, which the authorization server sends to `redirectUrl` and VS Code passes on to `deliver`. */
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

	/** Passes the query of a URI to the receiver that waits for it; false when there is none. */
	async deliver(query: string): Promise<boolean> {
		// Some editors decode the query once before this handler receives it, and no parameter of a callback holds a blank.
		const parameters = new URLSearchParams(query.replaceAll("+", "%2B"));
		const offers = [...this.open].map((awaited) => awaited.offer(parameters));
		return (await Promise.all(offers)).includes(true);
	}
}

/** The hosts whose addresses VS Code forwards when it opens them, if its browser runs on another machine. */
const forwarded = new Set(["localhost", "127.0.0.1", "0.0.0.0", "[::1]"]);

/** Whether an address is on the machine of the extension, so that VS Code may have to forward it. */
export function isForwarded(href: string): boolean {
	const { protocol, hostname } = new URL(href);
	return /^https?:$/.test(protocol) && forwarded.has(hostname);
}

/**
 * The address under which the user's browser reaches an address of a server's: different only if that is on the machine
 * of the extension. `asExternal` is VS Code's result for an origin there: a forwarded port, or a path behind a proxy.
 * Path and query stay exactly unchanged: VS Code itself would decode a redirect inside of the query.
 */
export async function browserAddress(
	href: string,
	asExternal: (origin: string) => PromiseLike<string>,
): Promise<string> {
	const url = new URL(href);
	if (!isForwarded(href)) return href;
	const base = new URL(await asExternal(`${url.origin}/`));
	if (base.origin === url.origin) return href;
	return `${base.origin}${base.pathname.replace(/\/$/, "")}${url.pathname}${url.search}${url.hash}`;
}
