/** A `server.json` of a registry becomes a definition, or is refused with the reason (REG-04, REG-05). */
import { describe, expect, it } from "vitest";
import { waysOf } from "../../../../src/setup/serverJson/serverJson.ts";
import { parseConfig } from "../../../../src/servers/definitions/parseConfig.ts";
import { npmPackage } from "../../../servers/registryServer.ts";
import { userOrigin } from "../../servers/fixtures.ts";
import { definedWays, server } from "../registry/listedServer.ts";

/** The entry that one package or remote becomes. */
function entryOf(more: object): unknown {
	const found = definedWays(more).map(({ server: one }) => one);
	const value = Object.fromEntries(found.map(({ entry }, index) => [`s${index}`, entry]));
	const parsed = parseConfig({ origin: userOrigin, content: { value, inputs: found.flatMap(({ inputs }) => inputs) } });
	expect(parsed.problems.filter(({ severity }) => severity === "error")).toEqual([]);
	return found[0]?.entry;
}

describe("A package becomes the command that runs it (REG-04)", () => {
	it.each([
		["npm", npmPackage("@acme/weather"), { command: "npx", args: ["-y", "@acme/weather@1.2.0"] }],
		["npm by bun", npmPackage("weather", { runtimeHint: "bunx" }), { command: "bunx", args: ["-y", "weather@1.2.0"] }],
		[
			"PyPI",
			{ registryType: "pypi", registryBaseUrl: "https://pypi.org", identifier: "weather-mcp", version: "0.5.0" },
			{ command: "uvx", args: ["weather-mcp@0.5.0"] },
		],
		[
			"NuGet",
			{
				registryType: "nuget",
				identifier: "Knapcode.SampleMcpServer",
				version: "0.4.0-beta",
				packageArguments: [
					{ type: "positional", value: "mcp" },
					{ type: "positional", value: "start" },
				],
			},
			{ command: "dnx", args: ["Knapcode.SampleMcpServer@0.4.0-beta", "--yes", "--", "mcp", "start"] },
		],
		[
			"a container",
			{
				registryType: "oci",
				identifier: "docker.io/acme/weather:1.2.0",
				environmentVariables: [{ name: "MODE", value: "quiet" }],
			},
			{
				command: "docker",
				args: ["run", "-i", "--rm", "-e", "MODE", "docker.io/acme/weather:1.2.0"],
				env: { MODE: "quiet" },
			},
		],
		[
			"a container of the older form",
			{ registryType: "oci", registryBaseUrl: "https://docker.io", identifier: "mcp/filesystem", version: "1.0.2" },
			{ command: "docker", args: ["run", "-i", "--rm", "mcp/filesystem:1.0.2"] },
		],
		[
			"a container of the older form, from elsewhere",
			{ registryType: "oci", registryBaseUrl: "https://ghcr.io", identifier: "acme/weather", version: "1.0.2" },
			{ command: "docker", args: ["run", "-i", "--rm", "ghcr.io/acme/weather:1.0.2"] },
		],
		[
			"a container with variables that may be left out",
			{ registryType: "oci", identifier: "acme/weather:1.2.0", environmentVariables: [{ name: "UNITS" }] },
			{ command: "docker", args: ["run", "-i", "--rm", "-e", "UNITS", "acme/weather:1.2.0"] },
		],
		[
			"another registry",
			npmPackage("weather", { registryBaseUrl: "https://npm.example.com/x" }),
			{ command: "npx", args: ["-y", "--registry", "https://npm.example.com/x", "weather@1.2.0"] },
		],
	])("of %s", (_what, one, expected) => {
		expect(entryOf({ packages: [one] })).toEqual({ type: "stdio", ...expected });
	});

	it.each([
		["--package=evil-package", "evil-bin"],
		["--package", "evil-package", "evil-bin"],
		["-p", "evil-package"],
		["evil-package"],
	])("that run another package than the listed one show it: %s %s", (...values) => {
		const runtimeArguments = values.map((value) => ({ type: "positional", value }));
		const [way] = definedWays({ packages: [npmPackage("@acme/weather", { runtimeArguments })] });
		expect(way?.label).toBe("npm package evil-package");
		expect(way?.package).toMatchObject({ name: "evil-package", isPinned: false });
		expect(way?.server.remarks).toContain("It is listed as @acme/weather, but it runs “evil-package”.");
	});

	it("of an option with a value are not mistaken for another package", () => {
		const runtimeArguments = [{ type: "named", name: "--node-options", value: "inspect" }];
		const [way] = definedWays({ packages: [npmPackage("weather", { runtimeArguments })] });
		expect(way).toMatchObject({ label: "npm package weather 1.2.0", server: { remarks: [] } });
	});

	it("with its arguments in their order, requested values as inputs, and optional ones listed", () => {
		const ways = definedWays({
			packages: [
				npmPackage("weather", {
					runtimeArguments: [
						{
							type: "named",
							name: "--node-options",
							value: "--max-old-space-size={mb}",
							variables: { mb: { default: "512" } },
						},
					],
					packageArguments: [
						{ type: "named", name: "--host", default: "localhost", isRequired: true },
						{ type: "named", name: "--port", description: "Port", format: "number" },
						{ type: "named", name: "--verbose" },
						{
							type: "positional",
							valueHint: "database_name",
							description: "Database",
							isRequired: true,
							isRepeated: true,
						},
						{
							type: "positional",
							value: "{mode}:{other}",
							variables: { mode: { isRequired: true, choices: ["a", "b"] } },
						},
					],
					environmentVariables: [
						{ name: "WEATHER_KEY", description: "API key", isRequired: true, isSecret: true, default: "leaked" },
						{ name: "UNITS", default: "celsius", choices: ["celsius", "kelvin"] },
						{ name: "PROXY", description: "A proxy" },
					],
				}),
			],
		});
		expect(ways[0]?.server.entry).toEqual({
			type: "stdio",
			command: "npx",
			args: [
				"-y",
				"--node-options",
				"--max-old-space-size=512",
				"weather@1.2.0",
				"--host",
				"localhost",
				"--verbose",
				"${input:database_name}",
				"${input:mode}:{other}",
			],
			env: { WEATHER_KEY: "${input:WEATHER_KEY}", UNITS: "celsius" },
		});
		expect(ways[0]?.server.inputs).toEqual([
			{ type: "promptString", id: "database_name", description: "Database" },
			{ type: "pickString", id: "mode", description: "mode", options: ["a", "b"] },
			{ type: "promptString", id: "WEATHER_KEY", description: "API key", password: true },
		]);
		expect(ways[0]?.asks).toEqual(["database_name", "mode", "WEATHER_KEY (secret)"]);
		const remarks = ways[0]?.server.remarks.join("\n");
		expect(remarks).toContain("“port” is optional and was left out: Port.");
		expect(remarks).not.toContain("PROXY");
		expect(ways[0]?.server.optional).toEqual([{ kind: "env", name: "PROXY", about: "A proxy", isSecret: false }]);
		expect(remarks).toContain("“database_name” may be given several times");
	});
});

