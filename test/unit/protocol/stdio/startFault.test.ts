import { expect, it } from "vitest";
import { exitReason, folderFault, lostFolder, startFault } from "../../../../src/protocol/stdio/startFault.ts";

const withCode = (code: string): Error => Object.assign(new Error(`spawn ${code} hunter2`), { code });

/** The codes of libuv for errors of CreateProcess (https://learn.microsoft.com/windows/win32/debug/system-error-codes). */
it.each([
	["ERROR_FILE_NOT_FOUND", "ENOENT", "win32", ": it was not found, or not its interpreter"],
	["ERROR_ACCESS_DENIED and ERROR_ELEVATION_REQUIRED", "EACCES", "win32", ": permission was denied"],
	// 32,767 characters at most (https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-createprocessw).
	["ERROR_FILENAME_EXCED_RANGE", "ENAMETOOLONG", "win32", ": its arguments and environment are too long"],
	["ERROR_BAD_EXE_FORMAT", "EFTYPE", "win32", ": it is not a program for this system"],
	["an error without a name", "UNKNOWN", "win32", " (UNKNOWN)"],
	["ENOENT of other systems", "ENOENT", "linux", ": the interpreter named in its first line was not found"],
	["E2BIG of other systems", "E2BIG", "linux", ": its arguments and environment are too long"],
] as const)(
	"A program that cannot be started for %s is reported without its arguments",
	(_what, code, platform, words) => {
		expect(startFault(withCode(code), platform)).toBe(words);
	},
);

it("A network folder that VS Code does not open is named with the setting for it", () => {
	const folder = String.raw`\\server\share\app`;
	expect(folderFault(folder, withCode("ERR_UNC_HOST_NOT_ALLOWED"))).toBe(
		String.raw`VS Code does not allow access to the network folder \\server\share\app. Add its server to the setting security.allowedUNCHosts.`,
	);
	expect(folderFault(folder, withCode("ENOENT"))).toBe(
		String.raw`The working directory \\server\share\app is not a folder.`,
	);
});

it.each([
	[String.raw`C:\n\npx.cmd`, String.raw`\\server\share\app`, true],
	["server.BAT", "//server/share", true],
	[String.raw`C:\n\npx.cmd`, String.raw`\\?\UNC\server\share`, true],
	[String.raw`C:\n\node.exe`, String.raw`\\server\share\app`, false],
	[String.raw`C:\n\npx.cmd`, String.raw`C:\app`, false],
	[String.raw`C:\n\npx.cmd`, String.raw`\\?\C:\app`, false],
])("The file %s in the folder %s loses it: %s", (file, cwd, isLost) => {
	expect(lostFolder(file, cwd)?.startsWith("Batch files cannot run in the network folder") ?? false).toBe(isLost);
});

/** The codes are those of MS-ERREF, section 2.3.1, and of the command processor. */
it.each([
	[0, "exited with code 0"],
	[1, "exited with code 1"],
	[9009, "exited with code 9009 (command not found)"],
	[0xc0000005, "exited with code 3221225477 (it crashed)"],
	[0xc0000135, "exited with code 3221225781 (a DLL was not found)"],
	[127, "exited with code 127 (command not found)"],
	[null, "exited with code unknown"],
])("The exit code %s is reported with its meaning", (code, words) => {
	expect(exitReason(code)).toBe(words);
});
