import { readFile, stat } from "node:fs/promises";
import { win32 } from "node:path";
import { isJsonObject } from "../../base/json.ts";
import { faultyPolicy, type MachinePolicy, parseMachinePolicy } from "./machinePolicy.ts";

/** Largest file that is read, in bytes. */
const maxBytes = 1_000_000;

/** The file in which an organization writes the policy of this machine; only administrators may write there. */
export function policyFileOf(
	platform: NodeJS.Platform = process.platform,
	environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
	if (platform === "darwin") return "/Library/Application Support/mcp-host/policy.json";
	if (platform !== "win32") return "/etc/mcp-host/policy.json";
	// Windows sets the variable for every process; its usual value replaces one that names no folder.
	const { ProgramData: folder = "" } = environment;
	return win32.join(win32.isAbsolute(folder) ? folder : String.raw`C:\ProgramData`, "mcp-host", "policy.json");
}

/**
 * Reads the policy of the machine; undefined if there is no such file. One that is there and cannot be read allows
 * nothing (REG-18). Never rejects.
 */
export async function readMachinePolicy(file: string): Promise<MachinePolicy | undefined> {
	try {
		const { size } = await stat(file);
		if (size > maxBytes) return faultyPolicy(file, `it has more than ${maxBytes.toLocaleString("en-US")} bytes`);
		const text = new TextDecoder("utf-8", { fatal: true }).decode(await readFile(file));
		return parseMachinePolicy(text, file);
	} catch (error) {
		const code: unknown = isJsonObject(error) ? error["code"] : undefined;
		if (code === "ENOENT") return undefined;
		const isEncoding = code === "ERR_ENCODING_INVALID_ENCODED_DATA";
		return faultyPolicy(file, isEncoding ? "it is not UTF-8 text" : `it cannot be opened (${String(code)})`);
	}
}
