import type { JsonObject } from "../../base/json.ts";
import type { Launch } from "../../protocol/launch.ts";

type StdioLaunch = Extract<Launch, { kind: "stdio" }>;
/** How a server over HTTP is reached. */
export type HttpLaunch = Exclude<Launch, { kind: "stdio" }>;

/** A program that was found, and its own output. */
export interface FoundProgram {
	/** Its absolute path. */
	readonly path: string;
	/** Its answer to the question for its version; undefined if it was not asked or does not answer. */
	readonly version: string | undefined;
}

/** The metadata about a sign-in at a server. */
export interface SignInFacts {
	/** Who gives out the tokens. */
	readonly issuer?: string;
	/** Whether clients may register automatically, so that nothing has to be configured. */
	readonly registers: boolean;
	/** The obstacle to a sign-in. */
	readonly problem?: string;
	/** Whether the server has metadata about itself (RFC 9728), and whether they name an authorization server. */
	readonly hasResourceMetadata?: boolean;
	readonly namesServer?: boolean;
	/** Documents that were read without the parts that have a wrong format, in a sentence each. */
	readonly tolerated?: readonly string[];
}

/** One HTTP request to the address of a server. Its headers are added to the configured ones. */
export interface HttpQuestion {
	readonly method?: "POST" | "GET" | "DELETE";
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string;
}

/** The answer to an HTTP request, or why there is none. All of it is untrusted. */
export type HttpAnswer =
	| {
			readonly status: number;
			/** Its media type, in lower case. */
			readonly type: string;
			/** The session that it names. */
			readonly session?: string;
			/** Its first message of JSON-RPC that is an answer. */
			readonly message?: JsonObject;
			/** Whether it says which sign-in it asks for. */
			readonly isChallenged: boolean;
			/** For 401: what the server publishes about signing in. */
			readonly signIn?: SignInFacts;
	  }
	| { readonly fault: string };

/** The answer at an address. */
export type DialResult =
	/** It speaks the protocol. */
	| { readonly kind: "mcp"; readonly milliseconds: number }
	/** Only by the transport of 2024-11-05. */
	| { readonly kind: "sse" }
	| { readonly kind: "fault"; readonly message: string; readonly certificate?: string }
	| { readonly kind: "redirect"; readonly status: number; readonly to: string; readonly isOtherHost: boolean }
	/** `words` are sentences to be put behind ours: why, and how long to wait, as `responseWords` gives them. */
	| {
			readonly kind: "unauthorized";
			readonly signIn: SignInFacts | undefined;
			readonly sentHeader: boolean;
			readonly words: string;
	  }
	| { readonly kind: "page"; readonly title: string | undefined; readonly better: string | undefined }
	| { readonly kind: "status"; readonly status: number; readonly text: string; readonly words: string }
	| { readonly kind: "foreign"; readonly type: string; readonly text: string };

/** How the doctor looks at the machine and the network. Each ends early, with the signal's reason, when it is aborted. */
export interface Probes {
	/** The PATH that a process of this launch gets. Rejects where its environment cannot be made. */
	path(launch: StdioLaunch): Promise<string>;
	/** The program that a command names on a PATH. */
	find(command: string, launch: StdioLaunch, path: string): Promise<string | undefined>;
	/** The kind of a file: absent, not a file, not executable, or a program. */
	standing(path: string): Promise<"missing" | "folder" | "not-executable" | "program">;
	/** A program's answer to `--version`, in one line; undefined if it does not answer in time. */
	version(program: string, launch: StdioLaunch, path: string, signal: AbortSignal): Promise<string | undefined>;
	/** The PATH of a terminal: that of the user's login shell. Undefined if it cannot be determined. */
	shellPath(signal: AbortSignal): Promise<string | undefined>;
	/** Whether npx has a package in its cache. */
	isCached(name: string): Promise<boolean>;
	/** The host of the proxy for an address; undefined without a proxy. */
	proxyOf(url: string): string | undefined;
	/** The answer to one HTTP request. */
	ask(launch: HttpLaunch, question: HttpQuestion, signal: AbortSignal): Promise<HttpAnswer>;
	/** The answer at an address. */
	dial(launch: HttpLaunch, signal: AbortSignal): Promise<DialResult>;
}
