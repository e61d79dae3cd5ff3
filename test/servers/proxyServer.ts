import { createServer, request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import type { Duplex } from "node:stream";

/** A forward proxy on loopback that records its requests. */
export interface ProxyServer extends AsyncDisposable {
	readonly url: string;
	/** `CONNECT host:port`, or a method and an absolute address. */
	readonly asked: readonly string[];
}

/** Options of a proxy. */
export interface ProxyOptions {
	/** The answer to each CONNECT in place of a tunnel. */
	readonly refuseWith?: number;
	/** The required user and password, as `user:password`. */
	readonly credentials?: string;
	/** The target of every name, as in a network whose names only the proxy knows. */
	readonly resolveTo?: string;
	/** The port there for every tunnel; the requested one without it. */
	readonly resolveToPort?: number;
}

/** Starts a proxy that tunnels CONNECT and passes plain requests on. */
export async function startProxyServer(options: ProxyOptions = {}): Promise<ProxyServer> {
	const asked: string[] = [];
	const sockets = new Set<Duplex>();
	const isWelcome = ({ headers }: IncomingMessage): boolean =>
		options.credentials === undefined ||
		headers["proxy-authorization"] === `Basic ${Buffer.from(options.credentials).toString("base64")}`;

	const server = createServer((request: IncomingMessage, response: ServerResponse) => {
		asked.push(`${request.method} ${request.url}`);
		if (!isWelcome(request)) return void response.writeHead(407).end();
		const target = new URL(request.url ?? "");
		const { method, headers } = request;
		const passed = forward(
			{
				host: options.resolveTo ?? target.hostname,
				port: target.port,
				path: target.pathname + target.search,
				method,
				headers,
			},
			(answer) => {
				response.writeHead(answer.statusCode ?? 502, answer.headers);
				response.flushHeaders();
				answer.pipe(response);
			},
		);
		passed.on("error", () => response.destroy());
		response.on("close", () => passed.destroy());
		request.pipe(passed);
		return undefined;
	});
	server.on("connect", (request: IncomingMessage, client: Socket, head: Buffer) => {
		asked.push(`CONNECT ${request.url}`);
		sockets.add(client);
		client.on("error", () => undefined);
		const refusal = isWelcome(request) ? options.refuseWith : 407;
		if (refusal !== undefined) return void client.end(`HTTP/1.1 ${refusal} No\r\ncontent-length: 0\r\n\r\n`);
		const target = new URL(`http://${request.url}`);
		const far = connect(
			options.resolveToPort ?? Number(target.port || 80),
			options.resolveTo ?? target.hostname,
			() => {
				client.write("HTTP/1.1 200 Connection established\r\n\r\n");
				far.write(head);
				far.pipe(client).pipe(far);
			},
		);
		sockets.add(far);
		far.on("error", () => client.destroy());
		client.on("close", () => far.destroy());
		return undefined;
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		asked,
		async [Symbol.asyncDispose]() {
			for (const socket of sockets) socket.destroy();
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
