/** Servers as other hosts write them, and the reported losses (EXP-01, EXP-02). */
import { describe, expect, it } from "vitest";
import { exportTarget, exportTargets } from "../../../../src/servers/formats/exportTargets.ts";
import type { ForeignServer } from "../../../../src/servers/formats/foreignServer.ts";
import { foreignHosts } from "../../../../src/servers/formats/hosts.ts";
import { readConfiguration } from "../../../../src/servers/formats/readConfiguration.ts";
import { readPasted } from "../../../../src/servers/formats/readPasted.ts";
import { writeConfiguration, writeSnippet } from "../../../../src/servers/formats/writeConfiguration.ts";
import { type ExportedServer, writeEntry } from "../../../../src/servers/formats/writeEntry.ts";
import { linkTargets, writeBadges } from "../../../../src/servers/formats/writeLinks.ts";
import { hostFixtures } from "./hostFixtures.ts";
import { randomFrom, randomServer, randomServers } from "./randomServers.ts";

const rounds = 300;
/** The relevant members of a server that was read. */
function essence({ name = "", entry, inputs, isOff }: Omit<ExportedServer, "name"> & { readonly name?: string }) {
	const idOf = ({ id }: ExportedServer["inputs"][number]): string => (typeof id === "string" ? id : "");
	const used = inputs.filter((input) => JSON.stringify(entry).includes(`\${input:${idOf(input)}}`));
	return { name, entry, isOff, inputs: used.toSorted((a, b) => idOf(a).localeCompare(idOf(b))) };
}
function ofImport(servers: readonly ForeignServer[] | undefined) {
	return (servers ?? []).map(({ name = "", entry: { disabled: _off, ...entry }, inputs, isOff }) =>
		essence({ name, entry, inputs, isOff }),
	);
}

describe.each(exportTargets)("Servers as $label writes them (EXP-01)", (target) => {
	it("are read back unchanged, except for reported losses", () => {
		const random = randomFrom(target.id.length * 7919);
		let whole = 0;
		for (let round = 0; round < rounds; round++) {
			const servers = randomServers(random);
			const { text, changes, count } = writeConfiguration(servers, target);
			const read = readConfiguration(text, target.id);
			expect(read?.refused ?? [], text).toEqual([]);
			expect(read?.servers.length ?? 0).toBe(count);
			const told = new Set(changes.map(({ server }) => server));
			const intact = servers.filter(({ name }) => !told.has(name));
			whole += intact.length;
			const back = ofImport(read?.servers);
			for (const server of intact) {
				expect(
					back.find(({ name }) => name === server.name),
					text,
				).toEqual(essence(server));
			}
			// Lost members are not lost again.
			const again = (read?.servers ?? []).map(({ name = "", entry, inputs, isOff }) => ({
				name,
				entry,
				inputs,
				isOff,
			}));
			expect(ofImport(readConfiguration(writeConfiguration(again, target).text, target.id)?.servers), text).toEqual(
				back,
			);
		}
		expect(whole).toBeGreaterThan(rounds / 20);
	});

	it("hold its own documentation's example, read and written again", () => {
		const fixture = hostFixtures.find(({ host }) => host === target.id);
		if (fixture === undefined) return;
		const read = readConfiguration(fixture.text, fixture.host)?.servers ?? [];
		const servers = read.map(({ name = "", entry, inputs, isOff }) => ({ name, entry, inputs, isOff }));
		const { text, changes } = writeConfiguration(servers, target);
		const back = ofImport(readConfiguration(text, target.id)?.servers);
		const told = new Set(changes.map(({ server }) => server));
		for (const server of servers) if (!told.has(server.name)) expect(back).toContainEqual(essence(server));
	});
});

it("There is a format for each host whose files are read (EXP-01)", () => {
	expect(exportTargets.map(({ id }) => id).toSorted()).toEqual(foreignHosts.map(({ id }) => id).toSorted());
});

const secretive: ExportedServer = {
	name: "small",
	entry: {
		type: "stdio",
		command: "npx",
		args: ["-y", "pkg", "--root", "${workspaceFolder}"],
		env: { API_KEY: "${input:small-key}", HOST: "${env:HOST:-localhost}", TOKEN: "${env:TOKEN:-sk-abcdefghijklmnop}" },
	},
	inputs: [{ type: "promptString", id: "small-key", description: "Key of Small", password: true }],
	isOff: false,
};
const remote: ExportedServer = {
	name: "remote",
	entry: { type: "http", url: "https://a.example/mcp", headers: { Authorization: "Bearer ${input:small-key}" } },
	inputs: secretive.inputs,
	isOff: false,
};

