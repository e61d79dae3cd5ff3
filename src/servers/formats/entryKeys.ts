/** The names of the ways to reach a server, as hosts have them. */
export const types: ReadonlyMap<string, "stdio" | "http" | "sse"> = new Map([
	...["stdio", "local"].map((name) => [name, "stdio"] as const),
	...[
		"http",
		"streamable-http",
		"streamable_http",
		"streamablehttp",
		"streamable",
		"http-stream",
		"remote",
		"url",
		"mcp",
	].map((name) => [name, "http"] as const),
	["sse", "sse"] as const,
]);
/** Kinds of servers that exist within their host alone. */
export const builtIn = new Set([
	"builtin",
	"built-in",
	"platform",
	"frontend",
	"inprocess",
	"inline_python",
	"extension",
]);

/** The keys for the address of a server; an earlier key takes precedence over a later one. */
export const urlKeys = ["httpUrl", "url", "serverUrl", "uri", "baseUrl", "server_url"] as const;
/** The keys for the program of a server. */
export const commandKeys = ["command", "cmd"] as const;
/** The keys that switch a server on. */
export const onKeys = ["enabled", "isActive", "isEnabled", "active"] as const;
/** Keys that are translated. */
export const readKeys: ReadonlySet<string> = new Set([
	...urlKeys,
	...commandKeys,
	..."type transport args env environment envs env_keys env_vars envFile".split(" "),
	..."headers http_headers env_http_headers bearer_token bearer_token_env_var requestOptions".split(" "),
	..."cwd workingDirectory working_directory workingDir oauth auth scopes".split(" "),
	...onKeys,
	..."disabled name description server_label server_description".split(" "),
	..."authorization authorization_token".split(" "),
]);
/** Keys that are kept unchanged: they have the same meaning here. */
export const keptKeys = new Set("dev gallery version sandbox sandboxEnabled protocol roots".split(" "));
/** Keys that are irrelevant to how a server is reached, and that may be dropped silently. */
export const idleKeys = new Set(
	"source title display_name bundled icon icons schema remote required uuid id".split(" "),
);
/** Words of keys that limit time, with their units where the name says them. */
export const timeKey = /time_?out(?:_?(ms|sec|secs|seconds))?$/i;
