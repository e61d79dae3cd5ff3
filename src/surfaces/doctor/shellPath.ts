import { spawn } from "node:child_process";
import { homedir, userInfo } from "node:os";
import { isAbsolute } from "node:path";

/** How long a user's shell may take to start, in milliseconds: some load half a dozen managers of versions. */
const shellMs = 10_000;
/** How much a shell may say. */
const maxOutput = 256 * 1024;
const mark = "__mcp_host_path__";

/** Where a shell is looked for and its arguments. */
export interface ShellOptions {
	/** The absolute path of the shell; the account's own unless given. */
	readonly shell?: string;
	readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * The PATH of a terminal: as the start-up files of the user's login shell set it, which a terminal runs as well. It
 * runs because the user asked why a server does not start. Undefined on Windows, where processes share one PATH, and if
 * the shell does not answer in time. Rejects with the signal's reason only.
 */
export async function shellPath(
	{ shell, environment }: ShellOptions,
	signal: AbortSignal,
): Promise<string | undefined> {
	signal.throwIfAborted();
	if (process.platform === "win32") return undefined;
	const program = shell ?? ownShell(environment);
	if (program === undefined || !isAbsolute(program)) return undefined;
	// Those of csh take no -l beside another option.
	const flags = /(?:^|\/)t?csh$/.test(program) ? "-ic" : "-ilc";
	const output = await new Promise<string>((resolve) => {
		const child = spawn(program, [flags, `echo ${mark}; command env; echo ${mark}`], {
			env: environment,
			// Some start-up files act on the folder that they find themselves in, which might be the workspace.
			cwd: homedir(),
			stdio: ["ignore", "pipe", "ignore"],
			// A group of its own: processes of its start-up files end with it, and it takes no terminal of ours.
			detached: true,
		});
		let text = "";
		const end = (): void => {
			clearTimeout(timer);
			signal.removeEventListener("abort", end);
			try {
				if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
			} catch {
				// It has ended.
			}
			resolve(text);
		};
		const timer = setTimeout(end, shellMs);
		signal.addEventListener("abort", end, { once: true });
		child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
			text += chunk;
			if (text.length > maxOutput || text.split(`${mark}\n`).length > 2) end();
		});
		child.once("error", end);
		child.once("close", end);
	});
	signal.throwIfAborted();
	const said = output.split(`${mark}\n`)[1];
	return said
		?.split("\n")
		.find((line) => line.startsWith("PATH="))
		?.slice("PATH=".length);
}

function ownShell(environment: Readonly<Record<string, string | undefined>>): string | undefined {
	try {
		return userInfo().shell ?? environment["SHELL"];
	} catch {
		return environment["SHELL"];
	}
}
