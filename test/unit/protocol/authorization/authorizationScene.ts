import type { FetchLike } from "@modelcontextprotocol/client";
import type { Authorization, OAuthConfig, SignedIn } from "../../../../src/protocol/authorization.ts";
import { authorizing } from "../../../../src/protocol/authorization/authorizing.ts";
import { HeadlessBrowser, MemoryCredentials } from "../../../servers/headlessBrowser.ts";

/** A host that may sign in at one server, with everything that it does recorded. */
export interface Scene {
	readonly browser: HeadlessBrowser;
	readonly credentials: MemoryCredentials;
	readonly authorization: Authorization;
	/** The reported accounts, oldest first. */
	readonly changes: (SignedIn | undefined)[];
	/** How often a user was asked with the clocks stopped. */
	readonly asked: () => number;
	/** The requests that do not go to the server. */
	readonly plain: { readonly url: string; readonly headers: Headers }[];
	/** Sends a request to the server with the method of a tool's call. */
	call(tool?: string, signal?: AbortSignal): Promise<Response>;
	readonly fetch: FetchLike;
}

/** Differences from a host with a user. */
export interface SceneOptions {
	readonly config?: OAuthConfig;
	readonly isInteractive?: boolean;
	readonly credentials?: MemoryCredentials;
	readonly browser?: HeadlessBrowser;
	readonly authorization?: Partial<Authorization>;
	/** Replaces the real server. */
	readonly serverFetch?: FetchLike;
	readonly plainFetch?: FetchLike;
	readonly onNote?: (text: string) => void;
}

/** Sets the scene for the server at `url`. */
export function setScene(url: string, options: SceneOptions = {}): Scene {
	const { config = {}, isInteractive = true, browser = new HeadlessBrowser() } = options;
	const credentials = options.credentials ?? new MemoryCredentials();
	const changes: (SignedIn | undefined)[] = [];
	const plain: Scene["plain"] = [];
	let asked = 0;
	const authorization: Authorization = {
		server: "small",
		config,
		credentials,
		browser,
		isInteractive: () => isInteractive,
		onDidChangeSignedIn: (signedIn) => changes.push(signedIn),
		whileAsking(ask, signal) {
			asked++;
			return ask(signal);
		},
		...options.authorization,
	};
	const fetchThrough = authorizing({
		serverUrl: new URL(url),
		serverFetch: options.serverFetch ?? ((input, init) => fetch(input, { redirect: "manual", ...init })),
		plainFetch: (input, init) => {
			plain.push({ url: String(input), headers: new Headers(init?.headers) });
			return (options.plainFetch ?? fetch)(input, { redirect: "manual", ...init });
		},
		authorization,
		onNote: options.onNote,
		signal: new AbortController().signal,
	});
	return {
		browser,
		credentials,
		authorization,
		changes,
		asked: () => asked,
		plain,
		fetch: fetchThrough,
		call(tool = "echo", signal) {
			const body = {
				jsonrpc: "2.0",
				id: 1,
				method: "tools/call",
				params: { name: tool, arguments: { text: "hello" } },
			};
			return fetchThrough(url, {
				method: "POST",
				headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
				body: JSON.stringify(body),
				...(signal === undefined ? {} : { signal }),
			});
		},
	};
}
