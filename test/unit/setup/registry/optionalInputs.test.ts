import { describe, expect, it } from "vitest";
import { waysOf } from "../../../../src/setup/serverJson/serverJson.ts";
import { npmPackage } from "../../../servers/registryServer.ts";
import { definedWays, server } from "./listedServer.ts";

describe("Optional inputs are offered (REG-16)", () => {
	it("with their purpose, their choices, and an example", () => {
		const [way] = definedWays({
			packages: [
				npmPackage("weather", {
					environmentVariables: [
						{ name: "TOKEN", description: "A token.", isSecret: true, placeholder: "wx-123" },
						{ name: "UNITS", choices: ["celsius", "kelvin"] },
						{ name: "KEY", isRequired: true },
					],
				}),
			],
		});
		expect(way?.server.optional).toEqual([
			{ kind: "env", name: "TOKEN", about: "A token. Such as wx-123", isSecret: true },
			{ kind: "env", name: "UNITS", about: "One of celsius, kelvin", isSecret: false },
		]);
		expect(way?.asks).toEqual(["KEY"]);
	});

	it("headers as well", () => {
		const headers = [{ name: "X-Key", description: "Key\u202E of\nyours", isSecret: true }];
		const [way] = definedWays({ remotes: [{ type: "streamable-http", url: "https://a.example/mcp", headers }] });
		expect(way?.server.entry).not.toHaveProperty("headers");
		expect(way?.server.optional).toEqual([
			{ kind: "header", name: "X-Key", about: String.raw`Key\u202E of yours`, isSecret: true },
		]);
	});
});

describe("The remaining manual steps (REG-16)", () => {
	const steps = [
		{ description: "Register the service", command: "weather service install", optional: true },
		{ description: "Read\u202E this", documentation: "https://a.example/docs" },
		{ command: "rm -rf ~" },
		"no step",
	];
	const said = [
		"Optional manual step after installing, according to its publisher: Register the service (run weather service install).",
		String.raw`Manual step after installing, according to its publisher: Read\u202E this (see https://a.example/docs).`,
	];
	it("are shown for a package and for a bundle, and are not part of the command", () => {
		const [way] = definedWays({ packages: [npmPackage("weather", { postInstallInstructions: steps })] });
		expect(way?.server.remarks).toEqual(said);
		expect(JSON.stringify(way?.server.entry)).not.toContain("service");
		const bundle = { registryType: "mcpb", identifier: "https://a.example/a.mcpb", postInstallInstructions: steps };
		expect(waysOf(server({ packages: [bundle] })).ways[0]).toMatchObject({ steps: said });
	});
});
