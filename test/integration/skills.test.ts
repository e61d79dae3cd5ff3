/** The extension io.modelcontextprotocol/skills through the whole core, against a server that speaks it by hand. */
import { describe, expect, it } from "vitest";
import { shelfOf, startSkillServer, writeSkill } from "../servers/skillLibrary.ts";
import { startModernServer } from "../servers/modernServer.ts";
import { TestHost } from "./testHost.ts";

const pdf = writeSkill("office/pdf", "Read the form first.\n", { "references/a.md": "More." });

describe("a server with skills", () => {
	it("lists them, receives the extension, and no file is read (SKL-01, SKL-03)", async () => {
		await using server = await startSkillServer(shelfOf(pdf));
		await using host = new TestHost({ extensions: {} });
		const session = await host.run("office", { type: "http", url: server.url });
		await expect.poll(() => session.skills.items.map(({ uri }) => uri)).toEqual([pdf.entry.uri]);
		expect(server.paramsOf("skills/list")).toEqual([
			expect.objectContaining({
				_meta: expect.objectContaining({
					"io.modelcontextprotocol/clientCapabilities": expect.objectContaining({
						extensions: expect.objectContaining({ "io.modelcontextprotocol/skills": {} }),
					}),
				}),
			}),
		]);
		expect(server.paramsOf("resources/read")).toEqual([]);
	});

	it("keeps its valid skills when others are invalid, and the log says why (SKL-02)", async () => {
		const shelf = shelfOf(pdf);
		shelf.entries = [{ uri: "skill://bad/SKILL.md" }, ...shelf.entries];
		await using server = await startSkillServer(shelf);
		await using host = new TestHost({ extensions: {} });
		const session = await host.run("office", { type: "http", url: server.url });
		await expect.poll(() => session.skills.items.map(({ uri }) => uri)).toEqual([pdf.entry.uri]);
		expect(host.log).toContainEqual(
			expect.stringMatching(/office warn Skill 1 \(skill:\/\/bad\/SKILL\.md\) is left out/),
		);
	});

	it("whose list fails is not one without skills (SKL-01)", async () => {
		await using server = await startSkillServer(shelfOf(pdf), {
			"skills/list": () => ({ error: { code: -32603, message: "broken" } }),
		});
		await using host = new TestHost({ extensions: {} });
		const session = await host.run("office", { type: "http", url: server.url });
		await expect.poll(() => session.skills.status).toMatchObject({ kind: "failed" });
	});

	it("is not asked for skills without offering them (SKL-01)", async () => {
		await using server = await startModernServer({}, {});
		await using host = new TestHost({ extensions: {} });
		const session = await host.run("plain", { type: "http", url: server.url });
		await expect.poll(() => session.tools.status).toMatchObject({ kind: "ready" });
		expect(session.skills.status).toEqual({ kind: "unsupported" });
		expect(server.paramsOf("skills/list")).toEqual([]);
	});
});
