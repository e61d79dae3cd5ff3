import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import type { ReviewRow } from "../../src/servers/review/reviewProtocol.ts";
import { reviewServer } from "../../src/servers/review/review.ts";
import { smallConfig } from "./fixtures.ts";
import { TestHost } from "./testHost.ts";

/** Writes its variable GREETING into a file and ends. */
const tell = "require('node:fs').appendFileSync('greetings', process.env.GREETING + '\\n')";

const entry = { command: process.execPath, args: ["-e", tell], envFile: ".env" };

async function configure(host: TestHost, own: JsonObject): Promise<void> {
	const origin = {
		kind: "mcp-json",
		label: ".vscode/mcp.json",
		file: host.path(".vscode", "mcp.json"),
		folder: host.folder,
		isWorkspace: true,
	} as const;
	await host.host.configure([{ origin, content: { text: JSON.stringify({ servers: { own } }) } }], false);
}

/** The output of the servers that ran. */
function greetings(host: TestHost): readonly string[] {
	return readdirSync(host.folder).includes("greetings")
		? readFileSync(host.path("greetings"), "utf8").trim().split("\n")
		: [];
}

async function review(host: TestHost): Promise<{ rows: readonly ReviewRow[]; warnings: readonly string[] }> {
	const { definition } = host.session("own");
	const { approvals } = host.host;
	return reviewServer(definition, approvals.former(definition), [], await host.host.dependencies(definition));
}

function row(rows: readonly ReviewRow[], label: string): ReviewRow | undefined {
	return rows.find((one) => one.label === label);
}

describe("the environment file of a server belongs to its approval", () => {
	it("a file that changed asks again before anything starts, and the review shows the change (CFG-02)", async () => {
		await using host = new TestHost();
		writeFileSync(host.path(".env"), "GREETING=hello\nAPI_KEY=correct-horse-7\nGONE=1\n");
		await configure(host, entry);
		expect(row((await review(host)).rows, "Environment file sets")?.values).toEqual([
			"API_KEY=(masked: 15 characters)",
			"GONE=1",
			"GREETING=hello",
		]);
		await host.host.approve(host.session("own").definition);
		expect(JSON.stringify([...host.host.approvals.all])).not.toMatch(/hello|correct-horse/);
		await host.host.start(host.session("own").definition.id);
		expect(greetings(host)).toContain("hello");
		await host.session("own").stop();
		rmSync(host.path("greetings"));

		writeFileSync(host.path(".env"), "GREETING=evil\nAPI_KEY=correct-horse-8\nNEW=2\n");
		await host.host.startApproved();
		await host.host.start(host.session("own").definition.id);
		await host.session("own").restart();
		expect(host.session("own").state).toEqual({
			kind: "needs-approval",
			reason: "unapproved: its files or roots changed",
		});
		expect(greetings(host)).toEqual([]);
		expect(row((await review(host)).rows, "Environment file sets")).toEqual({
			label: "Environment file sets",
			values: ["API_KEY=(masked: 15 characters)", "GREETING=evil", "NEW=2"],
			former: ["API_KEY=(another value)", "GONE=(another value)", "GREETING=(another value)"],
		});
		await host.host.approve(
			host.session("own").definition,
			await host.host.dependencies(host.session("own").definition),
		);
		await host.host.start(host.session("own").definition.id);
		expect(greetings(host)).toContain("evil");
	});

	it("a file that was missing and appears is a change", async () => {
		await using host = new TestHost();
		await configure(host, entry);
		await host.host.approve(host.session("own").definition);
		expect((await host.host.start(host.session("own").definition.id)).kind).toBe("failed");
		await host.session("own").stop();
		writeFileSync(host.path(".env"), "GREETING=evil\n");
		expect((await host.host.start(host.session("own").definition.id)).kind).toBe("needs-approval");
		expect(greetings(host)).toEqual([]);
	});

	it("the shown version is approved, even if the file changes meanwhile", async () => {
		await using host = new TestHost();
		writeFileSync(host.path(".env"), "GREETING=hello\n");
		await configure(host, entry);
		const { definition } = host.session("own");
		const shown = await host.host.dependencies(definition);
		writeFileSync(host.path(".env"), "GREETING=evil\n");
		await host.host.approve(definition, shown);
		expect((await host.host.start(definition.id)).kind).toBe("needs-approval");
		expect(greetings(host)).toEqual([]);
	});

	it("a file that changes does not affect the running server", async () => {
		await using host = new TestHost();
		writeFileSync(host.path(".env"), "GREETING=hello\n");
		await configure(host, { ...smallConfig("modern"), envFile: ".env" });
		await host.host.approve(host.session("own").definition);
		await host.host.start(host.session("own").definition.id);
		writeFileSync(host.path(".env"), "GREETING=evil\nOTHER_TOKEN=abcdef123456\n");
		expect(await host.host.environmentFile(host.session("own").definition)).toHaveProperty("OTHER_TOKEN");
		await host.host.resolve(host.session("own").definition, () => false).catch(() => undefined);
		host.host.reconsider();
		expect(host.session("own").state.kind).toBe("running");
	});
});

