/** The offers of a paste of a whole page, and which are ticked (ADD-01). */
import { describe, expect, it } from "vitest";
import type { ForeignServer } from "../../../../src/servers/formats/foreignServer.ts";
import { readPasted } from "../../../../src/servers/formats/readPasted.ts";
import { Candidate } from "../../../../src/setup/entries/candidate.ts";
import { readmes } from "./readmes.ts";

function shown(server: ForeignServer): string {
	const { command, args, url } = server.entry;
	const target = typeof url === "string" ? [url] : [command, ...(Array.isArray(args) ? args : [])];
	const candidate = new Candidate("1", server, "x", () => false);
	const name = server.name === undefined ? "" : `${server.name}: `;
	return `${candidate.isChosen ? "" : "~ "}${name}${target.join(" ")}`;
}

describe("A pasted page", () => {
	it("is one of at least 25", () => {
		expect(readmes.length).toBeGreaterThanOrEqual(25);
	});

	it.each(readmes)("offers its servers and no other lines: %s", (_what, text, offered) => {
		expect(readPasted(text).servers.map(shown)).toEqual(offered);
	});

	it.each([
		"sudo apt install -y nodejs",
		"npm cache clean --force",
		"npm run build",
		"docker compose up -d",
		"npx @modelcontextprotocol/inspector",
		"python -m venv .venv",
		"uv run pytest",
		"claude mcp list",
	])("and a line that starts no server is refused with the reason: %s", (line) => {
		const read = readPasted(line);
		expect(read.servers).toEqual([]);
		expect(read.refused.map(({ reason }) => reason).join()).toMatch(/does not start a server|does not add a server/);
	});

	it.each(["npx -y tasks-mcp init", "npx @acme/mcp@latest setup", "my-mcp login now"])(
		"and a set-up program is offered without a tick, and reported: %s",
		(line) => {
			const [server, ...more] = readPasted(line).servers;
			expect(more).toEqual([]);
			expect(server?.isDoubtful).toBe(true);
			expect(server?.remarks.join()).toContain("setup program");
		},
	);
});
