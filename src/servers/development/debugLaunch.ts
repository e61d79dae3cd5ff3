import { HostError } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import type { DebugOptions, Launch } from "../../protocol/launch.ts";
import { programName } from "../../protocol/stdio/launchers.ts";

type StdioLaunch = Extract<Launch, { kind: "stdio" }>;

/** The one address that debuggers listen at: nobody else in the network reaches it. */
export const debugHost = "127.0.0.1";

/** The arguments that *Debug Server* puts before those of a server; for Python with `debugpyPath`, after that program. */
export function debugArguments({ type, debugpyPath }: DebugOptions, port: string): readonly string[] {
	if (type === "node") return [`--inspect=${debugHost}:${port}`];
	return [...(debugpyPath === undefined ? ["-m", "debugpy"] : [debugpyPath]), "--listen", `${debugHost}:${port}`];
}

/**
 * A launch with a debugger that listens at a port.
 * @throws HostError `invalid` where its command is not what the debugger is for.
 */
export function debugLaunch(launch: StdioLaunch, debug: DebugOptions, port: number): StdioLaunch {
	const [wanted, pattern] = debug.type === "node" ? ["node", /^node\d*$/i] : ["python", /^(?:python[\d.]*|py)$/i];
	if (!pattern.test(programName(launch.command)))
		throw new HostError(
			"invalid",
			`"dev.debug" of type "${debug.type}" needs the command ${wanted}, but the command is ${oneLine(launch.command, 80)}.`,
		);
	const [first = "", ...rest] = debugArguments(debug, String(port));
	// The program of debugpy brings its own interpreter.
	if (debug.debugpyPath !== undefined && debug.type === "debugpy")
		return { ...launch, command: first, args: [...rest, ...launch.args] };
	return { ...launch, args: [first, ...rest, ...launch.args] };
}
