import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import { skillsExtension } from "../../../../src/protocol/skill.ts";
import { initialized, startSessionServer, type SessionServer } from "../../../servers/sessionServer.ts";
import { control, http, Scene } from "./connectScene.ts";

const legacy = { verdict: { kind: "legacy" } } as const;
const uri = "skill://pdf/SKILL.md";
const markdown = "---\nname: pdf\ndescription: Fills in forms.\n---\nRead the form first.\n";
const entry = {
	uri,
	frontmatter: { name: "pdf", description: "Fills in forms." },
	resources: [{ uri, size: Buffer.byteLength(markdown), digest: digestOf(markdown) }],
};

function digestOf(text: string): string {
	return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

/** A server with skills whose `SKILL.md` is the given text. */
function library(entries: readonly object[], text: string): Promise<SessionServer> {
	return startSessionServer({
		methods: {
			initialize: () => initialized({ resources: {}, extensions: { "io.modelcontextprotocol/skills": {} } }),
			"skills/list": () => ({ result: { skills: entries as never } }),
			"resources/read": () => ({ result: { contents: [{ uri, mimeType: "text/markdown", text }] } }),
		},
	});
}

describe.concurrent("skills of a server (SEP-2640)", () => {
	it("are listed without reading them, and read when wanted", async () => {
		await using scene = new Scene();
		await using server = await library([entry], markdown);
		const connection = await scene.connect(http(server.url), legacy);
		const { skills, refused } = await connection.listSkills(control());
		expect([skills.map(({ frontmatter }) => frontmatter.name), refused]).toEqual([["pdf"], []]);
		expect(server.received).not.toContain("resources/read");
		const [skill = expect.fail()] = skills;
		expect(await connection.readSkill(skill, undefined, control())).toMatchObject({
			uri,
			text: markdown,
			body: "Read the form first.\n",
		});
	});

	it("are declared to servers only where somebody makes use of them", async () => {
		await using scene = new Scene();
		await using server = await library([], "");
		await scene.connect(http(server.url), legacy);
		await scene.connect(http(server.url), { ...legacy, extensions: { [skillsExtension]: {} } });
		const declared = server
			.paramsOf("initialize")
			.map(({ capabilities }) => (capabilities as JsonObject)["extensions"]);
		const always = { "io.modelcontextprotocol/tasks": {} };
		expect(declared).toEqual([always, { ...always, "io.modelcontextprotocol/skills": {} }]);
	});

	it.each([
		["size", markdown.replace("first", "at last"), /a file does not have the size/],
		["content", markdown.replace("first", "later"), /a file does not have the hash/],
	] as const)("are not used when their %s is another than listed", async (_what, text, message) => {
		await using scene = new Scene();
		await using server = await library([entry], text);
		const connection = await scene.connect(http(server.url), legacy);
		const [skill = expect.fail()] = (await connection.listSkills(control())).skills;
		await expect(connection.readSkill(skill, undefined, control())).rejects.toMatchObject({
			code: "protocol",
			message: expect.stringMatching(message),
		});
	});

	it("are not used when their front matter is another than listed", async () => {
		await using scene = new Scene();
		const other = { ...entry, frontmatter: { name: "pdf", description: "Harmless." } };
		await using server = await library([other], markdown);
		const connection = await scene.connect(http(server.url), legacy);
		const [skill = expect.fail()] = (await connection.listSkills(control())).skills;
		await expect(connection.readSkill(skill, undefined, control())).rejects.toMatchObject({
			code: "protocol",
			message: expect.stringContaining("The skill pdf is not used"),
		});
	});

	it("that break the rules are left out, and the log says so", async () => {
		await using scene = new Scene();
		await using server = await library([{ uri: "skill://bad/SKILL.md" }, entry], markdown);
		const connection = await scene.connect(http(server.url), legacy);
		const { skills, refused } = await connection.listSkills(control());
		expect([skills.length, refused]).toEqual([1, [expect.stringContaining("is left out")]]);
		expect(scene.host.troubles).toEqual(expect.arrayContaining(refused as string[]));
	});

	it("are none where the server does not speak of them", async () => {
		await using scene = new Scene();
		await using server = await startSessionServer({ methods: { initialize: () => initialized({}) } });
		const connection = await scene.connect(http(server.url), legacy);
		expect(await connection.listSkills(control())).toEqual({ skills: [], refused: [] });
		expect(server.received).not.toContain("skills/list");
	});
});
