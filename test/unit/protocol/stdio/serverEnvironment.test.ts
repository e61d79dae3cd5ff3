import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isInherited, readEnvFile, serverEnvironment } from "../../../../src/protocol/stdio/serverEnvironment.ts";
import { launchOf, type StdioLaunch } from "./processes.ts";

let folder = "";
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), "mcp-host-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isLinux = process.platform === "linux";

describe("serverEnvironment", () => {
	it("passes exactly the variables that servers need (CFG-14)", async () => {
		const base = {
			PATH: "/bin",
			HOME: "/home/u",
			LANG: "C",
			LC_ALL: "C",
			HTTPS_PROXY: "http://p",
			no_proxy: "x",
			NODE_EXTRA_CA_CERTS: "/ca",
			XDG_RUNTIME_DIR: "/run",
			SHELL: "() { evil; }",
			GITHUB_TOKEN: "secret",
			NODE_OPTIONS: "--require x",
			VSCODE_IPC_HOOK: "x",
			ELECTRON_RUN_AS_NODE: "1",
			LD_PRELOAD: "x",
			MY_HTTP_PROXY: "x",
			UNSET: undefined,
		};
		const environment = await serverEnvironment(
			launchOf("x", [], { env: { GITHUB_TOKEN: "declared", PATH: "/own" } }),
			base,
		);
		expect(Object.keys(environment).sort()).toEqual(
			[
				"GITHUB_TOKEN",
				"HOME",
				"HTTPS_PROXY",
				"LANG",
				"LC_ALL",
				"NODE_EXTRA_CA_CERTS",
				"PATH",
				"XDG_RUNTIME_DIR",
				"no_proxy",
			].sort(),
		);
		expect(environment).toMatchObject({ GITHUB_TOKEN: "declared", PATH: "/own" });
	});

	it("reads the environment file", async () => {
		writeFileSync(
			join(folder, ".env"),
			"# comment\nA=1\n export B = two words \r\nC=\"quo ted\"\nD='x'\nE=a=b#c\nF=\nnot a line\n1BAD=x\nG=own\n",
		);
		const launch = launchOf("x", [], { envFile: ".env", cwd: folder, env: { G: "declared" } });
		expect(await readEnvFile(launch)).toEqual({
			A: "1",
			B: "two words",
			C: "quo ted",
			D: "x",
			E: "a=b#c",
			F: "",
			G: "own",
		});
	});

	it("refuses an environment file that is missing, no regular file, or huge (CFG-13)", async () => {
		const read = (envFile: string): Promise<unknown> => readEnvFile(launchOf("x", [], { envFile, cwd: folder }));
		await expect(read("missing.env")).rejects.toMatchObject({
			code: "start-failed",
			message: expect.stringContaining("missing.env"),
		});
		await expect(read(".")).rejects.toMatchObject({ message: expect.stringMatching(/regular file of at most 64 KB/) });
		if (isLinux)
			await expect(read("/dev/zero")).rejects.toMatchObject({ message: expect.stringMatching(/regular file/) });
		writeFileSync(join(folder, "huge.env"), "A=".padEnd(64 * 1024 + 1, "x"));
		await expect(read("huge.env")).rejects.toMatchObject({
			message: expect.stringMatching(/regular file of at most 64 KB/),
		});
		if (isLinux) {
			symlinkSync("/dev/zero", join(folder, "link.env"));
			await expect(read("link.env")).rejects.toMatchObject({ code: "start-failed" });
			// A regular file that cannot be read from its beginning.
			await expect(read("/proc/self/mem")).rejects.toMatchObject({
				code: "start-failed",
				message: expect.stringContaining('The file /proc/self/mem in "envFile" cannot be read'),
			});
		}
	});

	it.each([
		"PATH",
		"NODE_OPTIONS",
		"LD_PRELOAD",
		"npm_config_registry",
		"PYTHONPATH",
		"BASH_ENV",
		"Path",
		"GIT_SSH_COMMAND",
		"GIT_DIR",
		"GIT_SEQUENCE_EDITOR",
		"MAKEFLAGS",
		"PREFIX",
		"PSModulePath",
		"JAVA_OPTS",
		"JAVA_TOOL_OPTIONS",
		"ERL_AFLAGS",
		"KUBECONFIG",
		"AWS_CONFIG_FILE",
		"PYENV_VERSION",
		"XDG_CONFIG_HOME",
		"NODE_EXTRA_CA_CERTS",
		"NODE_TLS_REJECT_UNAUTHORIZED",
		"SSL_CERT_FILE",
		"SSL_CERT_DIR",
		"CURL_CA_BUNDLE",
		"REQUESTS_CA_BUNDLE",
		"WGETRC",
	])("refuses a file that sets %s, which decides which code runs (CFG-28)", async (name) => {
		for (const line of [`${name}=/evil`, `export ${name} = '/evil'`, `\t${name}\t=/evil`]) {
			writeFileSync(join(folder, "deciding.env"), `A=1\n${line}\n`);
			const launch = launchOf("x", [], { envFile: "deciding.env", cwd: folder, env: { [name]: "/approved" } });
			await expect(readEnvFile(launch)).rejects.toMatchObject({
				code: "start-failed",
				message: expect.stringContaining(`sets ${name}, which affects what code runs. Move it to "env"`),
			});
		}
	});

	it("accepts variables that programs merely read, secrets of registries among them", async () => {
		const values = {
			NODE_ENV: "x",
			PYTHONUNBUFFERED: "1",
			npm_config__authToken: "t",
			CARGO_REGISTRY_TOKEN: "t",
			DENO_AUTH_TOKENS: "t",
			GIT_API_KEY: "t",
			GIT_AUTHOR_NAME: "n",
			MAKE_API_KEY: "t",
			PATHS: "x",
		};
		writeFileSync(
			join(folder, "data.env"),
			Object.entries(values)
				.map((pair) => pair.join("="))
				.join("\n"),
		);
		expect(await readEnvFile(launchOf("x", [], { envFile: "data.env", cwd: folder }))).toEqual(values);
	});

	it.each(["../outside.env", "absolute", "link.env", "folder/../../outside.env"])(
		"of a workspace's server reads no file outside of its folder: %s (CFG-28)",
		async (where) => {
			const inside = join(folder, "inside");
			mkdirSync(join(inside, "folder"), { recursive: true });
			writeFileSync(join(folder, "outside.env"), "A=1");
			writeFileSync(join(inside, "own.env"), "A=1");
			rmSync(join(inside, "link.env"), { force: true });
			symlinkSync(join(folder, "outside.env"), join(inside, "link.env"));
			const read = (envFile: string): Promise<unknown> =>
				readEnvFile(launchOf("x", [], { envFile, envFolder: inside, cwd: inside }));
			await expect(read(where === "absolute" ? join(folder, "outside.env") : where)).rejects.toMatchObject({
				code: "start-failed",
				message: expect.stringMatching(/is outside .+, where this server is configured\./),
			});
			expect(await read("own.env")).toEqual({ A: "1" });
			expect(await read("folder/../own.env")).toEqual({ A: "1" });
		},
	);

	it("reads a file of blanks in linear time (CFG-13)", async () => {
		// 60,000 blanks took ten seconds with a pattern that tried each of them as a beginning; the runner's limit ends that.
		const blanks = " ".repeat(60_000);
		for (const text of [blanks, `A${blanks}`, `A=${blanks}x`, `A=b${blanks}`, `export${blanks}A=1`]) {
			writeFileSync(join(folder, "blank.env"), text);
			for (let round = 0; round < 20; round++)
				await readEnvFile(launchOf("x", [], { envFile: "blank.env", cwd: folder }));
		}
	});
});

