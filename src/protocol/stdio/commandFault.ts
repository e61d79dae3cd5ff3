import { isLauncher } from "./launchers.ts";

/**
 * Why a text is probably not the name or path of one program, and what to do about it: it is in quotes, which only a
 * shell removes, or it also holds arguments. Undefined if there is no objection.
 */
export function commandFault(
	command: string,
	hasArguments: boolean,
): { readonly what: string; readonly advice: string } | undefined {
	// The contents of a variable do not separate words.
	const text = command.trim().replace(/\$\{[^{}]*\}/g, "x");
	if (/^(["']).*\1/s.test(text))
		return {
			what: "is in quotes",
			advice: 'MCP Host does not use a shell: remove the quotes, and put each argument into "args".',
		};
	if (!holdsArguments(text, hasArguments)) return undefined;
	return { what: "contains arguments", advice: 'Keep only the program there, and put each argument into "args".' };
}

function holdsArguments(text: string, hasArguments: boolean): boolean {
	const [first = "", ...rest] = text.split(/\s+/);
	if (rest.length === 0) return false;
	if (isLauncher(first)) return true;
	// The path of a program may well hold blanks; then no word of it looks like an option, or like a path of its own.
	if (!/[\\/]/.test(first)) return true;
	return !hasArguments && rest.some((word) => /^-|^(?:[\\/]|[A-Za-z]:)/.test(word));
}
