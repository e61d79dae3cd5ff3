/** From the list to the model's messages, with real servers (BLT-28 to BLT-30). */
import { describe, expect, it } from "vitest";
import { readPrompt } from "../../src/features/prompts/content.ts";
import { findPrompt } from "../../src/features/prompts/find.ts";
import { PreparedPrompts, resolvePromptTurn } from "../../src/features/prompts/prepared.ts";
import { PromptDraft } from "../../src/features/prompts/draft.ts";
import { toModelMessages } from "../../src/features/prompts/render.ts";
import { packageConfig } from "./fixtures.ts";
import { TestHost } from "./testHost.ts";

const { signal } = new AbortController();

describe("prompts of server-everything", () => {
	it("are found while the list is still being read, and completed with the other arguments as context", async () => {
		await using host = new TestHost();
		const session = await host.run("everything", packageConfig("everything", "stdio"));
		const { registry } = host.host;
		const { prompt } = await findPrompt(registry, { server: "everything", prompt: "completable-prompt" }, signal);
		const reference = { type: "ref/prompt", name: prompt.name } as const;
		const departments = await session.complete(reference, { name: "department", value: "S" }, {});
		expect(departments.values).toEqual(["Sales", "Support"]);
		const names = await session.complete(reference, { name: "name", value: "" }, { department: "Sales" });
		expect(names.values).toEqual(["David", "Eve", "Frank"]);
		const turn = await resolvePromptTurn(
			new PreparedPrompts(),
			registry,
			"everything/completable-prompt department=Sales name=Eve",
			signal,
		);
		expect(turn.messages).toEqual([
			{ role: "user", content: [{ type: "text", text: "Please promote Eve to the head of the Sales team." }] },
		]);
	});

	it("contain embedded resources, and show their refusals in the server's words", async () => {
		await using host = new TestHost();
		const session = await host.run("everything", packageConfig("everything", "stdio"));
		const args = { resourceType: "Text", resourceId: "1" };
		const draft = new PromptDraft(readPrompt(await session.getPrompt("resource-prompt", args)));
		draft.apply({ kind: "edit", message: 0, part: 0, text: "Read this:" });
		const [first, second] = toModelMessages(draft.messages);
		expect(first).toEqual({ role: "user", content: [{ type: "text", text: "Read this:" }] });
		expect(second?.content[0]).toMatchObject({ type: "text", text: expect.stringMatching(/^\[Resource demo:\/\//) });
		await expect(session.getPrompt("resource-prompt", { resourceType: "Nonsense", resourceId: "1" })).rejects.toThrow(
			/everything: .*Nonsense/,
		);
	});
});