describe("Requirements and gaps of a host are reported (EXP-02)", () => {
	const written = (id: (typeof foreignHosts)[number]["id"]) => {
		const { text, changes } = writeConfiguration([secretive, remote], exportTarget(id), "linux");
		return { text, told: changes.map(({ server, what }) => `${server}: ${what}`).join("\n") };
	};

	it("an input becomes the variable of the environment that it fills, if there are variables", () => {
		const { text, told } = written("claude-code");
		expect(JSON.parse(text)).toEqual({
			mcpServers: {
				small: {
					command: "npx",
					args: ["-y", "pkg", "--root", "<workspaceFolder>"],
					env: { API_KEY: "${API_KEY}", HOST: "${HOST:-localhost}", TOKEN: "${TOKEN}" },
				},
				remote: { type: "http", url: "https://a.example/mcp", headers: { Authorization: "Bearer ${SMALL_KEY}" } },
			},
		});
		expect(told).toContain(
			"small: Claude Code reads “Key of Small” from the environment variable API_KEY. Set that variable.",
		);
		expect(told).toContain("small: The default of TOKEN may be a secret and was left out.");
		expect(told).toContain(
			"small: Replace <workspaceFolder> with the value for that place; here it is “${workspaceFolder}”.",
		);
	});

	it("an input becomes a placeholder, if there are no variables", () => {
		const { text, told } = written("claude-desktop");
		expect(JSON.parse(text)).toMatchObject({
			mcpServers: { small: { env: { API_KEY: "<API_KEY>", HOST: "<HOST>" } } },
		});
		expect(text).not.toContain("remote");
		expect(told).toContain("remote: It was left out: this file holds local servers only.");
		expect(told).toContain("small: Replace <API_KEY> with the value for that place; here it is “Key of Small”.");
	});

	it("Codex receives variables by their names, and no token in a header", () => {
		const { text } = written("codex");
		expect(text).toContain('env_vars = [ "API_KEY" ]');
		expect(text).toContain('bearer_token_env_var = "SMALL_KEY"');
		expect(text).not.toContain("Bearer");
	});

	it("Goose keeps it as a secret of its own", () => {
		const { text, told } = written("goose");
		expect(text).toContain("env_keys:\n      - API_KEY\n");
		expect(told).toContain("small: Goose asks for API_KEY and stores it as a secret.");
	});

	it("no default that may be a secret is in any text", () => {
		for (const { id } of foreignHosts) expect(written(id).text, id).not.toContain("sk-abc");
		expect(writeSnippet([secretive]).text).not.toContain("sk-abc");
		for (const target of linkTargets) {
			const { text } = writeBadges([secretive], target);
			const links = readPasted(text).servers;
			expect(JSON.stringify(links), target.id).not.toContain("sk-abc");
		}
	});
});

describe("The text on a page (EXP-03)", () => {
	it("as a snippet is a block that can be pasted back, with placeholders", () => {
		const { text } = writeSnippet([secretive, remote]);
		expect(text).toMatch(/^Add these servers to the configuration of your MCP host:\n\n```json\n/);
		const read = readPasted(`# Small\n\n${text}\nMore.`);
		expect(read.refused).toEqual([]);
		expect(read.servers).toMatchObject([
			{ name: "small", entry: { command: "npx", env: { API_KEY: "<API_KEY>" } } },
			{ name: "remote", entry: { type: "http", headers: { Authorization: "Bearer <SMALL_KEY>" } } },
		]);
	});

	it.each(linkTargets)("as a badge for $label restores the server, except for reported losses", (target) => {
		const random = randomFrom(target.id.length * 104_729);
		let whole = 0;
		for (let round = 0; round < rounds; round++) {
			const server = randomServer(random, ["one", "two (2)", "a&b=c", "ü [x]", "it's"][round % 5] ?? "x");
			const { text, changes, count } = writeBadges([server], target);
			const read = readPasted(`# A page\n\nSome words.\n\n${text}\nMore words about it.\n`);
			if (count === 0) expect(changes).toHaveLength(1);
			else expect(read.refused, text).toEqual([]);
			if (changes.length > 0) continue;
			whole++;
			expect(ofImport(read.servers), text).toEqual([essence(server)]);
		}
		expect(whole).toBeGreaterThan(rounds / 20);
	});

	it("as a badge is one line, and no name breaks out of it", () => {
		const name = "x](https://evil.example) ![y";
		const target = linkTargets[0];
		if (target === undefined) throw new Error("There is no target.");
		const { text } = writeBadges([{ ...remote, name }], target);
		expect(text.trim().split("\n")).toHaveLength(1);
		expect(text).not.toContain("](https://evil");
		expect(text).toContain("Install x\\]\\(https\\:\\/\\/evil\\.example\\)");
	});

	it("reports a text that is too long for a link", () => {
		const long = { ...remote, entry: { ...remote.entry, headers: { A: "x".repeat(30_000) } } };
		for (const target of linkTargets) {
			const { count, changes } = writeBadges([long], target);
			expect(count).toBe(0);
			expect(changes[0]?.what).toMatch(/too long|cannot represent/);
		}
	});
});

describe("A server that npx starts (EXP-01)", () => {
	const server: ExportedServer = { name: "a", entry: { command: "npx", args: ["-y", "a"] }, inputs: [], isOff: false };

	it.each([
		["claude-code", "win32", "npx", ["cmd", "/c", "npx", "-y", "a"]],
		["claude-code", "win32", "uvx", ["uvx", "-y", "a"]],
		["claude-code", "linux", "npx", ["npx", "-y", "a"]],
		["vscode", "win32", "npx", ["npx", "-y", "a"]],
		["cursor", "win32", "npx", ["npx", "-y", "a"]],
	] as const)("is written for %s on %s with %s as %j", (id, platform, command, words) => {
		const one = { ...server, entry: { ...server.entry, command } };
		const { entry, changes } = writeEntry(one, exportTarget(id), platform);
		expect(entry).toMatchObject({ command: words[0], args: words.slice(1) });
		const isChanged = words[0] === "cmd";
		expect(changes.filter((change) => change.startsWith("On Windows"))).toEqual(
			isChanged ? ["On Windows, Claude Code starts “npx” by “cmd /c”. Remove both words for other systems."] : [],
		);
	});
});
