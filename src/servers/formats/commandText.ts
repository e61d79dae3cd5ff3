import { commandFault } from "../../protocol/stdio/commandFault.ts";
import { isLauncher } from "../../protocol/stdio/launchers.ts";
import { readShell } from "./shellWords.ts";

/** The words and variables of an entry's command text, or why it is not a command. */
type CommandReading =
	| {
			readonly words: readonly string[];
			readonly environment: Readonly<Record<string, string>>;
			readonly remarks: readonly string[];
	  }
	| { readonly reason: string };

/** A program of Windows by its path, which may contain blanks, and the text after it. */
const windowsProgram =
	/^(["']?)((?:[A-Za-z]:[\\/]|\\\\|\.{1,2}\\)[^"'<>|*?]{1,1000}?\.(?:exe|cmd|bat|ps1))\1(?:\s+(\S.*))?$/is;

/**
 * Reads a command that includes its arguments, or is in quotes, if it has one reading: words are split as by a shell,
 * with nothing expanded and nothing run. Undefined for text that is, or may be, the name or path of a program.
 */
export function readCommandText(text: string, hasArguments: boolean): CommandReading | undefined {
	const fault = commandFault(text, hasArguments);
	if (fault === undefined) return undefined;
	const [, , program, rest = ""] = windowsProgram.exec(text.trim()) ?? [];
	const remark = `Its command ${fault.what}; it was split as a shell would split it.`;
	const [line, ...more] = readShell(program === undefined ? text : rest);
	if (program !== undefined && line === undefined) return { words: [program], environment: {}, remarks: [remark] };
	if (line === undefined || more.length > 0) return { reason: "Its command has more than one line." };
	if ("refusal" in line) return { reason: `Its command is not one program with its arguments: ${line.refusal}.` };
	const { environment, remarks } = line;
	const words = program === undefined ? line.words : [program, ...line.words];
	const [first = "", second = ""] = words;
	const isQuoted = /^["']/.test(text.trim());
	// The path of a program may hold blanks: then only an option right behind it says where it ends.
	const isOpen = /[\\/]/.test(first) && !isLauncher(first) && !second.startsWith("-");
	if (program === undefined && !isQuoted && isOpen) return undefined;
	return { words, environment, remarks: [remark, ...remarks] };
}
