import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { HostError, messageOf } from "../base/errors.ts";
import type { RedirectReceiver } from "./authorization.ts";
import { AwaitedRedirect } from "./awaitedRedirect.ts";
import { pageHeaders, pages, type Page } from "./receiverPages.ts";

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

/**
 * Listens on 127.0.0.1 for the one callback of a sign-in (RFC 8252, section 7.3). Whatever is not that callback is
 * refused, with a page that repeats nothing of it (security.md AUT-08, AUT-09); afterwards nothing listens any more.
 * @throws HostError `start-failed` when the port cannot be had.
 */
export async function openLoopbackReceiver(options: LoopbackOptions = {}): Promise<RedirectReceiver> {
	const awaited = new AwaitedRedirect(options.lifetimeMs);
	const server = createServer();
	server.maxConnections = 20;
	try {
		await listen(server, options.port ?? 0);
	} catch (error) {
		awaited.dispose();
		throw failure(options.port, error);
	}
	// A connection that could not be taken is one that did not come: the browser tries again, or the wait ends.
	server.on("error", () => undefined);
	const { port } = server.address() as AddressInfo;
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
		return new HostError("start-failed", `No port of this machine can be listened on: ${messageOf(cause)}`, { cause });
	}
	const isTaken = cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE";
	const why = isTaken ? "is used by another program" : "cannot be listened on";
	return new HostError(
		"start-failed",
		`Port ${port} of this machine, to which the sign-in has to come back, ${why}. Free it or change "redirectPort".`,
		{ cause },
	);
}
