import { rm } from "node:fs/promises";
import path from "node:path";
import { launchBrowser, newPage } from "./browser.ts";
import { startEditorServer } from "./editorServer.ts";
import { type DesktopEditor, ensureEditor, type ServerEditor } from "./ensureEditor.ts";
import { tail } from "./processes.ts";
import { copyWorkspace, createProfile, type Settings } from "./profile.ts";
import { elapsed } from "./progress.ts";
import { readReport, type SuiteReport } from "./suiteReport.ts";
import type { ReleaseName } from "./workbenchInstall.ts";

/** A suite to run inside the extension host. */
export interface HostRun {
	/** Default: the newest. */
	readonly editor?: ReleaseName;
	/** Folder of the extension under test, built. */
	readonly extensionFolder: string;
	/** Folders of extensions that run beside it. */
	readonly otherExtensions?: readonly string[];
	/** Bundle that exports `run(): Promise<void>`, which rejects when a test failed. */
	readonly suite: string;
	/** The file that the suite writes its report to; it finds the path in `MCP_HOST_TEST_REPORT`. */
	readonly report: string;
	/** Folder or `.code-workspace` file to open a copy of. Default: an empty folder. */
	readonly workspace?: string;
	readonly settings?: Settings;
	readonly env?: Readonly<Record<string, string>>;
	/** In milliseconds. Default: five minutes. */
	readonly timeout?: number;
}

interface Outcome {
	readonly code: number;
	/** The output of the editor during the run. */
	readonly output: string;
}

/** Runs a suite in the extension host of a real editor, prints how its tests ended, and returns the exit code. */
export async function runInHost(run: HostRun): Promise<number> {
	const start = performance.now();
	await rm(run.report, { force: true });
	const editor = await ensureEditor(run.editor);
	const outcome = editor.kind === "server" ? await runOnServer(editor, run) : await runOnDesktop(editor, run);
	const report = await readReport(run.report);
	if (report === undefined || (outcome.code !== 0 && report.failed === 0)) {
		console.log(`The suite ended with code ${outcome.code}. The editor's last lines:\n${tail(outcome.output, 40)}`);
	}
	if (report !== undefined) {
		printReport(report, elapsed(start));
	}
	return report === undefined ? Math.max(outcome.code, 1) : outcome.code;
}

function printReport(report: SuiteReport, time: string): void {
	for (const test of report.tests) {
		if (test.status === "failed") {
			console.log(`\n  FAILED  ${test.name}\n${test.messages.join("\n").replace(/^/gm, "          ")}`);
		}
	}
	console.log(`  in the extension host: ${report.passed} passed, ${report.failed} failed (${time})`);
}

/**
 * The address of a page of the workbench server makes it load the extension and the suite from their folders, and it
 * calls a function of this process with the exit code. Works only with the smoke-test driver on.
 */
async function runOnServer(editor: ServerEditor, run: HostRun): Promise<Outcome> {
	const lines: string[] = [];
	const server = await startEditorServer(editor, {
		isSmokeTestDriverEnabled: true,
		// Its page supports one folder of an extension under development.
		...(run.otherExtensions === undefined ? {} : { installed: run.otherExtensions }),
		...(run.settings === undefined ? {} : { settings: run.settings }),
		env: { ...run.env, MCP_HOST_TEST_REPORT: run.report },
	});
	try {
		const workspace = await copyWorkspace(run.workspace, server.profile.folder);
		const browser = await launchBrowser();
		try {
			const page = await newPage(browser);
			const { promise: exit, resolve } = Promise.withResolvers<number>();
			await page.exposeFunction("codeAutomationExit", (code: number) => resolve(code));
			await page.exposeFunction("codeAutomationLog", (type: string, args: readonly unknown[]) => {
				lines.push(`[${type}] ${args.map(String).join(" ")}`);
			});
			page.on("console", (message) => lines.push(message.text()));
			page.on("crash", () => resolve(1));
			const timeout = run.timeout ?? 300_000;
			const timer = setTimeout(() => {
				lines.push(`No answer from the suite within ${timeout / 1000} s`);
				resolve(1);
			}, timeout);
			const remote = (file: string): string => `vscode-remote://${server.authority}${path.resolve(file)}`;
			const payload = [
				["extensionDevelopmentPath", remote(run.extensionFolder)],
				["extensionTestsPath", remote(run.suite)],
			];
			await page.goto(server.urlOf(workspace, { payload: JSON.stringify(payload) }));
			const code = await exit;
			clearTimeout(timer);
			return { code, output: `${await server.log()}\n${lines.join("\n")}` };
		} finally {
			await browser.close();
		}
	} finally {
		await server.stop();
	}
}

/** Not run on the machines this was written on: desktop VS Code is not available there. */
async function runOnDesktop(editor: DesktopEditor, run: HostRun): Promise<Outcome> {
	const { runTests } = await import("@vscode/test-electron");
	const profile = await createProfile("everything", run.settings ?? {});
	try {
		const workspace = await copyWorkspace(run.workspace, profile.folder);
		const profileArgs = [`--user-data-dir=${profile.userDataFolder}`, `--extensions-dir=${profile.extensionsFolder}`];
		const code = await runTests({
			vscodeExecutablePath: editor.executablePath,
			extensionDevelopmentPath: [run.extensionFolder, ...(run.otherExtensions ?? [])],
			extensionTestsPath: run.suite,
			extensionTestsEnv: { ...run.env, MCP_HOST_TEST_REPORT: run.report },
			launchArgs: [workspace, ...profileArgs, "--disable-extensions", "--disable-workspace-trust"],
		}).catch((error: unknown) => {
			console.log(String(error));
			return 1;
		});
		return { code, output: "" };
	} finally {
		await profile.remove();
	}
}
