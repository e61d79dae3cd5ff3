import { editDistance } from "../../base/nearest.ts";

/** The keys of an entry with a meaning here, for suggestions. */
const keys = "type command args env envFile cwd url headers protocol roots oauth disabled".split(" ");
const types = ["stdio", "http", "sse"];
/** Keys and types of other hosts, and their names here. */
const keysElsewhere: Readonly<Record<string, string>> = {
	serverUrl: "url",
	httpUrl: "url",
	uri: "url",
	endpoint: "url",
	transport: "type",
	transportType: "type",
	environment: "env",
	envs: "env",
	cmd: "command",
	arguments: "args",
	workingDirectory: "cwd",
	http_headers: "headers",
};
const typesElsewhere: Readonly<Record<string, string>> = {
	local: "stdio",
	remote: "http",
	streamable: "http",
	streamable_http: "http",
	https: "http",
};
/** A longer key is not a typing error. */
const longest = 30;

/** The key that is meant by one that has no meaning in an entry, such as `args` by `arg`; undefined where none is near. */
export function meantKey(key: string): string | undefined {
	if (keys.includes(key) || key.length > longest) return undefined;
	if (Object.hasOwn(keysElsewhere, key)) return keysElsewhere[key];
	const isNear = (known: string): boolean =>
		// One slip in a short word, two in a long one.
		editDistance(key.toLowerCase(), known.toLowerCase()) <= (known.length > 5 ? 2 : 1);
	return keys.find(isNear) ?? Object.entries(keysElsewhere).find(([known]) => known.length > 5 && isNear(known))?.[1];
}

/** The type of a server for a type name of another host. */
export function meantType(type: string): string | undefined {
	const lower = type.toLowerCase();
	if (type.length > longest || types.includes(type)) return undefined;
	if (Object.hasOwn(typesElsewhere, lower)) return typesElsewhere[lower];
	return types.find((known) => editDistance(lower, known) <= 1);
}
