import { describe, expect, it } from "vitest";
import { freeName, nameProblem, suggestName } from "../../../../src/setup/entries/serverName.ts";
import { readTarget } from "../../../../src/servers/formats/targetText.ts";

function nameOf(text: string, taken: readonly string[] = []): string {
	const read = readTarget(text);
	return "reason" in read ? read.reason : suggestName(read.entry, new Set(taken));
}

describe("a suggested name (ADD-05)", () => {
	it.each([
		["npx -y @modelcontextprotocol/server-memory@1.2.3", "server-memory"],
		["npx -y @playwright/mcp@latest", "playwright"],
		["npx --package=@acme/tools-mcp acme", "tools-mcp"],
		["uvx mcp-server-git --repository .", "mcp-server-git"],
		["uvx --from git+https://github.com/acme/weather serve", "serve"],
		["uv --directory /srv/weather run main.py", "weather"],
		["uv run --with mcp server.py", "server"],
		["python -m mcp_weather --port 1", "mcp_weather"],
		["node ./build/weather.js", "weather"],
		["node /srv/weather/dist/index.js", "weather"],
		["docker run -i --rm -e GITHUB_TOKEN -v /a:/b ghcr.io/github/github-mcp-server:1.2", "github-mcp-server"],
		["docker run -i --rm mcp/fetch", "fetch"],
		["npx mcp-remote https://mcp.linear.app/sse", "linear"],
		["cmd /c npx -y @acme/files", "files"],
		["/usr/local/bin/thing", "thing"],
		["C:\\tools\\thing.exe --x", "thing"],
		["https://mcp.example.com/x", "example"],
		["https://api.githubcopilot.com/mcp/", "githubcopilot"],
		["http://127.0.0.1:3000/mcp", "127.0.0.1"],
		["localhost:3000/mcp", "localhost"],
	])("is that of the package, image, file or host: %s", (line, name) => {
		expect(nameOf(line)).toBe(name);
	});

	it("is not one that is in use", () => {
		expect(nameOf("thing", ["thing", "thing-2"])).toBe("thing-3");
		expect(freeName("a", new Set())).toBe("a");
	});
});

describe("a name that a user gives", () => {
	it.each([
		["", /Enter a name/],
		["  ", /Enter a name/],
		[" a", /space/],
		["a\nb", /hidden characters/],
		["a\u200Bb", /hidden characters/],
		["x".repeat(101), /more than 100/],
		["__proto__", /another name/],
		["taken", /Another server/],
	])("is refused with the reason: %j", (name, reason) => {
		expect(nameProblem(name, new Set(["taken"]))).toMatch(reason);
	});

	it("may hold readable characters of any script", () => {
		expect(nameProblem("Übersicht 2 (neu)", new Set(["taken"]))).toBeUndefined();
	});
});