/** The variables that Windows sets for every process, and others (https://learn.microsoft.com/windows/deployment/usmt/usmt-recognized-environment-variables). */
describe("The variables that a server of Windows inherits (CFG-14)", () => {
	it.each([
		"Path",
		"PATHEXT",
		"ComSpec",
		"SystemRoot",
		"SystemDrive",
		"windir",
		"APPDATA",
		"LOCALAPPDATA",
		"USERPROFILE",
		"HOMEDRIVE",
		"HOMEPATH",
		"TEMP",
		"TMP",
		"ProgramFiles",
		"ProgramFiles(x86)",
		"ProgramData",
		"HTTPS_PROXY",
		"no_proxy",
	])("include %s, in any case", (name) => {
		for (const one of [name, name.toUpperCase(), name.toLowerCase()])
			expect([one, isInherited(one, "win32")]).toEqual([one, true]);
	});

	it.each([
		"GITHUB_TOKEN",
		"NODE_OPTIONS",
		"VSCODE_IPC_HOOK",
		"HOME",
		"PSModulePath",
		"ELECTRON_RUN_AS_NODE",
		"OneDrive",
	])("do not include %s", (name) => expect(isInherited(name, "win32")).toBe(false));

	it("are not those of other systems", () => {
		expect(["HOME", "Path", "APPDATA", "LC_ALL"].map((name) => isInherited(name, "linux"))).toEqual([
			true,
			false,
			false,
			true,
		]);
	});
});

