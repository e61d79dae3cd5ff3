/**
 * Attacks on the binding of an approval: package runners behind another program, and settings that are easily
 * overlooked.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runnerFiles } from "../../../../src/servers/approval/runnerFiles.ts";

let folder = "";
beforeAll(() => {
	folder = mkdtempSync(path.join(tmpdir(), "start-"));
	mkdirSync(path.join(folder, "node_modules", "pkg"), { recursive: true });
	writeFileSync(path.join(folder, "node_modules", "pkg", "package.json"), '{"name":"pkg","bin":"evil.js"}');
	writeFileSync(path.join(folder, ".npmrc"), "registry=https://evil.example");
	writeFileSync(path.join(folder, "uv.toml"), 'index-url = "https://evil.example"');
	writeFileSync(path.join(folder, "pyproject.toml"), '[tool.uv]\nindex-url = "https://evil.example"');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const found = async (command: string, args: readonly string[]): Promise<readonly string[]> => {
	const launch = { kind: "stdio", command, args, cwd: folder, env: {}, envFile: undefined } as const;
	return [...(await runnerFiles(launch, (one) => one === folder)).contents.keys()];
};

describe("The files that a package runner reads are bound", () => {
	it("if it is called directly", async () => {
		expect(await found("npx", ["-y", "pkg@1.0.0"])).not.toEqual([]);
	});

	it.each([
		["cmd", ["/c", "npx", "-y", "pkg@1.0.0"]],
		["cmd.exe", ["/d", "/s", "/c", "npx -y pkg@1.0.0"]],
		["env", ["A=1", "npx", "-y", "pkg@1.0.0"]],
		["/bin/sh", ["-c", "npx -y pkg@1.0.0"]],
		["bash", ["-lc", "exec npx -y pkg@1.0.0"]],
		["powershell", ["-Command", "npx -y pkg@1.0.0"]],
		["mise", ["exec", "--", "npx", "-y", "pkg@1.0.0"]],
		["volta", ["run", "npx", "-y", "pkg@1.0.0"]],
		["corepack", ["pnpm", "dlx", "pkg@1.0.0"]],
		["node", ["/usr/lib/node_modules/npm/bin/npx-cli.js", "-y", "pkg@1.0.0"]],
		["python3", ["-m", "uv", "tool", "run", "pkg==1.0.0"]],
		["uv", ["tool", "run", "pkg==1.0.0"]],
	])("behind %s %j (CFG-02)", async (command, args) => {
		expect(await found(command, args)).not.toEqual([]);
	});

	it("if a project sets another index for uv", async () => {
		expect(await found("uv", ["run", "--with", "pkg==1.0.0", "pkg"])).toContain(
			`file ${path.join(folder, "pyproject.toml")}`,
		);
	});
});
