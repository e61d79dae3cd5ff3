import { win32 } from "node:path";
import { HostError } from "../../base/errors.ts";
import { findCommand, interpreterOf, searchPath, variableIn } from "./findCommand.ts";

/** A program of Windows with its arguments, ready to be started. */
export interface WindowsCommand {
	readonly command: string;
	readonly args: readonly string[];
	/** Whether the arguments are already as the program reads them. */
	readonly windowsVerbatimArguments: boolean;
}

/** The path of a program of Windows itself: a bare name would be looked for in the working directory first. */
export function systemProgram(name: string, environment: NodeJS.ProcessEnv = process.env): string {
	return win32.join(variableIn(environment, "SYSTEMROOT", "win32") ?? String.raw`C:\Windows`, "System32", name);
}

/** The longest line that the command processor takes, less its own options. */
const longestLine = 8100;

/** PowerShell, as every Windows has it. */
export const powershell = String.raw`WindowsPowerShell\v1.0\powershell.exe`;

/**
 * How a file is started on Windows, which itself runs programs only: a script by its interpreter, that of PowerShell by
 * PowerShell, and a batch file, such as the `npx.cmd` of npm, by the command processor.
 * @throws HostError `start-failed` for arguments that the command processor cannot take.
 */
export async function windowsCommand(
	file: string,
	args: readonly string[],
	cwd: string,
	environment: Readonly<Record<string, string>>,
): Promise<WindowsCommand> {
	const isKnown = /\.(?:exe|com|cmd|bat|ps1)$/i.test(file);
	const interpreter = isKnown ? undefined : await interpreterOf(file);
	const found = interpreter && (await findCommand(interpreter, cwd, searchPath(environment)));
	return found === undefined || found === "" ? commandOf(file, args) : commandOf(found, [file, ...args]);
}

/** The same for a file whose interpreter is known. */
export function commandOf(
	file: string,
	args: readonly string[],
	environment: NodeJS.ProcessEnv = process.env,
): WindowsCommand {
	if (/\.(?:exe|com)$/i.test(file)) return { command: file, args, windowsVerbatimArguments: false };
	if (/\.ps1$/i.test(file)) {
		const shell = systemProgram(powershell, environment);
		const options = ["-NoLogo", "-NoProfile", "-NonInteractive", "-File", file];
		return { command: shell, args: [...options, ...args], windowsVerbatimArguments: false };
	}
	const broken = args.findIndex((arg) => /[\r\n]/.test(arg));
	if (broken !== -1)
		throw new HostError(
			"start-failed",
			`Argument ${broken + 1} contains a line break, which batch files such as ${win32.basename(file)} cannot receive. Start the program itself instead.`,
		);
	const line = [escaped(win32.normalize(file)), ...args.map((arg) => escaped(escaped(quoted(arg))))].join(" ");
	if (line.length > longestLine)
		throw new HostError(
			"start-failed",
			`Its arguments are too long for a batch file such as ${win32.basename(file)}. Start the program itself instead.`,
		);
	const command = systemProgram("cmd.exe", environment);
	return { command, args: ["/d", "/s", "/c", `"${line}"`], windowsVerbatimArguments: true };
}

/** An argument in quotes, with its own quotes and the backslashes before them escaped as programs read them. */
function quoted(text: string): string {
	return `"${text.replace(/(?<!\\)(\\*)("|$)/g, (_whole, slashes: string, end: string) => slashes + slashes + (end && `\\"`))}"`;
}

/**
 * A text whose characters mean nothing to the command processor. Arguments are read twice: by the processor, and once
 * more when the batch file passes them on. Escaped quotes do not open a part in which other escapes would be literal.
 */
function escaped(text: string): string {
	return text.replace(/[()\][%!^"`<>&|;, *?]/g, "^$&");
}
