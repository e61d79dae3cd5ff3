import { isJsonObject, own } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { JsonPath } from "../../base/configText.ts";
import type { DebugOptions } from "../../protocol/launch.ts";

/** The options of an entry for the developer of the server: `dev`, in the form of VS Code. */
export interface DevOptions {
	/** Patterns of files below the server's folder; a change restarts it. */
	readonly watch?: readonly string[];
	/** How a debugger attaches; it changes what is started, so that it is part of what is approved. */
	readonly debug?: DebugOptions;
}

/** Takes what is wrong at a place below `dev`; the server stays in use without that part. */
type DevReport = (path: JsonPath, message: string) => void;

/** Most patterns, and the longest one in characters. */
const mostPatterns = 50;
const longestPattern = 500;

/** Reads `dev` of an entry; `ignoredFindings` is for *Check Server*, which reads it itself. Unreadable members are reported and left out. */
export function parseDev(value: unknown, report: DevReport): DevOptions {
	if (value === undefined || value === null) return {};
	if (!isJsonObject(value)) {
		report([], `"dev" must be an object.`);
		return {};
	}
	for (const key of Object.keys(value))
		if (!["watch", "debug", "ignoredFindings"].includes(key))
			report([key], `"${oneLine(key, 40)}" is not a known key of "dev" and is ignored.`);
	const watch = parseWatch(own(value, "watch"), report);
	const debug = parseDebug(own(value, "debug"), report);
	return { ...(watch === undefined ? {} : { watch }), ...(debug === undefined ? {} : { debug }) };
}

function parseWatch(value: unknown, report: DevReport): readonly string[] | undefined {
	if (value === undefined || value === null) return undefined;
	const patterns: readonly unknown[] = Array.isArray(value) ? value : [value];
	if (patterns.length > mostPatterns) report(["watch"], `Only the first ${mostPatterns} patterns of "watch" are used.`);
	const sound = patterns.slice(0, mostPatterns).flatMap((pattern, index) => {
		const fault = faultOf(pattern);
		if (fault !== undefined) report(Array.isArray(value) ? ["watch", index] : ["watch"], fault);
		return typeof pattern === "string" && fault === undefined ? [pattern.replace(/^\.\//, "")] : [];
	});
	return sound.length === 0 ? undefined : sound;
}

function faultOf(pattern: unknown): string | undefined {
	if (typeof pattern !== "string") return `"watch" must be a glob pattern or a list of glob patterns.`;
	if (pattern.trim() === "" || pattern.length > longestPattern)
		return `A pattern of "watch" must have 1 to ${longestPattern} characters.`;
	if (/^(?:[\\/]|[A-Za-z]:)|(?:^|[\\/])\.\.(?:[\\/]|$)/.test(pattern))
		return `A pattern of "watch" is relative to the folder of the server and cannot leave it.`;
	return undefined;
}

function parseDebug(value: unknown, report: DevReport): DebugOptions | undefined {
	if (value === undefined || value === null) return undefined;
	const type = isJsonObject(value) ? own(value, "type") : undefined;
	if (type !== "node" && type !== "debugpy") {
		report(["debug"], `"debug" must be an object with "type": "node" or "debugpy".`);
		return undefined;
	}
	const path = isJsonObject(value) ? own(value, "debugpyPath") : undefined;
	if (path === undefined || type === "node") return { type };
	if (typeof path === "string" && path !== "") return { type, debugpyPath: path };
	report(["debug", "debugpyPath"], `"debugpyPath" must be a string.`);
	return { type };
}
