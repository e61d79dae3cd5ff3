import type { Server } from "node:http";
import type { Socket } from "node:net";

/** More connections without a request are not kept open. */
const mostConnections = 20;

/**
 * Ends the oldest connection that sent no request when there are too many, so that idle programs keep nobody away. A
 * connection that sends one is answered.
 */
export function makeRoom(server: Server): void {
	const open = new Set<Socket>();
	server.on("connection", (socket: Socket) => {
		socket.once("close", () => open.delete(socket));
		open.add(socket);
		const [oldest] = open;
		if (open.size <= mostConnections || oldest === undefined) return;
		open.delete(oldest);
		oldest.destroy();
	});
	// A connection that sent a request waits for its own answer, not for others.
	server.on("request", ({ socket }) => open.delete(socket));
}
