/** A `server.json` that is pasted (ADD-07). */
import { describe, expect, it } from "vitest";
import { readPasted } from "../../../../src/servers/formats/readPasted.ts";
import { readServerJson } from "../../../../src/setup/serverJson/pastedServerJson.ts";
import { npmPackage, registryEntry } from "../../../servers/registryServer.ts";
import { addingScene } from "../entries/addingScene.ts";

const bundle = { registryType: "mcpb", identifier: "https://a.example/a.mcpb", fileSha256: "ab".repeat(32) };
const remotes = [{ type: "streamable-http", url: "https://a.example/mcp" }];
const pasted = (more: object): string => JSON.stringify(registryEntry("io.acme/weather", more)["server"]);

describe("A pasted server.json (ADD-07)", () => {
	it("is read in a registry's, a repository's and an answer's form", () => {
		const expected = { servers: [{ name: "weather", entry: { args: ["-y", "weather@1.2.0"] } }], refused: [] };
		const entry = registryEntry("io.acme/weather", { packages: [npmPackage("weather")] });
		expect(readServerJson(JSON.stringify(entry["server"]))).toMatchObject(expected);
		expect(readServerJson(`\n${JSON.stringify(entry, undefined, "\t")}\n`)).toMatchObject(expected);
	});

	it("with several ways offers each, and chooses one", () => {
		const readText = (text: string) => readServerJson(text) ?? readPasted(text);
		const text = pasted({ packages: [npmPackage("weather")], remotes });
		const { adding, candidate } = addingScene(text, { readPasted: readText });
		expect([candidate(0), candidate(1)].map(({ isChosen }) => isChosen)).toEqual([true, false]);
		expect(adding.chosen.map(({ written }) => written["url"])).toEqual(["https://a.example/mcp"]);
		expect(candidate(1).source.remarks[0]).toBe("npm package weather 1.2.0.");
	});

	it("of a bundle leads to that, with the required hash", () => {
		const opened: unknown[] = [];
		const readText = (text: string) => readServerJson(text) ?? readPasted(text);
		const { adding } = addingScene(pasted({ packages: [bundle] }), {
			readPasted: readText,
			openBundle: (...found) => void opened.push(found),
		});
		adding.lookInto(adding.groups[0]?.id ?? "", "bundle");
		expect(opened).toEqual([["https://a.example/a.mcpb", "ab".repeat(32)]]);
		const both = readServerJson(pasted({ packages: [npmPackage("weather"), bundle] }));
		expect(both?.refused[0]?.reason).toBe(
			"It is also available as a bundle. Paste https://a.example/a.mcpb to inspect it.",
		);
	});

	it("that is unusable is refused with the reason", () => {
		const evil = readServerJson(pasted({ packages: [npmPackage("a; rm -rf ~")] }));
		expect(evil).toMatchObject({ servers: [] });
		expect(evil?.refused[0]?.reason).toContain("not a valid name of an npm package");
		const cargo = readServerJson(pasted({ packages: [{ registryType: "cargo", identifier: "a" }] }));
		expect(cargo?.refused[0]?.reason).toBe("MCP Host does not support its package types.");
	});

	it.each([
		"{",
		"[]",
		'{"mcpServers": {"a": {"command": "npx"}}}',
		'{"name": "weather", "version": "1.0.0"}',
		'{"name": "io.acme/weather", "version": "1.0.0"}',
		'{"server": {"name": "io.acme/weather"}}',
	])("is nothing else: %s", (text) => expect(readServerJson(text)).toBeUndefined());
});