describe.skipIf(process.platform === "win32")("PATH of a server (CFG-40)", () => {
	const pathOf = async (
		inherited: string,
		changes: Partial<StdioLaunch> = {},
	): Promise<{ path: string | undefined; leftOut: readonly string[] }> => {
		let leftOut: readonly string[] = [];
		const environment = await serverEnvironment(launchOf("x", [], changes), { PATH: inherited }, (folders) => {
			leftOut = folders;
		});
		return { path: environment["PATH"], leftOut };
	};

	it("contains none of the editor's folders that are not absolute", async () => {
		expect(await pathOf("/usr/bin:.:node_modules/.bin::../bin:~/bin:/bin:")).toEqual({
			path: "/usr/bin:/bin",
			leftOut: [".", "node_modules/.bin", "", "../bin", "~/bin"],
		});
		expect(await pathOf("/usr/bin:/bin")).toEqual({ path: "/usr/bin:/bin", leftOut: [] });
	});

	it("contains none that leads into a workspace that is not trusted, behind links and before it exists", async () => {
		const open = join(folder, "open");
		mkdirSync(join(open, "bin"), { recursive: true });
		mkdirSync(join(folder, "opener"));
		symlinkSync(join(open, "bin"), join(folder, "linked"));
		symlinkSync(open, join(folder, "link"));
		const bad = [open, join(open, "bin"), `${open}/later/bin`, join(folder, "linked"), `${folder}/opener/../open/bin`];
		const good = ["/usr/bin", join(folder, "opener"), "/bin"];
		const inherited = [...bad, ...good].join(":");
		expect(await pathOf(inherited, { closedFolders: [open] })).toEqual({ path: good.join(":"), leftOut: bad });
		expect(await pathOf(inherited, { closedFolders: [join(folder, "link")] })).toMatchObject({
			path: good.join(":"),
		});
		// Of a trusted workspace they are the user's to use.
		expect(await pathOf(inherited)).toEqual({ path: inherited, leftOut: [] });
	});

	it("never becomes empty, which would mean the working directory", async () => {
		for (const inherited of ["", ".", ":.:"]) expect((await pathOf(inherited)).path).toBe("/usr/bin:/bin");
	});

	it("keeps the definition's own folders, which are approved with it, but not those of the editor's variables", async () => {
		const env = { PATH: "./tools:/own:.:/bin" };
		expect(await pathOf(".:/bin", { env })).toEqual({ path: "./tools:/own:/bin", leftOut: ["."] });
		expect(await pathOf("/bin", { env })).toEqual({ path: env.PATH, leftOut: [] });
	});
});
