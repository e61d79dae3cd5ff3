import type { ConfigOrigin, ServerConfig, ServerDefinition } from "../../../src/servers/definitions/config.ts";
import { define } from "../../../src/servers/definitions/parseConfig.ts";
import type { KeyValue, Secrets } from "../../../src/base/storage.ts";

/** A workspace folder's mcp.json. */
export const workspaceOrigin: ConfigOrigin = {
	kind: "mcp-json",
	label: ".vscode/mcp.json in ws",
	file: "/ws/.vscode/mcp.json",
	folder: "/ws",
	isWorkspace: true,
};

/** The user's own settings. */
export const userOrigin: ConfigOrigin = { kind: "user-settings", label: "User Settings", isWorkspace: false };

type StdioConfig = Extract<ServerConfig, { kind: "stdio" }>;

/** A local server's configuration. */
export function stdioConfig(changes: Partial<StdioConfig> = {}): StdioConfig {
	return { kind: "stdio", command: "node", args: ["server.js"], env: {}, protocol: "auto", ...changes };
}

/** An unapproved definition of the user's own. */
export function definition(
	name = "travel",
	config: ServerConfig = stdioConfig(),
	origin = userOrigin,
): ServerDefinition {
	return define(name, config, origin);
}

/** A store that keeps JSON values, like the editor's. */
export class MemoryStore implements KeyValue {
	readonly values = new Map<string, string>();

	// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the signature of KeyValue
	get<T>(key: string): T | undefined {
		const text = this.values.get(key);
		return text === undefined ? undefined : (JSON.parse(text) as T);
	}

	update(key: string, value: unknown): Promise<void> {
		if (value === undefined) this.values.delete(key);
		else this.values.set(key, JSON.stringify(value));
		return Promise.resolve();
	}
}

/** A key store in memory. */
export class MemorySecrets implements Secrets {
	readonly values = new Map<string, string>();

	get(key: string): Promise<string | undefined> {
		return Promise.resolve(this.values.get(key));
	}

	store(key: string, value: string): Promise<void> {
		this.values.set(key, value);
		return Promise.resolve();
	}

	delete(key: string): Promise<void> {
		this.values.delete(key);
		return Promise.resolve();
	}

	keys(): Promise<readonly string[]> {
		return Promise.resolve([...this.values.keys()]);
	}
}
