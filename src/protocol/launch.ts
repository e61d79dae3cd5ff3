import type { OAuthConfig } from "./authorization.ts";

/** How a debugger attaches to a process: which one, and for Python where its program is, if not that of the interpreter. */
export type DebugOptions = {
	readonly type: "node" | "debugpy";
	readonly debugpyPath?: string;
};

/** How a server is really reached: every variable resolved. Holds secrets; never stored, logged or compared. */
export type Launch =
	| {
			readonly kind: "stdio";
			readonly command: string;
			readonly args: readonly string[];
			/**
			 * The variables that the definition declares, including its file once that was read; the base environment is
			 * added at spawn.
			 */
			readonly env: Readonly<Record<string, string>>;
			/** A file that is still to be read into `env`: it is read once, before a start. */
			readonly envFile: string | undefined;
			/** The folder in which that file must lie, for a server that a workspace defines. */
			readonly envFolder?: string;
			readonly cwd: string;
			/** The folders of a workspace that is not trusted: no program is looked for in them. */
			readonly closedFolders?: readonly string[];
			/** How a debugger can attach, where its entry says so; only a start for that opens a port. */
			readonly debug?: DebugOptions;
	  }
	| {
			readonly kind: "http" | "sse";
			readonly url: string;
			readonly headers: Readonly<Record<string, string>>;
			readonly oauth?: OAuthConfig;
	  };
