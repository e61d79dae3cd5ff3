/** Servers and bundles of this machine are found beside those of a registry (REG-13). */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import type { ForeignServer } from "../../../../src/servers/formats/foreignServer.ts";
import type { CandidateSource } from "../../../../src/setup/entries/candidateSource.ts";
import { bundleRows, hostRows } from "../../../../src/setup/registry/localRows.ts";
import { bundleOf } from "../bundles/zipArchive.ts";
import { localServer } from "../entries/addingScene.ts";

function server(name: string, entry: ForeignServer["entry"], isOff = false): ForeignServer {
	return { name, entry, inputs: [], isOff, tools: {}, remarks: [] };
}

function host(heading: string, ...servers: readonly ForeignServer[]): CandidateSource {
	return { heading, found: { format: heading, servers, refused: [] } };
}

it("Servers of other hosts are rows, each once, without existing ones and without their secrets (REG-13)", () => {
	const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
	const github = { command: "npx", args: ["-y", "github-mcp", "--token", token], env: { GITHUB_TOKEN: token } };
	const rows = hostRows(
		[
			host("Claude Desktop", server("github", github), server("there", { command: "uvx", args: ["a"] })),
			host("Cursor", server("hub", github), server("off\u202E", { url: "https://a.example/mcp" }, true)),
		],
		[{ name: "x", config: localServer("uvx", "a") }],
		() => false,
	);
	expect(rows.map(({ label, description }) => [label, description])).toEqual([
		["github", "Claude Desktop"],
		[String.raw`off\u202E`, "Cursor · switched off there"],
	]);
	expect(JSON.stringify(rows.map(({ label, description, detail }) => [label, description, detail]))).not.toContain(
		token,
	);
	expect(rows[0]?.detail).toContain("npx -y github-mcp");
	expect(rows[0]?.detail).toContain("GITHUB_TOKEN (secret)");
	expect(rows[0]?.opens).toMatchObject({ heading: "Claude Desktop", found: { servers: [{ name: "github" }] } });
});

it("Bundles in files are rows with their command, and invalid ones with the reason (REG-13)", async () => {
	const folder = await mkdtemp(path.join(tmpdir(), "mcp-host-local-"));
	try {
		const paths = ["weather.mcpb", "broken.mcpb", "gone.mcpb"].map((name) => path.join(folder, name));
		await writeFile(paths[0] ?? "", bundleOf());
		await writeFile(paths[1] ?? "", "no archive");
		const rows = await bundleRows(paths, "linux");
		expect(rows[0]).toMatchObject({ label: "weather", opens: paths[0] });
		expect(rows[0]?.description).toContain("weather.mcpb");
		expect(rows[0]?.detail).toMatch(/^node /);
		expect(rows[1]).toMatchObject({
			label: "broken.mcpb",
			description: "cannot be installed",
			detail: expect.stringContaining("is not a ZIP archive") as string,
		});
		expect(rows[2]?.description).toBe("cannot be installed");
		// Without a request, only a quick look is taken.
		await writeFile(paths[0] ?? "", bundleOf(Array.from({ length: 5001 }, (_, n) => ({ name: `lib/${n}` }))));
		expect((await bundleRows(paths.slice(0, 1), "linux"))[0]).toMatchObject({
			label: "weather.mcpb",
			description: expect.stringMatching(/KB$/) as string,
		});
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
});
