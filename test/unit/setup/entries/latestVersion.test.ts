/** The latest version of a package, according to its registry (REG-12). */
import { expect, it } from "vitest";
import { latestVersion, unboundPackage } from "../../../../src/setup/entries/latestVersion.ts";

const signal = new AbortController().signal;

/** Asks about a package with a given answer; returns the request, and the result. */
async function ask(command: string, args: readonly string[], body: unknown, status = 200) {
	const launched = unboundPackage({ command, args: [...args] });
	if (launched === undefined) throw new Error("It is none.");
	const asked: string[] = [];
	const fetch = async (url: string | URL): Promise<Response> => {
		asked.push(String(url));
		return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
	};
	return { asked, version: latestVersion(launched, { fetch }, signal) };
}

it("is the answer of npm and PyPI to only the package's name", async () => {
	const npm = await ask("npx", ["-y", "@acme/weather@latest", "--token", "secret"], { version: "1.4.0" });
	expect(await npm.version).toBe("1.4.0");
	expect(npm.asked).toEqual(["https://registry.npmjs.org/@acme%2Fweather/latest"]);
	const pypi = await ask("uvx", ["weather"], { info: { version: "2.0.0rc1" } });
	expect(await pypi.version).toBe("2.0.0rc1");
	expect(pypi.asked).toEqual(["https://pypi.org/pypi/weather/json"]);
});

it.each([
	["none", {}, 200, "did not return the latest version of “weather”"],
	["a command", { version: "1.0.0; rm -rf /" }, 200, "did not return the latest version"],
	["a tag", { version: "latest" }, 200, "did not return the latest version"],
	["nothing of versions", { versions: [] }, 200, "did not return the latest version"],
	["a list", [], 200, "did not return the latest version"],
	["no package", {}, 404, "registry.npmjs.org has no package “weather”."],
	["another address", {}, 302, "which MCP Host does not follow"],
	["an overload", {}, 503, "cannot answer now"],
])("is unknown if it answers %s", async (_what, body, status, message) => {
	await expect((await ask("npx", ["weather"], body, status)).version).rejects.toThrow(message);
});
