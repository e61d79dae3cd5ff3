/** The cost of a server for models is shown where it is added again (REG-15). */
import { describe, expect, it } from "vitest";
import { toAddServersView } from "../../../../src/setup/entries/addServersView.ts";
import { addingScene, localServer } from "./addingScene.ts";

describe("the known cost of a server for models (REG-15)", () => {
	const costOf = ({ id }: { readonly id: string }) => (id === "user-settings:#github" ? "~640 tokens" : undefined);
	const server = { command: "npx", args: ["-y", "github-mcp"] };
	const notes = (options: Parameters<typeof addingScene>[1], name = "github"): string => {
		const { adding } = addingScene(JSON.stringify({ mcpServers: { [name]: server } }), options);
		return toAddServersView(adding).groups[0]?.candidates[0]?.notes.join() ?? "";
	};

	it("is shown if it ran before under that definition, also if it was removed since", () => {
		const said = "Its tools used ~640 tokens of each model request when it last ran.";
		expect(notes({ costOf })).toBe(said);
		expect(notes({ costOf }, "another")).toBe("");
		expect(notes({})).toBe("");
	});

	it("and if the same exists already, under any name", () => {
		const there = { name: "gh", config: localServer("npx", "-y", "github-mcp"), cost: "~1,200 tokens" };
		expect(notes({ existing: () => [there] })).toContain("~1,200 tokens");
		const other = { ...there, config: localServer("npx", "-y", "github-mcp", "--all") };
		expect(notes({ existing: () => [other] })).toBe("");
	});
});
