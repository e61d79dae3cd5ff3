/** The extension io.modelcontextprotocol/skills through the whole core, against a server that speaks it by hand. */
import { describe, expect, it, test, vi } from "vitest";
import { freshen } from "../../src/servers/sessions/freshness.ts";
import { shelfOf, startSkillServer, writeSkill } from "../servers/skillLibrary.ts";
import { researchTool, startModernServer } from "../servers/modernServer.ts";
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

	it("is not asked for skills of a revision of the extension that MCP Host does not know (SKL-14)", async () => {
		const extensions = { "io.modelcontextprotocol/skills": { revision: "2" } };
		await using server = await startModernServer({}, extensions);
		await using host = new TestHost({ extensions: {} });
		const session = await host.run("later", { type: "http", url: server.url });
		await expect.poll(() => session.tools.status).toMatchObject({ kind: "ready" });
		expect(session.skills.status).toEqual({ kind: "unsupported" });
		expect(server.paramsOf("skills/list")).toEqual([]);
	});
});

test("a list is fresh for the time of its ttlMs, and read again when it is used later (TRN-67)", async () => {
	vi.useFakeTimers({ toFake: ["Date"] });
	try {
		const ttlMs = 60_000;
		await using server = await startModernServer({
			"tools/list": () => ({ result: { ttlMs, cacheScope: "public", tools: [researchTool] } }),
		});
		await using host = new TestHost();
		const session = await host.run("cached", { type: "http", url: server.url });
		await expect.poll(() => session.tools.status).toMatchObject({ kind: "ready" });
		await freshen([session]);
		expect(server.paramsOf("tools/list")).toHaveLength(1);
		vi.setSystemTime(Date.now() + ttlMs + 1000);
		await freshen([session]);
		expect(server.paramsOf("tools/list")).toHaveLength(2);
	} finally {
		vi.useRealTimers();
	}
});