/** Writes a file of the test's folder, with the folders around it. */
function write(host: TestHost, path: string, text: string): void {
	mkdirSync(dirname(host.path(path)), { recursive: true });
	writeFileSync(host.path(path), text);
}

/** A runner that replaces npx, as it is outside of any workspace, and records what it runs. */
async function withRunner(host: TestHost, name: string): Promise<string> {
	const folder = `${host.folder}-bin`;
	mkdirSync(folder, { recursive: true });
	writeFileSync(`${folder}/${name}`, `#!/bin/sh\necho ran >> greetings\n`);
	chmodSync(`${folder}/${name}`, 0o755);
	return folder;
}

describe.skipIf(process.platform === "win32")(
	"the files that a package runner would read belong to the approval",
	() => {
		it.each([
			["npx", ["-y", "pkg@1.0.0"], "node_modules/pkg/package.json", '{"name":"pkg","version":"1.0.0"}'],
			["npx", ["-y", "--package=@scope/pkg@1", "bin"], "node_modules/@scope/pkg/package.json", "{}"],
			["npx", ["-y", "pkg"], "node_modules/.bin/pkg", "#!/bin/sh"],
			["npx", ["-y", "pkg"], ".npmrc", "registry=https://evil.example"],
			["npx", ["-y", "pkg"], "package.json", '{"name":"x","bin":{"pkg":"evil.js"}}'],
			["npx", ["-y", "--prefix", "sub", "pkg"], "sub/node_modules/pkg/package.json", "{}"],
			["bunx", ["pkg"], "bunfig.toml", "[install]"],
			["pnpm", ["dlx", "pkg"], "pnpm-workspace.yaml", "x: y"],
			["yarn", ["dlx", "pkg"], ".yarnrc.yml", "yarnPath: evil.cjs"],
			["uvx", ["pkg"], "uv.toml", "index-url='https://evil.example'"],
			["uvx", ["pkg"], ".python-version", "./evil"],
			["pipx", ["run", "pkg"], "mise.toml", "[tools]"],
			["deno", ["run", "-A", "npm:pkg@1"], "deno.json", "{}"],
			["deno", ["run", "-A", "npm:pkg@1"], "node_modules/pkg/package.json", "{}"],
		])("%s %j asks again when %s appears, and when it changes", async (command, args, file, text) => {
			await using host = new TestHost();
			const folder = await withRunner(host, command);
			await configure(host, { command: `${folder}/${command}`, args });
			const { definition } = host.session("own");
			await host.host.approve(definition);
			await host.host.start(definition.id);
			expect(greetings(host)).toContain("ran");
			await host.session("own").stop();
			rmSync(host.path("greetings"));
			for (const [content, former] of [
				[text, []],
				[text.replace("x", "z").replace("{}", '{"a":1}').concat(" "), [`file ${host.path(file)} (other content)`]],
			] as const) {
				write(host, file, content);
				expect((await host.host.start(definition.id)).kind).toBe("needs-approval");
				expect(greetings(host)).toEqual([]);
				const { rows, warnings } = await review(host);
				expect(row(rows, "Depends on")).toEqual({
					label: "Depends on",
					values: [`file ${host.path(file)}`],
					former,
				});
				if (file.includes("node_modules"))
					expect(warnings.join()).toMatch(
						/It may run the local copy of \S+ in .+ instead of the package from the registry/,
					);
				await host.host.approve(definition);
				await host.host.start(definition.id);
				expect(greetings(host)).toContain("ran");
				await host.session("own").stop();
				rmSync(host.path("greetings"));
				if (file === "package.json") break;
			}
			rmSync(folder, { recursive: true });
		});

		it("irrelevant files do not ask again: the dependencies of a project, and files of other runners", async () => {
			await using host = new TestHost();
			const folder = await withRunner(host, "npx");
			await configure(host, { command: `${folder}/npx`, args: ["-y", "pkg"] });
			const { definition } = host.session("own");
			await host.host.approve(definition);
			write(host, "package.json", '{"name":"x","dependencies":{"a":"1"}}');
			write(host, "uv.toml", "x");
			write(host, "node_modules/other/package.json", "{}");
			expect((await host.host.start(definition.id)).kind).not.toBe("needs-approval");
			rmSync(folder, { recursive: true });
		});

		it("a command that is found in the workspace is bound to its target", async () => {
			await using host = new TestHost();
			write(host, "tools/run", "#!/bin/sh\necho ran >> greetings\n");
			chmodSync(host.path("tools", "run"), 0o755);
			write(host, "bin/keep", "");
			await configure(host, {
				command: "run",
				env: { PATH: `${host.path("bin")}:${host.path("tools")}:/usr/bin:/bin` },
			});
			const { definition } = host.session("own");
			await host.host.approve(definition);
			await host.host.start(definition.id);
			expect(greetings(host)).toContain("ran");
			await host.session("own").stop();
			write(host, "bin/run", "#!/bin/sh\necho evil >> greetings\n");
			chmodSync(host.path("bin", "run"), 0o755);
			expect((await host.host.start(definition.id)).kind).toBe("needs-approval");
			expect(greetings(host)).not.toContain("evil");
		});
	},
);
