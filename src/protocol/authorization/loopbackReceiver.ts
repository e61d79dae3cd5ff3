import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { HostError, messageOf } from "../../base/errors.ts";
import type { RedirectReceiver } from "../authorization.ts";
import { makeRoom } from "../http/makeRoom.ts";
import { AwaitedRedirect } from "./awaitedRedirect.ts";

/** Options of `openLoopbackReceiver`. */
export interface LoopbackOptions {
	/** The port that the client was registered with; any free one by default. */
	readonly port?: number;
	/** How long it waits, in milliseconds; ten minutes by default. */
	readonly lifetimeMs?: number;
}

const path = "/callback";
/** How long answers may take after the wait has ended, in milliseconds. */
const graceMs = 2000;

/** How long a connection may take to send its request, in milliseconds; browsers open some in advance. */
const idleMs = 10_000;
/**
 * Listens on 127.0.0.1 for the one callback of a sign-in (RFC 8252, section 7.3). Every other request is refused, with
 * a page that repeats nothing of it (AUT-08, AUT-09); afterwards nothing listens any more.
 * @throws HostError `start-failed` when the port is unavailable.
 */
export async function openLoopbackReceiver(options: LoopbackOptions = {}): Promise<RedirectReceiver> {
	const awaited = new AwaitedRedirect(options.lifetimeMs);
	const server = createServer({ connectionsCheckingInterval: 1000, headersTimeout: idleMs, requestTimeout: idleMs });
	// Idle programs keep no browser away (AUT-08).
	makeRoom(server);
	try {
		await listen(server, options.port ?? 0);
	} catch (error) {
		awaited.dispose();
		throw failure(options.port, error);
	}
	// A connection that could not be accepted is ignored: the browser tries again, or the wait ends.
	server.on("error", () => undefined);
	const address = server.address();
	// For a socket that listens at a port.
	const port = typeof address === "object" && address !== null ? address.port : 0;
	server.on("request", (request, response) => void respond(request, response, awaited, port));
	awaited.ended.addEventListener("abort", () => {
		server.close();
		// The page may still be on its way to the browser.
		setTimeout(() => server.closeAllConnections(), graceMs).unref();
	});
	return {
		redirectUrl: `http://127.0.0.1:${port}${path}`,
		receive: (state, signal) => awaited.receive(state, signal),
		dispose: () => awaited.dispose(),
	};
}

async function respond(
	request: IncomingMessage,
	response: ServerResponse,
	awaited: AwaitedRedirect,
	port: number,
): Promise<void> {
	const { status, html } = await pageFor(request, awaited, port);
	// Each answer is the last on its connection, so that nothing keeps the server open.
	response.writeHead(status, { ...pageHeaders, connection: "close", "content-length": Buffer.byteLength(html) });
	response.end(html);
}

/** The page for one request, once it is known whether it is the awaited one. */
async function pageFor(request: IncomingMessage, awaited: AwaitedRedirect, port: number): Promise<Page> {
	const { url: target = "", method, headers } = request;
	const origin = `http://127.0.0.1:${port}`;
	// A page of another site that has its name point here sends that name along (DNS rebinding).
	if (headers.host !== `127.0.0.1:${port}`) return pages.forbidden;
	const url = URL.canParse(target, origin) ? new URL(target, origin) : undefined;
	if (url?.pathname !== path) return pages.notFound;
	if (method !== "GET") return pages.wrongMethod;
	if (!(await awaited.offer(url.searchParams))) return pages.notAwaited;
	return url.searchParams.has("error") ? pages.notCompleted : pages.done;
}

function listen(server: Server, port: number): Promise<void> {
	return new Promise((resolve, reject) => {
		server.once("error", reject);
		server.listen({ host: "127.0.0.1", port, exclusive: true }, () => {
			server.off("error", reject);
			resolve();
		});
	});
}

function failure(port: number | undefined, cause: unknown): HostError {
	if (port === undefined) {
		return new HostError("start-failed", `MCP Host cannot listen on any port of this machine: ${messageOf(cause)}`, {
			cause,
		});
	}
	const isTaken = cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE";
	const why = isTaken ? "is used by another program" : "is not available";
	return new HostError(
		"start-failed",
		`Port ${port} of this machine, to which the sign-in returns, ${why}. Free the port or change "redirectPort".`,
		{ cause },
	);
}

/**
 * The pages that the loopback receiver shows in the browser. Fixed texts: they never contain parts of a request
 * (AUT-09).
 */
interface Page {
	readonly status: number;
	readonly html: string;
}

const style = `
	body { font: 16px/1.5 system-ui, sans-serif; display: grid; place-content: center; min-height: 90vh; margin: 0 2rem; }
	h1 { font-size: 1.5rem; font-weight: 600; margin: 0 0 0.5rem; }
	p { margin: 0; max-width: 36rem; }
	:root { color-scheme: light dark; }
`;

/** The headers of every page: it may load nothing, run nothing and be framed by nobody. */
const pageHeaders = {
	"content-type": "text/html; charset=utf-8",
	"content-security-policy": [
		"default-src 'none'",
		`style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
	].join("; "),
	"x-content-type-options": "nosniff",
	// The address holds the code.
	"referrer-policy": "no-referrer",
	"cache-control": "no-store",
} as const;

/** All pages. */
export const pages = {
	done: page(200, "Back to VS Code", "You can close this window and return to VS Code."),
	notCompleted: page(200, "Not signed in", "Close this window and return to VS Code. It shows the reason."),
	notAwaited: page(400, "Nothing to do here", "VS Code is not waiting for this sign-in. Start it again in VS Code."),
	forbidden: page(403, "Nothing to do here", "This address is only for signing in with VS Code on this machine."),
	notFound: page(404, "Nothing to do here", "This address is only for signing in with VS Code."),
	wrongMethod: page(405, "Nothing to do here", "This address is only for signing in with VS Code."),
} satisfies Record<string, Page>;

function page(status: number, title: string, text: string): Page {
	const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>MCP Host</title>`;
	return {
		status,
		html: `<!doctype html><html lang="en"><head>${head}<style>${style}</style></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>`,
	};
}
