import { HostError } from "../../base/errors.ts";
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import type { ConfigOrigin, ConfigSource } from "../../servers/definitions/config.ts";
import { inputsSetting, serversKey, serversSetting } from "../../servers/definitions/parseConfig.ts";
import type { JsonPath } from "../../base/configText.ts";
import { requireJson, valueAt } from "./jsonEdit.ts";

/** A text that holds servers and that can be written: a file, or settings as if they were one. */
export interface EditableConfiguration {
	readonly origin: ConfigOrigin;
	/** The current text; empty if there is none yet. */
	read(): Promise<string>;
	/** Whether there is a text at all: a file that is not there reads as an empty one. */
	exists(): Promise<boolean>;
	/**
	 * Writes the text, or deletes its file if it is undefined; resolves when the configuration can be read from it again.
	 * @throws HostError `invalid` if it cannot be written, such as a file with unsaved changes.
	 */
	write(text: string | undefined): Promise<void>;
}

/** The places of servers and their inputs in a text. */
export interface EntryPaths {
	readonly servers: JsonPath;
	readonly inputs: JsonPath;
}

/** The places of servers and inputs in a text; the default ones, if it has none. */
export function pathsOf({ kind }: ConfigOrigin, text: string): EntryPaths {
	if (isSettings(kind)) {
		// The settings of a workspace with several folders are within its file.
		const outer = kind === "workspace-settings" ? ["settings"] : [];
		return { servers: [...outer, serversSetting], inputs: [...outer, inputsSetting] };
	}
	const root = valueAt(text, []);
	const usual = kind === "dot-mcp-json" ? "mcpServers" : "servers";
	return { servers: [(isJsonObject(root) ? serversKey(kind, root) : undefined) ?? usual], inputs: ["inputs"] };
}

/** A text as a source of servers, to find the resulting definitions. */
export function sourceOf(origin: ConfigOrigin, text: string): ConfigSource {
	if (!isSettings(origin.kind)) return { origin, content: { text } };
	const { inputs } = pathsOf(origin, text);
	return { origin, content: { value: entriesOf(origin, text), inputs: valueAt(text, inputs) } };
}

/** The entries of a text by their names. */
export function entriesOf(origin: ConfigOrigin, text: string): JsonObject {
	const entries = valueAt(text, pathsOf(origin, text).servers);
	return isJsonObject(entries) ? entries : {};
}

/**
 * Refuses a text that cannot be edited.
 * @throws HostError `invalid` that names the place and says what to do.
 */
export function requireEditable(origin: ConfigOrigin, text: string): void {
	const { label } = origin;
	if (!isEditable(origin))
		throw new HostError(
			"invalid",
			`${label} belongs to another program, so MCP Host does not change it. Change it there.`,
		);
	try {
		requireJson(text);
	} catch (cause) {
		throw new HostError("invalid", `${label} is not valid JSON, so nothing was written. Fix it first.`, { cause });
	}
}

/** Whether servers of this kind are among VS Code's settings. */
export function isSettings(kind: ConfigOrigin["kind"]): boolean {
	return kind.endsWith("-settings");
}

/** Whether an origin's servers are written where MCP Host may write. */
export function isEditable({ kind }: ConfigOrigin): boolean {
	return kind !== "demo" && kind !== "followed";
}
