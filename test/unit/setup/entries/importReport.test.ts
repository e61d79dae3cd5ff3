/** The report after servers of other hosts were imported (IMP-05). */
import { describe, expect, it } from "vitest";
import { readConfiguration } from "../../../../src/servers/formats/readConfiguration.ts";
import { type Addition, AddingServers } from "../../../../src/setup/entries/candidates.ts";
import type { CandidateSource } from "../../../../src/setup/entries/candidateSource.ts";
import { importReport } from "../../../../src/setup/entries/importReport.ts";
import { stdioConfig } from "../../servers/fixtures.ts";

function source(heading: string, text: string): CandidateSource {
	const found = readConfiguration(text);
	if (found === undefined) throw new Error("no configuration");
	return { heading, path: `~/${heading}`, found, follow: async () => async () => undefined };
}

/** The report of the added servers after `decide` has made the user's choice. */
async function reportOf(
	sources: readonly CandidateSource[],
	decide: (adding: AddingServers) => void = () => undefined,
): Promise<string> {
	const additions: Addition[] = [];
	const adding = new AddingServers(
		{
			existing: () => [{ name: "mine", config: stdioConfig({ command: "known", args: [] }) }],
			places: [{ place: { kind: "user" }, label: "User Settings", description: "" }],
			hasVariable: () => false,
			readPasted: () => ({ format: "", servers: [], refused: [] }),
			add: async (addition) => void additions.push(addition),
		},
		sources,
	);
	decide(adding);
	expect(await adding.add(false)).toBe(true);
	const [addition] = additions;
	if (addition === undefined) throw new Error("nothing was added");
	return importReport(adding, addition, "User Settings");
}

describe("The report of an import (IMP-05)", () => {
	const one =
		'{"mcpServers": {"a": {"command": "x"}, "b": {"command": "y"}, "c": {"command": "known"}, "d": {"type": "ws"}}}';
	const goose =
		"extensions:\n  developer: {type: builtin, name: developer, enabled: true}\n  e: {type: stdio, cmd: x, enabled: true}";

	it("counts imported, existing and untranslatable servers; not the parts of a host", async () => {
		expect(await reportOf([source("Cursor", one), source("Goose", goose)])).toBe(
			"2 servers imported to User Settings, 2 already configured, 1 not translated: d.",
		);
	});

	it("names the linked files", async () => {
		const follow = (adding: AddingServers): void => {
			const [first, second] = adding.groups;
			adding.follow(first?.id ?? "", true);
			adding.chooseAll(second?.id ?? "", false);
		};
		expect(await reportOf([source("Cursor", one), source("Windsurf", one)], follow)).toBe("~/Cursor is followed.");
	});
});
