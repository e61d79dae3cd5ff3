import { spawn } from "node:child_process";
import { once } from "node:events";
import { HostError, messageOf } from "../../base/errors.ts";
import { textOfBytes } from "../../base/fileText.ts";
import { OutputText } from "../../base/outputText.ts";
import { oneLine } from "../../base/text.ts";
import { endProcess } from "../../protocol/stdio/endProcess.ts";

/** How a command of the user's is run. */
export interface CommandRun {
	/** As the user typed it; the shell reads it. Nothing of a server's is ever part of it (PRM-04). */
	readonly command: string;
	readonly cwd: string;
	readonly env: NodeJS.ProcessEnv;
	readonly signal: AbortSignal;
	readonly limits?: CommandLimits;
}

/** The permissions of a command. */
export interface CommandLimits {
	/** In milliseconds. */
	readonly time: number;
	/** Bytes of its standard output. */
	readonly output: number;
}

export const commandLimits: CommandLimits = { time: 60_000, output: 1_000_000 };

/** How much of the standard error of a failed command is shown, in characters. */
const tailLimit = 300;

/**
 * Runs a command in the system's shell and returns its exact standard output. The command gets no input, and all its
 * descendants end with it. Rejects with a HostError: `cancelled`, `timeout`, `limit` when it wrote too much, `invalid`
 * when it could not be run or failed, with its exit code and the end of its standard error.
 */
export async function outputOf({ command, cwd, env, signal, limits = commandLimits }: CommandRun): Promise<string> {
	signal.throwIfAborted();
	const isPosix = process.platform !== "win32";
	// A group of its own, so that its descendants can be ended with it.
	const child = spawn(command, { shell: true, cwd, env, detached: isPosix, windowsHide: true, stdio: "pipe" });
	child.stdin.on("error", () => undefined).end();
	const chunks: Buffer[] = [];
	let size = 0;
	let errors = "";
	const failure = Promise.withResolvers<never>();
	const fail = (error: unknown): void => failure.reject(error);
	const onAbort = (): void => fail(signal.reason);
	signal.addEventListener("abort", onAbort, { once: true });
	const tooLate = `The command did not end within ${limits.time / 1000} seconds and was stopped.`;
	const timer = setTimeout(() => fail(new HostError("timeout", tooLate)), limits.time);
	child.stdout.on("data", (chunk: Buffer) => {
		size += chunk.length;
		if (size <= limits.output) chunks.push(chunk);
		else fail(new HostError("limit", `The command wrote more than ${limits.output / 1000} KB and was stopped.`));
	});
	const stderr = new OutputText();
	child.stderr.on("data", (chunk: Buffer) => {
		errors = (errors + stderr.read(chunk)).slice(-10 * tailLimit);
	});
	try {
		const [code, killedBy]: unknown[] = await Promise.race([once(child, "close"), failure.promise]);
		if (code !== 0)
			throw failed(
				typeof code === "number" ? `failed with exit code ${code}` : `was killed by ${String(killedBy)}`,
				errors,
			);
		return textOfBytes(Buffer.concat(chunks));
	} catch (error) {
		if (HostError.is(error)) throw error;
		throw new HostError("invalid", `The command could not be run. ${oneLine(messageOf(error))}`, { cause: error });
	} finally {
		clearTimeout(timer);
		signal.removeEventListener("abort", onAbort);
		await endProcess(child);
	}
}

function failed(how: string, errors: string): HostError {
	const tail = errors.trim().slice(-tailLimit);
	return new HostError("invalid", `The command ${how}${tail === "" ? "." : `: ${oneLine(tail, tailLimit)}`}`);
}

/** The environment of a command: that of VS Code, without variables that make programs behave as a part of it. */
export function cleanEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
	return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:ELECTRON_|VSCODE_)/i.test(name)));
}
