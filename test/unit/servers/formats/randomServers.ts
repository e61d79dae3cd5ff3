import type { Json, JsonObject } from "../../../../src/base/json.ts";
import type { ExportedServer } from "../../../../src/servers/formats/writeEntry.ts";

/** Numbers between 0 and 1 that are the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

const plainTexts = (
	'npx|-y|a b|say "hi"|it\'s|a\\b||-|--flag=1|yes|no|null|1.0|0x1f|~|#x|a: b|- a|[x]|{|}|\u00FC\u00E9\u4E2D\u{1F600}|' +
	"a\tb|line\nline|*|&a|!tag|%A%|@x|a,b|true"
).split("|");
const names = ["A", "MODE", "HTTP_PROXY", "x", "Path", "NODE_ENV", "constructor"];
const serverNames = ["one", "two words", "a.b", "@scope/x", "ü", "true", "1", "a-b_c", "constructor", "toString"];

/** A server as an import provides it: any program or address, with some variables and inputs. */
export function randomServer(random: () => number, name: string): ExportedServer {
	const any = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
	const chance = (share: number): boolean => random() < share;
	const inputs = new Map<string, JsonObject>();
	const input = (): string => {
		const id = any(["key", "api-token", "Path", "small.key", "9"]);
		inputs.set(id, {
			type: "promptString",
			id,
			description: `The ${id}`,
			...(id === "Path" ? {} : { password: true }),
		});
		return `\${input:${id}}`;
	};
	const variable = (): string =>
		any([
			() => "${env:HOME}",
			() => "${env:X:-d}",
			() => "${env:X:-}",
			() => "${workspaceFolder}",
			() => "${userHome}",
			input,
		])();
	const text = (): string => (chance(0.2) ? variable() : chance(0.1) ? `a${variable()}b` : any(plainTexts));
	const map = (count: number, value: () => string): JsonObject =>
		Object.fromEntries(Array.from({ length: Math.ceil(random() * count) }, () => [any(names), value()]));
	const optional = (key: string, value: () => Json, share = 0.2): JsonObject =>
		chance(share) ? { [key]: value() } : {};
	const rest = (): JsonObject => ({
		...optional("description", () => "What it does"),
		...optional("protocol", () => "legacy", 0.1),
		...optional("dev", () => ({ watch: "**/*.ts" }), 0.1),
	});
	const entry: JsonObject = chance(0.5)
		? {
				type: "stdio",
				command: any(["npx", "/opt/a b/c", "node", "C:\\x\\y.exe", "${env:HOME}/x"]),
				...optional("args", () => Array.from({ length: Math.ceil(random() * 4) }, text), 0.8),
				...optional("env", () => map(3, text), 0.6),
				...optional("cwd", () => any(["/x", "${workspaceFolder}/a"])),
				...optional("envFile", () => ".env"),
				...rest(),
			}
		: {
				type: any(["http", "http", "sse"]),
				url: any(["https://a.example/mcp", "http://127.0.0.1:1/x?y=1", "https://a.example/${env:X:-d}"]),
				...optional("headers", () => map(3, () => any([variable(), `Bearer ${variable()}`, "v w", "1"])), 0.6),
				...optional("oauth", () => ({ clientId: "me", ...optional("scopes", () => ["a", "b"], 0.5) })),
				...rest(),
			};
	return { name, entry, inputs: [...inputs.values()], isOff: chance(0.15) };
}

/** Several servers with names of their own. */
export function randomServers(random: () => number): readonly ExportedServer[] {
	const start = Math.floor(random() * serverNames.length);
	const count = 1 + Math.floor(random() * 3);
	return Array.from({ length: count }, (_, index) =>
		randomServer(random, serverNames[(start + index) % serverNames.length] ?? "x"),
	);
}
