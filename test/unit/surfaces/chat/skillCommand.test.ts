import { describe, expect, test } from "vitest";
import { skillCall } from "../../../../src/features/skills/skillLoad.ts";
import { ToolApprovals } from "../../../../src/features/tools/approval.ts";
import { PendingDecisions } from "../../../../src/questions/decisions/pendingDecisions.ts";
import type { Skill } from "../../../../src/servers/sessions/session.ts";
import { questionParts } from "../../../../src/surfaces/chat/callQuestion.ts";
import { parseSkillQuery, skillQueryOf } from "../../../../src/surfaces/chat/skillCommand.ts";
import { writeSkill } from "../../../servers/skillLibrary.ts";
import { FakeDirectory, FakeSession } from "../../features/resources/fakeSession.ts";

const pdf: Skill = writeSkill("office/pdf", "Read.\n", { "a*b.md": "More." }).entry;
const csv: Skill = writeSkill("office/csv", "Read.\n").entry;

async function directory(): Promise<{ office: FakeSession; home: FakeSession; both: FakeDirectory }> {
	const [office, home] = [new FakeSession("office"), new FakeSession("my home")];
	await office.run({ skills: [pdf, csv] });
	await home.run({ skills: [pdf] });
	return { office, home, both: new FakeDirectory(office, home) };
}

describe("/skill", () => {
	test("reads a server with a name or URI, and a skill alone that one server lists", async () => {
		const { office, home, both } = await directory();
		expect(parseSkillQuery(both, "  ")).toBeUndefined();
		expect(parseSkillQuery(both, "office pdf")).toEqual({ session: office, skill: "pdf" });
		expect(parseSkillQuery(both, `"my home" ${pdf.uri}`)).toEqual({ session: home, skill: pdf.uri });
		expect(parseSkillQuery(both, "csv")).toEqual({ session: office, skill: csv.uri });
	});

	test("takes no skill of one of two servers without a word (SKL-04)", async () => {
		const { both } = await directory();
		expect(() => parseSkillQuery(both, "pdf")).toThrow(/several skills pdf.*Write \/skill server name/);
		expect(() => parseSkillQuery(both, "nothing")).toThrow(/No running server lists the skill nothing/);
	});

	test("says that a server has to run", async () => {
		const { office, both } = await directory();
		office.setState({ kind: "stopped" });
		expect(() => parseSkillQuery(both, "office pdf")).toThrow(/not running/);
	});

	test("is written by the command of a row as it is read", async () => {
		const { home, both } = await directory();
		const query = skillQueryOf(both, { session: home, skill: pdf.uri });
		expect(query).toBe(`@mcp /skill "my home" ${pdf.uri}`);
		expect(parseSkillQuery(both, query.replace("@mcp /skill ", ""))).toEqual({ session: home, skill: pdf.uri });
	});

	test("asks with the server's name, the file that is read and all files of the skill (SKL-05)", async () => {
		const { office } = await directory();
		const call = skillCall(office, pdf);
		if ("problem" in call) expect.fail(call.problem);
		const question = new ToolApprovals(new PendingDecisions(), () => undefined).ask(
			{ callId: "1", ...call },
			new AbortController().signal,
		);
		const text = JSON.stringify(questionParts(question)).replaceAll("\\\\", "");
		expect(text).toContain("SKILL.md is read and sent to the model as text of office. The skill has 2 files");
		expect(text).toContain("- a*b.md, 5 bytes");
	});
});
