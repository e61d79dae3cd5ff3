import { createHash } from "node:crypto";

/** The longest name that every provider takes. */
const longest = 64;

/** A tool of a server, as the two name it. */
export interface QualifiedName {
	readonly server: string;
	readonly tool: string;
}

/**
 * Names for the model, one for each tool in the same order: `server_tool`, made of `[a-zA-Z0-9_-]`, at most 64 long and
 * beginning with a letter or an underscore, as Gemini requires. They are unique. A name that is invalid or ambiguous in
 * this form ends in a hash of its server and tool. So a name never depends on the other servers and tools, keeps its
 * meaning in later turns, and prompt caches hold. The exception are servers of the same name: the names of both end in
 * hashes. `distinguish` distinguishes those, such as by the server's unique id. No tool gets one of the `reserved`
 * names.
 */
export function modelNames<T extends QualifiedName>(
	tools: readonly T[],
	distinguish: (tool: T) => string,
	reserved: ReadonlySet<string> = new Set(),
): readonly string[] {
	const twins = serversOfSameName(tools, distinguish);
	const taken = new Set(reserved);
	return tools.map((tool) => {
		const plain = `${tool.server}_${tool.tool}`;
		const isUsable = !twins.has(tool.server) && isPlain(tool) && !taken.has(plain);
		const chosen = isUsable ? plain : free(hashed(tool, distinguish(tool)), taken);
		taken.add(chosen);
		return chosen;
	});
}

function serversOfSameName<T extends QualifiedName>(
	tools: readonly T[],
	distinguish: (tool: T) => string,
): ReadonlySet<string> {
	const owners = new Map<string, string>();
	const twins = new Set<string>();
	for (const tool of tools) {
		const owner = distinguish(tool);
		if ((owners.get(tool.server) ?? owner) !== owner) twins.add(tool.server);
		owners.set(tool.server, owner);
	}
	return twins;
}

/**
 * Whether server and tool can be read from the joined name again: the first underscore is the one between them, and the
 * end does not look like one of our hashes.
 */
function isPlain({ server, tool }: QualifiedName): boolean {
	return (
		/^[a-zA-Z][a-zA-Z0-9-]*$/.test(server) &&
		/^[a-zA-Z0-9_-]+$/.test(tool) &&
		!/_[0-9a-f]{8}$/.test(tool) &&
		server.length + 1 + tool.length <= longest
	);
}

/** Room for the tool's own name, which is more informative for a model than the server's. */
function hashed({ server, tool }: QualifiedName, distinction: string): string {
	const hash = createHash("sha256")
		.update(JSON.stringify([distinction, server, tool]))
		.digest("hex")
		.slice(0, 8);
	const end = `${legal(tool).slice(0, 38)}_${hash}`;
	const start = legal(server).replace(/^(?![a-zA-Z_])/, "_");
	return `${start.slice(0, longest - 1 - end.length)}_${end}`;
}

/** Two tools may have the same hash if an attacker constructs them; the second one gets a number. */
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

/** The name under which rules, grants and questions know a read that a model asks for. No tool of a server is offered by it. */
export const resourceReadName = "resources/read";

/** How the names begin under which rules, grants and questions know skills; a URI follows. No tool of a server is offered so. */
export const skillNameStart = "skill ";

/** The names of all tools of the host. No server's tool gets one of them, whether the host offers it at the time or not. */
export const hostToolNames = {
	searchTools: "search_tools",
	readResource: "read_resource",
	listResources: "list_resources",
	readResult: "read_result",
	listSkills: "list_skills",
	loadSkill: "load_skill",
} as const;
