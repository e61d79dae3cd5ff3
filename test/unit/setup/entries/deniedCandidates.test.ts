/** Servers that an organization does not allow are shown as such where they are added (REG-18). */
import { describe, expect, it } from "vitest";
import { toAddServersView } from "../../../../src/setup/entries/addServersView.ts";
import { addingScene } from "./addingScene.ts";

describe("candidates that an organization does not allow (REG-18)", () => {
	const text = JSON.stringify({ mcpServers: { good: { command: "good" }, evil: { command: "evil" } } });
	const whyNot = ({ name }: { readonly name: string }, isOfWorkspace: boolean): string | undefined =>
		isOfWorkspace
			? "Your organization does not allow servers of workspaces."
			: name === "evil"
				? "Your organization does not allow the server “evil”."
				: undefined;

	it("say so, are not chosen, and cannot be added", async () => {
		const { adding, added, candidate } = addingScene(text, { whyNot });
		expect(adding.chosen.map(({ name }) => name)).toEqual(["good"]);
		const [first, second] = toAddServersView(adding).groups[0]?.candidates ?? [];
		expect([first?.problems, second?.problems]).toEqual([[], ["Your organization does not allow the server “evil”."]]);
		adding.edit(candidate(1).id, (one) => {
			one.isChosen = true;
		});
		expect(await adding.add(false)).toBe(false);
		expect(adding.obstacle).toContain("evil");
		adding.edit(candidate(1).id, (one) => {
			one.isChosen = false;
		});
		expect(await adding.add(false)).toBe(true);
		expect(added[0]?.servers.map(({ name }) => name)).toEqual(["good"]);
	});

	it("depend on the place", () => {
		const { adding, candidate } = addingScene(text, { whyNot });
		adding.choosePlace(1);
		expect(adding.judge(candidate(0)).problems).toEqual(["Your organization does not allow servers of workspaces."]);
	});
});
