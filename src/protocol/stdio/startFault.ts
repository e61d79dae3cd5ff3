import { oneLine } from "../../base/text.ts";
import { codeOf } from "../../base/errors.ts";

/** Why a process could not be made. Only the code: Node's message may repeat an argument, which may be a secret. */
export function startFault(error: unknown, platform: NodeJS.Platform = process.platform): string {
	const code = codeOf(error);
	switch (code ?? "") {
		case "ERR_INVALID_ARG_VALUE":
			return ": an argument or an environment variable contains a NUL character";
		case "EACCES":
			return ": permission was denied";
		case "ENOENT":
			return platform === "win32"
				? ": it was not found, or not its interpreter"
				: ": the interpreter named in its first line was not found";
		case "E2BIG":
		case "ENAMETOOLONG":
			return ": its arguments and environment are too long";
		case "EFTYPE":
			return ": it is not a program for this system";
		default:
			return code === undefined ? "" : ` (${code})`;
	}
}

/** Why a folder cannot be the working directory, after a look at it that failed, or found no folder. */
export function folderFault(folder: string, error: unknown): string {
	// VS Code on Windows opens files only of the servers that the user allowed.
	return codeOf(error) === "ERR_UNC_HOST_NOT_ALLOWED"
		? `VS Code does not allow access to the network folder ${folder}. Add its server to the setting security.allowedUNCHosts.`
		: `The working directory ${folder} is not a folder.`;
}

/**
 * A warning for a batch file in a network folder, undefined for others: the command processor of Windows starts in the folder of Windows
 * instead (https://learn.microsoft.com/troubleshoot/windows-client/networking/cmd-unc-path-error).
 */
export function lostFolder(file: string, cwd: string): string | undefined {
	if (!/\.(?:cmd|bat)$/i.test(file) || !/^[\\/]{2}(?![?.][\\/][A-Za-z]:)/.test(cwd)) return undefined;
	return `Batch files cannot run in the network folder ${oneLine(cwd, 300)}: this server runs in the Windows folder instead. Map the folder to a drive letter.`;
}

/** Codes with a meaning of their own: those of shells, then of Windows (MS-ERREF, "NTSTATUS Values"). */
const meanings: Readonly<Record<number, string>> = {
	126: "permission denied",
	127: "command not found",
	9009: "command not found",
	0xc0000005: "it crashed",
	0xc0000135: "a DLL was not found",
	0xc0000139: "a DLL does not fit",
	0xc0000142: "a DLL could not be initialized",
};

/** How a process ended by its exit code; the codes of shells and systems are meaningless to most users. */
export function exitReason(code: number | null): string {
	const meaning = code === null ? undefined : meanings[code];
	return `exited with code ${code ?? "unknown"}${meaning === undefined ? "" : ` (${meaning})`}`;
}
