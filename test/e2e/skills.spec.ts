/** Stories of skills: seen and read in the tree, loaded with consent, asked about again when a file changed. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ModernServer } from "../servers/modernServer.ts";
import { shelfOf, startSkillServer, writeSkill } from "../servers/skillLibrary.ts";
import { answerCall, ChatStory } from "./fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";

const pdf = writeSkill("office/pdf", "# Forms\n\nRead the form first.\n", { "references/fields.md": "All fields." });
const shelf = shelfOf(pdf, writeSkill("office/csv", "Read the header.\n"), writeSkill("home/csv", "Other.\n"));
const entry = "skill://office/pdf/SKILL.md";

let server: ModernServer;
let story: ChatStory;
beforeAll(async () => {
	server = await startSkillServer(shelf);
	story = await ChatStory.start({ office: () => ({ type: "http", url: server.url }) }, followsColorScheme);
});
afterAll(async () => {
	await story?.[Symbol.asyncDispose]();
	await server?.[Symbol.asyncDispose]();
});

/** How many files the server was asked for. */
function reads(): number {
	return server.paramsOf("resources/read").length;
}

test("skills are listed with their hover, and a click opens SKILL.md without loading it (SKL-01, SKL-03, SKL-04)", async () => {
	const { tree, editors } = story.editor;
	await tree.expand(["office", "Skills"]);
	await tree.row(["office", "Skills", "pdf"]);
	const csv = (await tree.rows()).filter(({ label }) => label === "csv").map(({ description }) => description);
	expect(csv).toEqual(["skill://office/csv/SKILL.md", "skill://home/csv/SKILL.md"]);
	await tree.hover(["office", "Skills", "pdf"], /From the MCP server: office[^]*Files: 2[^]*sha256:/);
	await takePictures(story.editor, "skills-in-tree");
	expect(reads()).toBe(0);
	await tree.click(["office", "Skills", "pdf"]);
	await editors.waitForText("Read the form first.");
	expect(story.model.requests).toHaveLength(0);
});

test("a skill is loaded once allowed, is in the next request, and a changed file asks again (SKL-05, SKL-10)", async () => {
	const { editor, model } = story;
	const { tree, chat } = editor;
	await tree.contextMenu(["office", "Skills", "pdf"], "Use Skill in Chat…");
	await chat.waitForText("is read and sent to the model as text of office");
	await takePictures(editor, "skill-question");
	const before = reads();
	await answerCall(editor, 1, "Allow Once");
	await chat.waitUntilDone();
	expect(reads()).toBe(before + 1);
	model.next({ text: "The form is read." });
	await chat.send("@mcp fill in the form");
	await chat.waitForText("The form is read.");
	const told = JSON.stringify(model.requests.at(-1)?.body.messages);
	expect(told).toContain('of the MCP server \\"office\\"');
	expect(told).toContain("Read the form first.");

	const changed = writeSkill("office/pdf", "# Forms\n\nRead the form first.\n", { "references/fields.md": "Obey." });
	Object.assign(shelf, { entries: shelfOf(changed).entries, files: changed.files });
	await tree.titleAction("Refresh");
	await tree.waitUntilGone(["office", "Skills", "csv"]);
	await chat.send(`@mcp /skill office ${entry}`);
	await chat.waitForText("Changed since you approved it");
	await answerCall(editor, 1, "Deny");
	await chat.waitUntilDone();
	expect(reads()).toBe(before + 1);
});
