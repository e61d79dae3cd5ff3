import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** Answers by `METHOD /path?query`; a function receives the sent body. Other requests are answered 404. */
export type Routes = Readonly<Record<string, object | ((body: unknown) => object)>>;

/** A server of JSON on loopback, with its requests. */
export interface JsonServer extends AsyncDisposable {
	readonly origin: string;
	readonly asked: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[];
}

/** Starts a server for as long as it is used. */
export async function startJsonServer(routes: Routes): Promise<JsonServer> {
	const asked: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on("data", (chunk: Buffer) => chunks.push(chunk));
		request.on("end", () => {
			const path = `${request.method} ${request.url}`;
			asked.push({ path, headers: request.headers });
			const route = routes[path];
			const text = Buffer.concat(chunks).toString();
			const answer = typeof route === "function" ? route(text === "" ? undefined : JSON.parse(text)) : route;
			response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
			response.end(JSON.stringify(answer ?? { error: "not here" }));
		});
	});
	await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
	return {
		origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		asked,
		[Symbol.asyncDispose]: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => void server.close(resolve));
		},
	};
}