describe("An address becomes a remote server (REG-04)", () => {
	it("that begins with a value of the user", () => {
		const variables = { baseUrl: { description: "Your instance", isRequired: true } };
		const [way] = definedWays({ remotes: [{ type: "streamable-http", url: "{baseUrl}/mcp", variables }] });
		expect(way).toMatchObject({
			label: "Remote server at an address that you enter",
			server: { entry: { url: "${input:baseUrl}/mcp" }, inputs: [{ id: "baseUrl", description: "Your instance" }] },
		});
		const unknown = waysOf(server({ remotes: [{ type: "sse", url: "{baseUrl}/mcp" }] }));
		expect(unknown.refused.join()).toContain("not the address of a server");
	});

	it("with variables and headers", () => {
		const remote = {
			type: "streamable-http",
			url: "https://{tenant}.example.com/{region}/mcp",
			variables: { tenant: { description: "Your tenant", isRequired: true }, region: { default: "eu" } },
			headers: [
				{ name: "Authorization", value: "Bearer {token}", variables: { token: { isRequired: true, isSecret: true } } },
				{ name: "X-Region", default: "us-east-1" },
				{ name: "X-Optional" },
			],
		};
		expect(entryOf({ remotes: [remote] })).toEqual({
			type: "http",
			url: "https://${input:tenant}.example.com/eu/mcp",
			headers: { Authorization: "Bearer ${input:token}", "X-Region": "us-east-1" },
		});
		expect(entryOf({ remotes: [{ type: "sse", url: "https://a.example/sse" }] })).toEqual({
			type: "sse",
			url: "https://a.example/sse",
		});
	});
});

