import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { loadedWith, readBundles } from "./bundles.ts";

const root = path.resolve(import.meta.dirname, "../..");
let folder = "";

beforeAll(() => {
	folder = realpathSync(mkdtempSync(path.join(tmpdir(), "mcp-host-npm-")));
	const options = { cwd: root, shell: process.platform === "win32", stdio: "ignore" } as const;
	execFileSync("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], options);
	const [archive = ""] = readdirSync(folder);
	execFileSync("tar", ["-xzf", archive], { cwd: folder });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the npm package", () => {
	it("holds the build and nothing of the sources", () => {
		const names = readdirSync(path.join(folder, "package"), { recursive: true, encoding: "utf8" });
		const other = names.filter((name) => !/^dist([\\/][\w.]+(-[A-Z0-9]{8})?\.js)?$/.test(name));
		expect(other.toSorted()).toEqual(["LICENSE", "README.md", "package.json"]);
		const needed = loadedWith(readBundles(root), "cli.js", true).map(({ name }) => path.join("dist", name));
		expect(names).toEqual(expect.arrayContaining(needed));
	});

	it("has the command mcp-host, which needs no other package", () => {
		const manifest = JSON.parse(readFileSync(path.join(folder, "package/package.json"), "utf8")) as JsonObject;
		expect(manifest).toMatchObject({ name: "mcp-host", bin: { "mcp-host": "./dist/cli.js" } });
		expect(manifest).not.toHaveProperty("dependencies");
		const script = path.join(folder, "package/dist/cli.js");
		expect(readFileSync(script, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
		const out = execFileSync(process.execPath, [script, "serve", "--help"], { cwd: folder, encoding: "utf8" });
		expect(out).toContain("Usage: mcp-host serve");
	});
});
