import { describe, expect, it } from "vitest";
import { commandOf, systemProgram } from "../../../../src/protocol/stdio/windowsCommand.ts";
import { afterProcessor, argumentsIn } from "./commandProcessor.ts";

const environment = { SystemRoot: String.raw`C:\Windows` };
const npx = String.raw`C:\Program Files\nodejs\npx.cmd`;

/** The arguments that the program behind a batch file receives, which is started with `"program" %*` there. */
function received(file: string, args: readonly string[]): readonly string[] {
	const { command, args: given, windowsVerbatimArguments } = commandOf(file, args, environment);
	expect([command, windowsVerbatimArguments]).toEqual([String.raw`C:\Windows\System32\cmd.exe`, true]);
	expect(given.slice(0, 3)).toEqual(["/d", "/s", "/c"]);
	const line = given[3] ?? "";
	// With `/s`, the first and the last quote are taken away.
	expect(line.startsWith('"') && line.endsWith('"')).toBe(true);
	const first = afterProcessor(line.slice(1, -1));
	expect(first.startsWith(file)).toBe(true);
	return argumentsIn(afterProcessor(`"node.exe" "cli.js"${first.slice(file.length)}`)).slice(2);
}

describe("A batch file of Windows", () => {
	it.each([
		[["-y", "@scope/server@1.2.3"]],
		[["a b", "", " "]],
		[['{"a": "b & c"}', '"', '""', 'a"b&calc.exe&"c']],
		[["&", "|", "<", ">", "^", "^^", "(", ")", "&&calc"]],
		[["%PATH%", "%", "%%", "%*", "%1", "!x!", "100%"]],
		[["C:\\a b\\", "\\\\server\\share\\", 'a\\"b', "\\\\\\"]],
		[["Grüße", "日本語", "emoji 🎉", "a'b", "`id`", "$(id)"]],
		[["--flag=a,b;c", "[x]", "*.*", "?", "~", "@file"]],
	])("receives %j as they are, and starts nothing else", (args) => {
		expect(received(npx, args)).toEqual(args);
		expect(received(String.raw`C:\app\node_modules\.bin\server.cmd`, args)).toEqual(args);
	});

	it.each(['a"&calc.exe&"', 'x" ^& calc', '"%PATH%" | more'])("runs nothing out of the argument %j", (text) => {
		expect(received(npx, ["-y", text, "end"])).toEqual(["-y", text, "end"]);
	});

	it("is refused arguments that the command processor would cut off", () => {
		expect(() => commandOf(npx, ["a", "b\nc"], environment)).toThrow(
			"Argument 2 contains a line break, which batch files such as npx.cmd cannot receive.",
		);
		expect(() => commandOf(npx, ["x".repeat(9000)], environment)).toThrow(
			"Its arguments are too long for a batch file such as npx.cmd.",
		);
	});

	it("is named by its path with all signs that a folder may have", () => {
		const file = String.raw`C:\R&D (new)\100%\a^b\server.cmd`;
		expect(received(file, ["a"])).toEqual(["a"]);
	});
});

describe("A program of Windows", () => {
	it("is started as it is", () => {
		const file = String.raw`C:\a b\uvx.exe`;
		expect(commandOf(file, ["a&b"], environment)).toEqual({
			command: file,
			args: ["a&b"],
			windowsVerbatimArguments: false,
		});
	});

	it("that is a script of PowerShell is started by PowerShell, not by what opens such files", () => {
		const { command, args } = commandOf(String.raw`C:\a b\server.ps1`, ["x y"], environment);
		expect(command).toBe(String.raw`C:\Windows\System32\WindowsPowerShell\v1.0\powershell.exe`);
		expect(args.slice(-3)).toEqual(["-File", String.raw`C:\a b\server.ps1`, "x y"]);
	});

	it("of Windows itself has a path, so that none in the working directory is taken (CFG-15)", () => {
		expect(systemProgram("taskkill.exe", environment)).toBe(String.raw`C:\Windows\System32\taskkill.exe`);
		expect(systemProgram("taskkill.exe", {})).toBe(String.raw`C:\Windows\System32\taskkill.exe`);
	});
});