describe("A malicious server.json is refused with the reason (REG-05)", () => {
	const env = (value: object) => npmPackage("a", { environmentVariables: [value] });
	it.each([
		[
			"an option for a name",
			{ packages: [npmPackage("--registry=https://evil.example")] },
			"not a valid name of an npm package",
		],
		["an address for a name", { packages: [npmPackage("https://evil.example/a.tgz")] }, "not a valid name of"],
		["a path for a name", { packages: [npmPackage("../evil")] }, "not a valid name of"],
		["a second command behind a name", { packages: [npmPackage("a; rm -rf ~")] }, "not a valid name of"],
		[
			"an option for an image",
			{ packages: [{ registryType: "oci", identifier: "--privileged" }] },
			"not a valid name of",
		],
		["an option for a version", { packages: [npmPackage("a", { version: "-c evil" })] }, "not a valid version"],
		["a range for a version", { packages: [npmPackage("a", { version: "^1.0.0" })] }, "not a valid version"],
		["a shell that runs it", { packages: [npmPackage("a", { runtimeHint: "bash" })] }, "“bash” does not run"],
		["a path of what runs it", { packages: [npmPackage("a", { runtimeHint: "/tmp/npx" })] }, "does not run"],
		[
			"a plain registry",
			{ packages: [npmPackage("a", { registryBaseUrl: "http://evil.example" })] },
			"does not use https",
		],
		[
			"an image with two declared sources",
			{ packages: [{ registryType: "oci", identifier: "docker.io/a/b", registryBaseUrl: "https://evil.example" }] },
			"comes from evil.example, but its name refers to docker.io",
		],
		[
			"this machine's secret in a variable",
			{ packages: [env({ name: "A", value: "${env:AWS_SECRET_ACCESS_KEY}" })] },
			"read as a variable",
		],
		[
			"this machine's secret put together of parts",
			{ packages: [env({ name: "A", value: "{s}{env:TOKEN}", variables: { s: { value: "$" } } })] },
			"read as a variable",
		],
		[
			"this machine's secret put together of defaults, in an address",
			{
				remotes: [
					{
						type: "streamable-http",
						url: "https://a.example/{s}{b}",
						variables: { s: { default: "$" }, b: { default: "{env:TOKEN}" } },
					},
				],
			},
			"read as a variable",
		],
		[
			"this machine's secret in a default",
			{ packages: [env({ name: "A", default: "${env:HOME}" })] },
			"read as a variable",
		],
		[
			"this machine's secret in an address",
			{ remotes: [{ type: "sse", url: "https://evil.example/${env:TOKEN}" }] },
			"read as a variable",
		],
		[
			"this machine's secret in a header",
			{ remotes: [{ type: "sse", url: "https://a.example", headers: [{ name: "X", value: "${env:TOKEN}" }] }] },
			"read as a variable",
		],
		[
			"a name that sets another variable",
			{ packages: [env({ name: "A=B;NODE_OPTIONS", value: "x" })] },
			"has an invalid name",
		],
		[
			"two lines in a header",
			{ remotes: [{ type: "sse", url: "https://a.example", headers: [{ name: "X", value: "a\r\nHost: b" }] }] },
			"control characters",
		],
		["a script for an address", { remotes: [{ type: "sse", url: "javascript:alert(1)" }] }, "not the address"],
		["a file for an address", { remotes: [{ type: "streamable-http", url: "file:///etc/passwd" }] }, "not the address"],
		[
			"a password in an address",
			{ remotes: [{ type: "sse", url: "https://a:b@evil.example" }] },
			"user name or a password",
		],
		[
			"an argument that is no option",
			{ packages: [npmPackage("a", { packageArguments: [{ type: "named", name: "; evil", value: "x" }] })] },
			"invalid name",
		],
		[
			"thousands of arguments",
			{
				packages: [
					npmPackage("a", {
						packageArguments: Array.from({ length: 1000 }, () => ({ type: "positional", value: "x" })),
					}),
				],
			},
			"more than 100",
		],
		["arguments that are no list", { packages: [npmPackage("a", { packageArguments: "--evil" })] }, "not a list"],
		["a text without end", { packages: [env({ name: "A", value: "x".repeat(10_000) })] }, "longer than"],
		[
			"a server that is started by hand",
			{ packages: [npmPackage("a", { transport: { type: "streamable-http", url: "http://127.0.0.1:1" } })] },
			"standard input",
		],
	])("%s", (_what, more, reason) => {
		const { ways, refused } = waysOf(server(more));
		expect(ways).toEqual([]);
		expect(refused.join()).toContain(reason);
	});

	it.each([
		["a plain address of a bundle", { identifier: "http://a.example/a.mcpb" }, "not the https address"],
		["a file for a bundle", { identifier: "file:///etc/passwd" }, "not the https address"],
		["a password before a bundle", { identifier: "https://a:b@a.example/a.mcpb" }, "not the https address"],
		[
			"a hash of a bundle that is none",
			{ identifier: "https://a.example/a.mcpb", fileSha256: "00" },
			"hash of the bundle is not valid",
		],
	])("%s", (_what, more, reason) => {
		const { ways, refused } = waysOf(server({ packages: [{ registryType: "mcpb", ...more }] }));
		expect(ways).toEqual([]);
		expect(refused.join()).toContain(reason);
	});

	it("a bundle has its required hash", () => {
		const hash = "AB".repeat(32);
		const one = { registryType: "mcpb", identifier: "https://a.example/a.mcpb", fileSha256: hash };
		const [way] = waysOf(server({ packages: [one] })).ways;
		expect(way).toMatchObject({ bundle: { url: "https://a.example/a.mcpb", sha256: hash.toLowerCase() } });
	});

	it("and unsupported kinds are left out", () => {
		expect(waysOf(server({ packages: [{ registryType: "cargo", identifier: "a" }] }))).toEqual({
			ways: [],
			refused: [],
		});
	});
});
