/** Addresses of pages about a server that are not its own (ADD-07). */
import { describe, expect, it } from "vitest";
import { readPage } from "../../../../src/servers/formats/packagePages.ts";
import { readPasted } from "../../../../src/servers/formats/readPasted.ts";

describe("The page of a package is read as the command that runs the package (ADD-07)", () => {
	it.each([
		["https://www.npmjs.com/package/@acme/weather", "npx", ["-y", "@acme/weather"]],
		["https://www.npmjs.com/package/weather/v/1.2.0?activeTab=readme", "npx", ["-y", "weather@1.2.0"]],
		["<https://npmjs.com/package/weather/>", "npx", ["-y", "weather"]],
		["https://pypi.org/project/mcp-server-fetch/", "uvx", ["mcp-server-fetch"]],
		["https://pypi.org/project/mcp-server-fetch/2026.1.1/#files", "uvx", ["mcp-server-fetch@2026.1.1"]],
		["https://www.nuget.org/packages/NuGet.Mcp.Server/0.3.0", "dnx", ["NuGet.Mcp.Server@0.3.0", "--yes"]],
		["https://hub.docker.com/r/mcp/fetch/tags", "docker", ["run", "-i", "--rm", "mcp/fetch"]],
		["https://hub.docker.com/_/memcached", "docker", ["run", "-i", "--rm", "memcached"]],
	])("%s", (address, command, args) => {
		const { servers, refused } = readPasted(address);
		expect(refused).toEqual([]);
		expect(servers).toMatchObject([{ entry: { type: "stdio", command, args } }]);
		expect(servers[0]?.remarks.join()).toContain("derived from the address of the page only");
	});
});

describe("An address that only names a server is searched for in the registry (ADD-07)", () => {
	it.each([
		["vscode:mcp/by-name/io.github.upstash/context7", "io.github.upstash/context7"],
		["vscode-insiders:mcp/by-name/io.github.upstash/context7", "io.github.upstash/context7"],
		["vscode:mcp/by-name/github", "github"],
		[
			"https://aka.ms/awesome-copilot/install/mcp-vscode?vscode:mcp/by-name/io.github.upstash/context7/mcp-server",
			"io.github.upstash/context7",
		],
		[
			"https://vscode.dev/redirect?url=vscode%3Amcp%2Fby-name%2Fio.github.upstash%2Fcontext7",
			"io.github.upstash/context7",
		],
		["https://github.com/mcp/upstash/context7", "upstash/context7"],
		[
			"https://registry.modelcontextprotocol.io/v0.1/servers/io.github.upstash%2Fcontext7/versions/latest",
			"io.github.upstash/context7",
		],
		["https://registry.example/base/v0/servers/io.acme%2Fweather", "io.acme/weather"],
	])("%s", (address, name) => {
		const read = readPasted(address);
		expect(read).toMatchObject({ servers: [], listed: name });
		expect(read.refused.map(({ reason }) => reason)).toEqual([
			`This names the server “${name}”, but not the command to run. Search the registry for it.`,
		]);
	});

	it.each([
		"https://github.com/acme/weather",
		"https://github.com/acme/weather.git",
		"https://github.com/acme/weather/tree/main/src#readme",
		"https://gitlab.com/acme/weather/",
	])("the page of a repository is not a server: %s", (address) => {
		const read = readPasted(address);
		expect(read).toMatchObject({ servers: [], listed: "acme/weather" });
		expect(read.refused[0]?.reason).toContain("the page of a repository, not the address of a server");
	});
});

it.each([
	"https://api.githubcopilot.com/mcp/",
	"https://mcp.example.com/package/weather",
	"https://github.com/login",
	"https://evil.example/npmjs.com/package/weather",
	"https://npmjs.com.evil.example/package/weather",
	"https://pypi.org/project/--index-url=evil",
	"https://www.npmjs.com/package/../../evil",
	"http://www.npmjs.com/package/weather",
	"npx -y weather",
	"Read https://github.com/acme/weather first",
])("Any other address is neither: %s", (text) => expect(readPage(text)).toBeUndefined());
