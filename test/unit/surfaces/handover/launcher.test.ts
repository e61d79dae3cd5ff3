import { execFileSync, spawnSync } from "node:child_process";
import {
	chmodSync,
	existsSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
	commandPlaces,
	installCommand,
	installedCommand,
	installedText,
	pathLine,
	removedText,
	uninstallCommand,
} from "../../../../src/surfaces/handover/commandInPath.ts";
import {
	batchPath,
	bridgeCommand,
	launcherFile,
	launcherFiles,
	launcherFolder,
	refreshLauncher,
	removeLauncher,
	writeLauncher,
} from "../../../../src/surfaces/handover/launcher.ts";

let home = "";
let launcher = "";
beforeEach(() => {
	home = realpathSync(mkdtempSync(path.join(tmpdir(), "it's a home-")));
	launcher = launcherFolder(path.join(home, ".mcp-host"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** A script of a version of the extension, which prints its version, its arguments and how it was started. */
function version(name: string): { program: string; script: string } {
	const folder = path.join(home, "extensions", `mcp-host-${name}`, "dist");
	mkdirSync(folder, { recursive: true });
	const script = path.join(folder, "cli.js");
	writeFileSync(
		script,
		`console.log(JSON.stringify([${JSON.stringify(name)}, process.argv.slice(2), process.env.ELECTRON_RUN_AS_NODE]));`,
	);
	return { program: process.execPath, script };
}

function run(runtime: { program: string }): unknown {
	const { command, args, env } = bridgeCommand(launcher, runtime);
	const out = execFileSync(command, [...args, "a b", "$x"], { env: { ...process.env, ...env }, encoding: "utf8" });
	return JSON.parse(out);
}

describe("The launcher of the bridge (GST-21)", () => {
	test("starts the version that was written last, by a command that stays the same", async () => {
		const old = version("1");
		await writeLauncher(launcher, old);
		const before = bridgeCommand(launcher, old);
		expect(run(old)).toEqual(["1", ["serve", "a b", "$x"], "1"]);
		const next = version("2");
		rmSync(path.dirname(path.dirname(old.script)), { recursive: true });
		await refreshLauncher(launcher, next);
		expect(run(next)).toEqual(["2", ["serve", "a b", "$x"], "1"]);
		expect(bridgeCommand(launcher, next)).toEqual(before);
	});

	test("is not made by a window that finds none", async () => {
		await refreshLauncher(launcher, version("1"));
		expect(existsSync(launcher)).toBe(false);
		await writeLauncher(launcher, version("1"));
		await removeLauncher(launcher);
		expect(existsSync(launcher)).toBe(false);
	});

	test.skipIf(process.platform === "win32")("says what to do when its version is gone", async () => {
		const old = version("1");
		await writeLauncher(launcher, old);
		rmSync(old.script);
		const { status, stderr } = spawnSync(launcherFile(launcher), ["serve"], { encoding: "utf8" });
		expect(status).toBe(127);
		expect(stderr).toContain("Open VS Code once");
	});

	test.skipIf(process.platform === "win32")("may be changed and run by its user alone", async () => {
		await writeLauncher(launcher, version("1"));
		expect(lstatSync(launcher).mode & 0o777).toBe(0o700);
		expect(lstatSync(launcherFile(launcher)).mode & 0o777).toBe(0o700);
	});

	test("is VS Code as Node on Windows, since agents start batch files differently", () => {
		const runtime = {
			program: "C:\\Users\\Jürgen Groß\\AppData\\Local\\Programs\\Microsoft VS Code\\Code.exe",
			script: "C:\\Users\\Jürgen Groß\\.vscode\\extensions\\mcp-host.mcp-host-0.2.0\\dist\\cli.js",
		};
		const folder = launcherFolder("C:\\Users\\Jürgen Groß\\.mcp-host", "win32");
		expect(bridgeCommand(folder, runtime, "win32")).toEqual({
			command: runtime.program,
			args: ["C:\\Users\\Jürgen Groß\\.mcp-host\\bin\\mcp-host.mjs", "serve"],
			env: { ELECTRON_RUN_AS_NODE: "1" },
		});
		const files = launcherFiles(folder, runtime, "win32");
		expect(files["mcp-host.mjs"]).toContain(
			'await import("file:///C:/Users/J%C3%BCrgen%20Gro%C3%9F/.vscode/extensions/mcp-host.mcp-host-0.2.0/dist/cli.js")',
		);
		// A batch file is read in the code page of the machine.
		expect(files["mcp-host.cmd"]).toContain(
			'"%~dp0..\\..\\AppData\\Local\\Programs\\Microsoft VS Code\\Code.exe" "%~dp0mcp-host.mjs" %*\r\n',
		);
		expect(files["mcp-host.cmd"]).toMatch(/^[\u0020-\u007E\r\n]*$/);
		expect(batchPath("C:\\a", "D:\\100%\\x.exe")).toBe("D:\\100%%\\x.exe");
	});
});

describe("The command mcp-host (GST-21)", () => {
	const machine = (...folders: readonly string[]) => ({
		home,
		environment: { PATH: ["/usr/bin", ...folders].join(path.delimiter) },
	});
	const bin = (name: string): string => path.join(home, name, "bin");

	test("is installed in a folder that terminals search, and runs the launcher", async () => {
		const runtime = version("1");
		await writeLauncher(launcher, runtime);
		const here = { home, environment: { PATH: path.join(home, "bin") } };
		const place = await installCommand(launcherFile(launcher), here);
		expect(place).toMatchObject({ folder: path.join(home, "bin"), isInPath: true });
		expect(installedText(place, home)).toBe(`The command “mcp-host” is installed: ${place.file}.`);
		const shell = process.platform === "win32";
		const { stdout } = spawnSync(shell ? `"${place.file}" test` : place.file, shell ? [] : ["test"], {
			encoding: "utf8",
			shell,
		});
		expect(JSON.parse(stdout)).toEqual(["1", ["test"], "1"]);
		expect(await installedCommand(launcherFile(launcher), here)).toEqual(place);
		expect(await uninstallCommand(launcherFile(launcher), here)).toEqual([place.file]);
		expect(await installedCommand(launcherFile(launcher), here)).toBeUndefined();
		expect(existsSync(place.file)).toBe(false);
		expect(removedText([place.file])).toBe(`The command “mcp-host” was removed: ${place.file}.`);
		expect(removedText([])).toBe("The command “mcp-host” is not installed.");
	});

	test("says what to do when terminals do not search its folder", async () => {
		await writeLauncher(launcher, version("1"));
		const place = await installCommand(launcherFile(launcher), machine());
		expect(place).toMatchObject({ folder: bin(".local"), isInPath: false });
		const text = installedText(place, home);
		expect(text).toContain(`But terminals do not search ${bin(".local")}.`);
		if (process.platform !== "win32") {
			expect(pathLine(place, home)).toBe('export PATH="$HOME/.local/bin:$PATH"');
			expect(text).toContain('export PATH="$HOME/.local/bin:$PATH"');
		}
	});

	test("of another program stays, and nothing is installed over it", async () => {
		const [first] = commandPlaces(machine());
		if (first === undefined) throw new Error("There is no place.");
		mkdirSync(first.folder, { recursive: true });
		writeFileSync(first.file, "another");
		await expect(installCommand(launcherFile(launcher), machine(bin(".local")))).rejects.toThrow(
			"is there already, and MCP Host did not write it",
		);
		expect(await uninstallCommand(launcherFile(launcher), machine())).toEqual([]);
		expect(readFileSync(first.file, "utf8")).toBe("another");
	});

	test.skipIf(process.platform === "win32" || process.getuid?.() === 0)(
		"is not installed where the user may not write",
		async () => {
			mkdirSync(bin(".local"), { recursive: true });
			chmodSync(bin(".local"), 0o500);
			const place = await installCommand(launcherFile(launcher), machine(bin(".local"), path.join(home, "bin")));
			expect(place.folder).toBe(path.join(home, "bin"));
		},
	);
});
