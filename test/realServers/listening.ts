import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { startProcess } from "../../src/protocol/stdio/childProcess.ts";
import { endProcess } from "../../src/protocol/stdio/endProcess.ts";

/** How long a server may take until it listens, in milliseconds, and how often it is tried. */
const patienceMs = 60_000;
const tryMs = 50;

/** The command and environment of a server. */
export interface Listening {
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
	readonly folder: string;
	readonly port: number;
}

/**
 * Starts a script that listens on a port of this machine, and waits until it does. The process and all that it started
 * end with the returned object.
 * @throws Error with what it wrote when it ends or does not listen in time.
 */
export async function startListening({ args, env, folder, port }: Listening): Promise<AsyncDisposable> {
	const child = await startProcess({
		kind: "stdio",
		command: process.execPath,
		args,
		env,
		envFile: undefined,
		cwd: folder,
	});
	let said = "";
	const keep = (data: Buffer): void => void (said = (said + data.toString()).slice(-2000));
	child.stdout.on("data", keep);
	child.stderr.on("data", keep);
	const server: AsyncDisposable = { [Symbol.asyncDispose]: async () => void (await endProcess(child)) };
	const end = performance.now() + patienceMs;
	while (!(await listens(port))) {
		if (child.exitCode === null && performance.now() < end) {
			await setTimeout(tryMs);
			continue;
		}
		await server[Symbol.asyncDispose]();
		throw new Error(`It does not listen: ${said}`);
	}
	return server;
}

async function listens(port: number): Promise<boolean> {
	const socket = connect(port, "localhost");
	try {
		await once(socket, "connect");
		return true;
	} catch {
		return false;
	} finally {
		socket.destroy();
	}
}
