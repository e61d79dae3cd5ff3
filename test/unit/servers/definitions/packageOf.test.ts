import { describe, expect, it } from "vitest";
import { isUnpinned, packageOf, withVersion } from "../../../../src/servers/definitions/packageOf.ts";

describe("The package that a command line runs", () => {
	it.each([
		["npx -y @acme/mcp@latest --x", "@acme/mcp", "latest", true],
		["npx @acme/mcp", "@acme/mcp", undefined, true],
		["npx -y acme-mcp@1.2.3", "acme-mcp", "1.2.3", false],
		["npx --package=acme@^2 acme-mcp", "acme", "^2", true],
		["npx -p acme@2.0.0 acme-mcp", "acme", "2.0.0", false],
		["/usr/bin/pnpm dlx acme", "acme", undefined, true],
		["uvx --python 3.12 mcp-server-git", "mcp-server-git", undefined, true],
		["uvx mcp-server-git==2.1.0", "mcp-server-git", "2.1.0", false],
		["uvx --from git+https://x.example/y tool", "git+https://x.example/y", undefined, false],
		["docker run -i --rm -e KEY -v /a:/b ghcr.io/acme/mcp:latest", "ghcr.io/acme/mcp", "latest", true],
		["docker run -i localhost:5000/acme:1.4", "localhost:5000/acme", "1.4", false],
		["dnx Acme.Weather@1.2.0 --yes -- --fast", "Acme.Weather", "1.2.0", false],
		["dnx --source https://a.example Acme.Weather --yes", "Acme.Weather", undefined, true],
		["dnx Acme.Weather@*", "Acme.Weather", "*", true],
		["npx ./local", "./local", undefined, false],
		["cmd /c npx -y @acme/mcp", "@acme/mcp", undefined, true],
		[String.raw`C:\Windows\System32\cmd.exe /C npx.cmd -y acme@1.2.3`, "acme", "1.2.3", false],
		["cmd /c uvx mcp-server-git==2.1.0", "mcp-server-git", "2.1.0", false],
	])("of %s", (line, name, version, unpinned) => {
		const [command = "", ...args] = line.split(" ");
		const launched = packageOf(command, args);
		expect(launched).toMatchObject({ name, version });
		expect(launched !== undefined && isUnpinned(launched)).toBe(unpinned);
	});

	it.each(["node server.js", "npx", "cmd /c dir", "cmd /c", "docker ps", "python -m acme"])(
		"of %s is not recognised",
		(line) => {
			const [command = "", ...args] = line.split(" ");
			expect(packageOf(command, args)).toBeUndefined();
		},
	);
});

describe("A version after the name of a package (REG-11)", () => {
	it.each([
		["npx -y @acme/mcp@latest --x", "@acme/mcp@9.1.0"],
		["npx @acme/mcp", "@acme/mcp@9.1.0"],
		["npx --package=acme@^2 acme-mcp", "--package=acme@9.1.0"],
		["uvx mcp-server-git", "mcp-server-git@9.1.0"],
		["uvx mcp-server-git==2.1.0", "mcp-server-git==9.1.0"],
		["uvx --from=acme tool", "--from=acme==9.1.0"],
	])("of %s", (line, argument) => {
		const [command = "", ...args] = line.split(" ");
		const launched = packageOf(command, args);
		expect(launched && withVersion(args[launched.index] ?? "", launched, "9.1.0")).toBe(argument);
	});
});
