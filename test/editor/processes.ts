import { spawn } from "node:child_process";

/** How a finished command ended and everything it printed. */
export interface CommandResult {
	readonly code: number;
	readonly output: string;
}

/** Options of `runCommand`. */
export interface CommandOptions {
	readonly cwd?: string;
	readonly env?: NodeJS.ProcessEnv;
	readonly timeout?: number;
}

/** Runs a command to its end and collects stdout and stderr; a command that cannot start ends with code 127. */
export function runCommand(
	command: string,
	args: readonly string[],
	options: CommandOptions = {},
): Promise<CommandResult> {
	const { promise, resolve } = Promise.withResolvers<CommandResult>();
	const child = spawn(command, args, {
		...(options.cwd === undefined ? {} : { cwd: options.cwd }),
		env: options.env ?? process.env,
		stdio: ["ignore", "pipe", "pipe"],
		...(options.timeout === undefined ? {} : { timeout: options.timeout }),
		// npm is a .cmd file on Windows, which only a shell can start.
		shell: process.platform === "win32" && command === "npm",
	});
	let output = "";
	const collect = (chunk: Buffer): void => {
		output += chunk.toString();
	};
	child.stdout.on("data", collect);
	child.stderr.on("data", collect);
	child.on("error", (error) => resolve({ code: 127, output: `${output}${error.message}` }));
	child.on("close", (code) => resolve({ code: code ?? 1, output }));
	return promise;
}

/**
 * The environment for an `npm install` elsewhere: variables that the surrounding `npm run` added about this package
 * would otherwise redirect the install into this repository.
 */
export function foreignNpmEnvironment(): NodeJS.ProcessEnv {
	const inherited =
		/^(npm_(lifecycle|package|command|execpath|node_execpath)|npm_config_(local_|global_)?prefix|INIT_CWD)/;
	return Object.fromEntries(Object.entries(process.env).filter(([name]) => !inherited.test(name)));
}

/** The last lines of a long output. */
export function tail(output: string, lines: number): string {
	return output.trimEnd().split("\n").slice(-lines).join("\n");
}

/** Waits until `isTrue` holds; rejects with `what` after `timeout` milliseconds. */
export async function waitUntil(
	what: string,
	isTrue: () => Promise<boolean> | boolean,
	timeout: number,
): Promise<void> {
	const deadline = Date.now() + timeout;
	while (!(await isTrue())) {
		if (Date.now() > deadline) {
			throw new Error(`${what} did not happen within ${timeout / 1000} s`);
		}
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}
