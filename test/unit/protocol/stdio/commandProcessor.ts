/**
 * How Windows reads command lines: the part of its command processor that reads `^`, quotes and operators
 * (https://learn.microsoft.com/windows-server/administration/windows-commands/cmd, "Remarks"), and the one by which programs
 * take their arguments apart (https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments).
 */

/** A line as the command processor passes it on. Throws for an operator, which would start something else. */
export function afterProcessor(line: string): string {
	let result = "";
	let isQuoted = false;
	for (let index = 0; index < line.length; index++) {
		const sign = line[index] ?? "";
		if (sign === "^" && !isQuoted) result += line[++index] ?? "";
		else if (!isQuoted && /[&|<>()\r\n]/.test(sign)) throw new Error(`An operator at ${index}: ${line}`);
		else {
			if (sign === '"') isQuoted = !isQuoted;
			result += sign;
		}
	}
	return result;
}

/** The arguments that a program finds in its command line. */
export function argumentsIn(line: string): readonly string[] {
	const found: string[] = [];
	let word: string | undefined;
	let isQuoted = false;
	for (let index = 0; index < line.length; index++) {
		const slashes = /^\\*/.exec(line.slice(index))?.[0].length ?? 0;
		if (slashes > 0 && line[index + slashes] === '"') {
			word = (word ?? "") + "\\".repeat(slashes >> 1);
			index += slashes;
			if (slashes % 2 === 1) word += '"';
			else isQuoted = !isQuoted;
			continue;
		}
		const sign = line[index] ?? "";
		if (sign === '"') {
			isQuoted = !isQuoted;
			word ??= "";
		} else if (!isQuoted && /[ \t]/.test(sign)) {
			if (word !== undefined) found.push(word);
			word = undefined;
		} else word = (word ?? "") + sign;
	}
	return word === undefined ? found : [...found, word];
}
