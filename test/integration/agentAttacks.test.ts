/**
 * The whole loop against an attacker whom the model always obeys: more than 60 poisoned tools, by definition and by
 * result, over both transports and in both eras. The checks are on the messages that servers received and on
 * connections.
 */
import { describe, expect, it } from "vitest";
import type { ChatPart } from "../../src/surfaces/chat/parts.ts";
import { victim } from "../servers/poison.ts";
import { poisonedDefinitions } from "../servers/poisonedDefinitions.ts";
import { poisons, toolOf } from "../servers/poisonedServer.ts";
import { AttackScene, userWhoAllows, type Reach } from "./attackScene.ts";
import { ObedientModel, readHidden } from "./obedientModel.ts";

const reaches: readonly Reach[] = (["stdio", "http"] as const).flatMap((transport) =>
	(["legacy", "modern"] as const).map((era) => ({ transport, era })),
);

/** The text that a user reads in Markdown in which everything of servers is escaped. */
function readable(parts: readonly ChatPart[]): string {
	const texts = parts.flatMap((part) => (part.kind === "text" ? [part.markdown] : []));
	return readHidden(
		texts
			.join("\n")
			.replace(/&nbsp;/g, " ")
			.replace(/\\([!-/:-@[-`{-~])/g, "$1"),
	);
}

/** The active parts of that Markdown: images, links, HTML and icons. */
function live(parts: readonly ChatPart[]): readonly string[] {
	return parts.flatMap((part) => {
		if (part.kind !== "text") return [];
		const inert = part.markdown.replace(/\\[!-/:-@[-`{-~]/g, "").replace(/(`+)[^`].*?\1/g, "");
		return inert.match(/!\[|\]\(|<[a-z/!]|\$\(|\]\[|https?:/gi) ?? [];
	});
}

describe.each(reaches)(
	"an attacker over $transport in the $era era, whom the model obeys",
	{ timeout: 120_000 },
	(reach) => {
		it("gets no call, opened page, fetch or message from a user who always declines (TOL-01, TOL-06, TOL-08)", async () => {
			await using scene = await AttackScene.open(reach);
			const model = new ObedientModel();
			const user = userWhoAllows(0);
			const { shown } = await scene.turn(model, user);
			// Each poison that reaches models was obeyed, and the user was asked; the others do not reach models at all.
			const told = poisonedDefinitions.filter(({ isTold }) => isTold).map(({ name }) => name);
			expect(new Set(model.obeyed)).toEqual(new Set([...told, "instructions"]));
			const asked = user.asked.filter(({ call }) => call.entry.modelName === victim);
			expect(new Set(asked.map(({ call }) => call.arguments["text"]))).toEqual(new Set(model.obeyed));
			expect(scene.takeActions()).toEqual([]);
			expect(scene.connections).toBe(0);
			expect(live(shown)).toEqual([]);
		});

		it("gets exactly one call from a user who approves once, for any text of its result (TOL-01, TOL-13, TOL-16, TOL-17, UI-01, UI-02)", async () => {
			await using scene = await AttackScene.open(reach);
			for (const poison of poisons.filter(({ name }) => name !== "asRequest")) {
				const { name, description } = toolOf(poison);
				const modelName = `poisoned_${name}`;
				const model = new ObedientModel({ name: modelName, arguments: {} });
				const user = userWhoAllows(1);
				const { shown } = await scene.turn(model, user, { isOffered: (offered) => offered === modelName });
				const taken = scene.takeActions();
				const call = { method: "tools/call", target: name, arguments: {} };
				// In revision 2026-07-28 a call during which the server asks is sent again with the answer, here a refusal.
				const isAsking = ["elicit", "elicit-url"].includes(poison.act ?? "") && reach.era === "modern";
				expect.soft(taken, poison.name).toEqual(isAsking ? [call, call] : [call]);
				expect.soft(user.asked[0]?.call, poison.name).toMatchObject({ arguments: {}, entry: { tool: { name } } });
				// Before that, the user could read the tool's whole description of itself.
				expect
					.soft(squeeze(readable(shown)), poison.name)
					.toContain(squeeze(readHidden(scene.fill(description ?? ""))));
				expect.soft(model.obeyed.includes(poison.name), poison.name).toBe(poison.isTold);
				expect.soft(live(shown), poison.name).toEqual([]);
			}
			expect(scene.connections).toBe(0);
		});
	},
);

/** White space is collapsed in the text that a user reads. */
function squeeze(text: string): string {
	return text.replace(/\s+/g, "");
}
