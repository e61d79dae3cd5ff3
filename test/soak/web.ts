import { fork } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import type { News, Order } from "./server.ts";

/** The servers over HTTP, in a process of their own so that their sockets are not counted as the host's. */
export interface Web extends AsyncDisposable {
	readonly port: number;
	/** Resolves when it is done. */
	order(order: Order): Promise<void>;
}

/** Starts the servers over HTTP, with logs of the calls that they carry out. */
export async function startWeb(httpLog: string, sseLog: string): Promise<Web> {
	const child = fork(resolve(import.meta.dirname, "server.ts"), ["web", httpLog, sseLog], { execArgv: [] });
	const exit = once(child, "exit");
	const news = async (): Promise<News> => {
		const [answer] = await Promise.race([once(child, "message"), exit]);
		if (typeof answer === "object" && answer !== null) return answer as News;
		throw new Error(`The web servers ended with code ${String(answer)}.`);
	};
	const first = await news();
	if (first.kind !== "listening") throw new Error("The web servers did not say where they listen.");
	return {
		port: first.port,
		async order(order) {
			const done = news();
			child.send(order);
			await done;
		},
		async [Symbol.asyncDispose]() {
			child.disconnect();
			await exit;
		},
	};
}
