import { readPasted } from "../../../../src/servers/formats/readPasted.ts";
import type { ServerConfig } from "../../../../src/servers/definitions/config.ts";
import { AddingServers, type Addition, type AddingServices } from "../../../../src/setup/entries/candidates.ts";
import type { CandidateSource } from "../../../../src/setup/entries/candidateSource.ts";
import type { Candidate, CandidateRow } from "../../../../src/setup/entries/candidate.ts";

/** Servers that may be added, with the decisions recorded instead of written. */
export interface AddingScene {
	readonly adding: AddingServers;
	readonly added: Addition[];
	/** The only candidate, or the one of an index. */
	candidate(index?: number): Candidate;
	/** The row of a label. */
	row(label: string, index?: number): CandidateRow;
}

/** The initial state of the scene. */
export interface SceneOptions extends Partial<AddingServices> {
	readonly sources?: readonly CandidateSource[];
	readonly variables?: readonly string[];
}

/** A definition of an existing server. */
export function localServer(command: string, ...args: readonly string[]): ServerConfig {
	return { kind: "stdio", command, args, env: {}, protocol: "auto" };
}

/** Opens the scene, with a text pasted if one is given. */
export function addingScene(text?: string, { sources, variables = [], ...services }: SceneOptions = {}): AddingScene {
	const added: Addition[] = [];
	const adding = new AddingServers(
		{
			existing: () => [],
			places: [
				{ label: "User Settings", description: "For you.", place: { kind: "user" } },
				{ label: ".vscode/mcp.json in ws", description: "Shared.", place: { kind: "folder", folder: "/ws" } },
			],
			hasVariable: (name) => variables.includes(name),
			readPasted,
			add: async (addition) => void added.push(addition),
			...services,
		},
		sources,
	);
	if (text !== undefined) adding.read(text);
	const candidate = (index = 0): Candidate => {
		const found = adding.groups.flatMap(({ candidates }) => candidates)[index];
		if (found === undefined) throw new Error(`There is no candidate ${index}.`);
		return found;
	};
	return {
		adding,
		added,
		candidate,
		row: (label, index) => {
			const { rows } = candidate(index);
			const row = rows.find((one) => one.label === label);
			if (row === undefined) throw new Error(`No row ${label} in ${rows.map((one) => one.label).join(", ")}.`);
			return row;
		},
	};
}
