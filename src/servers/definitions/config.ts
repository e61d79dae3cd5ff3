import type { OAuthConfig } from "../../protocol/authorization.ts";
import type { JsonObject } from "../../base/json.ts";
import type { RootsRule } from "./rootsRule.ts";
import type { DebugOptions } from "../../protocol/launch.ts";
import type { ProtocolMode } from "../../protocol/connection.ts";

/** The unique id of a configured server: its origin and its name, such as `user-settings:#travel`. */
export type ServerId = string & { readonly brand?: "ServerId" };

/** How a server is reached. Texts may hold variables such as `${workspaceFolder}`, resolved only at start. */
export type ServerConfig =
	| {
			readonly kind: "stdio";
			readonly command: string;
			readonly args: readonly string[];
			readonly env: Readonly<Record<string, string>>;
			readonly envFile?: string;
			readonly cwd?: string;
			readonly protocol: ProtocolMode;
			/** How a debugger attaches; part of what is approved, since *Debug Server* starts it with more arguments. */
			readonly debug?: DebugOptions;
	  }
	| {
			readonly kind: "http" | "sse";
			readonly url: string;
			readonly headers: Readonly<Record<string, string>>;
			readonly protocol: ProtocolMode;
			/** How to sign in, if the server's own metadata is incomplete (specification, "Authorization"). */
			readonly oauth?: OAuthConfig;
	  };

/** Where a definition was written. */
export interface ConfigOrigin {
	readonly kind:
		| "user-settings"
		| "workspace-settings"
		| "folder-settings"
		| "mcp-json"
		| "dot-mcp-json"
		| "followed"
		| "demo";
	/** The display name of the place, such as `.vscode/mcp.json in ws1` or `User Settings`. */
	readonly label: string;
	/** The absolute path of the file, of another host for `followed`; absent for user settings and the demo. */
	readonly file?: string;
	/** The absolute path of the workspace folder that it belongs to; absent for the user's own servers. */
	readonly folder?: string;
	/** Whether a workspace wrote it, so that workspace trust is needed to start it. */
	readonly isWorkspace: boolean;
}

/** A value that a definition asks the user for, written `${input:id}`. */
export interface InputDefinition {
	readonly id: string;
	readonly description: string;
	readonly isPassword: boolean;
	readonly defaultValue?: string;
	/** The values to choose from; absent for free text. */
	readonly options?: readonly string[];
}

/** One server as configured: comparable, and never holding a resolved secret. */
export interface ServerDefinition {
	readonly id: ServerId;
	/** The configured name; users and models see it. */
	readonly name: string;
	readonly config: ServerConfig;
	readonly origin: ConfigOrigin;
	readonly inputs: readonly InputDefinition[];
	/**
	 * The roots in the workspace that it may know, if the entry names them. Not part of `hash`, because a change restarts
	 * nothing.
	 */
	readonly roots?: RootsRule;
	/**
	 * The folders that variables such as `${workspaceFolder}` refer to here, if other open folders would change their
	 * meaning. For users, and for the approval: it applies to these folders only, in a trusted workspace.
	 */
	readonly place?: string;
	/** The files below its folder whose change restarts it; not part of `hash`, since what would start is the same. */
	readonly watch?: readonly string[];
	/** Its entry says `disabled`; not part of `hash`, since what would start is the same. */
	readonly isOff?: true;
	/** Its entry asks for a sandbox, which it does not get (CFG-30); not part of `hash`, since it runs all the same. */
	readonly wantsSandbox?: true;
	/** Changes whenever anything that is started, sent or read from would change (CFG-02). */
	readonly hash: string;
}

/** Something wrong in a configuration, at a place in it. The rest of the configuration stays in use. */
export interface ConfigProblem {
	readonly origin: ConfigOrigin;
	/** The path of keys to the faulty value, such as `["servers", "weather", "args"]`. */
	readonly path: readonly (string | number)[];
	/** Offset and length in the file's text, in UTF-16 units, where the text is known. */
	readonly range?: { readonly offset: number; readonly length: number };
	readonly message: string;
	readonly severity: "error" | "warning";
	/** The name of the server whose entry is faulty, if the fault is in one. */
	readonly server?: string;
	/** The server is left out because a policy of an organization does not allow it. */
	readonly isByPolicy?: true;
}

/** The contents of one source: the valid entries, and the problems of the others. */
export interface ParsedConfig {
	readonly definitions: readonly ServerDefinition[];
	readonly problems: readonly ConfigProblem[];
	/** False when the text is broken, as while a user edits it, so that entries may be missing. */
	readonly isIntact: boolean;
}

/** A raw configuration before parsing: one settings scope or one file. */
export interface RawSource {
	readonly origin: ConfigOrigin;
	/** The file's text (JSON with comments), or the already parsed value of a setting, and of that of the inputs beside it. */
	readonly content: { readonly text: string } | { readonly value: JsonObject; readonly inputs?: unknown };
}

/** A raw configuration, or the translation of another host's file. */
export type ConfigSource = RawSource | { readonly origin: ConfigOrigin; readonly parsed: ParsedConfig };
