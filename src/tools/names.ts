import { createHash } from "node:crypto";

/** The longest name that every provider takes. */
const longest = 64;

/** A tool of a server, as the two name it. */
export interface QualifiedName {
	readonly server: string;
	readonly tool: string;
}

/**
 * Names for the model, one for each tool in the same order: `server_tool`, made of `[a-zA-Z0-9_-]` and at most 64 long
 * (spec.md T3). They are unique. A name that had to be changed or that two tools would share ends in a hash of what it
 * stands for, so that it does not depend on which other tools there are in which order. `distinguish` tells tools of
 * servers with the same name apart, such as by the server's unique id.
 */
export function modelNames<T extends QualifiedName>(
	tools: readonly T[],
	distinguish: (tool: T) => string,
): readonly string[] {
	const plain = tools.map(({ server, tool }) => `${legal(server)}_${legal(tool)}`);
	const counts = new Map<string, number>();
	for (const name of plain) counts.set(name, (counts.get(name) ?? 0) + 1);
	const taken = new Set<string>();
	return tools.map((tool, index) => {
		const name = plain[index] ?? "";
		const isExact = legal(tool.server) === tool.server && legal(tool.tool) === tool.tool;
		const isUsable = isExact && name.length <= longest && counts.get(name) === 1;
		const chosen = free(isUsable ? name : hashed(tool, distinguish(tool)), taken);
		taken.add(chosen);
		return chosen;
	});
}

/** Room for the tool's own name, which tells a model more than the server's. */
function hashed({ server, tool }: QualifiedName, distinction: string): string {
	const hash = createHash("sha256")
		.update(JSON.stringify([distinction, server, tool]))
		.digest("hex")
		.slice(0, 8);
	const end = `${legal(tool).slice(0, 38)}_${hash}`;
	return `${legal(server).slice(0, longest - 1 - end.length)}_${end}`;
}

/** Another tool may be named just like a hashed name; whoever is second gets a number. */
function free(name: string, taken: ReadonlySet<string>): string {
	if (!taken.has(name)) return name;
	for (let number = 2; ; number++) {
		const candidate = `${name.slice(0, longest - 1 - String(number).length)}_${number}`;
		if (!taken.has(candidate)) return candidate;
	}
}

function legal(text: string): string {
	const name = text.replace(/[^a-zA-Z0-9_-]+/g, "_");
	return name === "" ? "_" : name;
}
