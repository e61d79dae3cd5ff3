/**
 * `npm start [-- --port 8080]`: the packaged extension in an isolated profile of a real editor, on a copy of the demo
 * workspace, until Ctrl+C. With `--check` it looks at the window itself, keeps a picture, and ends.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { launchBrowser, openPage } from "../editor/browser.ts";
import { startEditorServer } from "../editor/editorServer.ts";
import { type DesktopEditor, ensureEditor, type ServerEditor } from "../editor/ensureEditor.ts";
import { copyWorkspace, createProfile } from "../editor/profile.ts";
import { runTask, SetupError } from "../editor/progress.ts";
import { Workbench } from "../e2e/pages/workbench.ts";
import { demoSettings } from "./demoSettings.ts";
import { repositoryRoot, vsixFile } from "./paths.ts";
import { packageExtension } from "./vsix.ts";

const container = "MCP Host";

await runTask(async () => {
	const { isCheck, port } = readArguments();
	const demo = path.join(repositoryRoot, "test", "workspace", "demo");
	const workspace = existsSync(demo) ? demo : undefined;
	await packageExtension();
	const editor = await ensureEditor();
	return editor.kind === "server"
		? startOnServer(editor, workspace, isCheck, port)
		: startOnDesktop(editor, workspace, isCheck);
});

function readArguments(): { readonly isCheck: boolean; readonly port: number | undefined } {
	try {
		const { values } = parseArgs({ options: { check: { type: "boolean" }, port: { type: "string" } } });
		const port = values.port === undefined ? undefined : Number(values.port);
		if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536)) {
			throw new SetupError(`--port must be a number from 1 to 65535, not "${values.port}".`);
		}
		return { isCheck: values.check === true, port };
	} catch (error) {
		throw error instanceof SetupError
			? error
			: new SetupError(`${String(error)}\nUse: npm start -- [--check] [--port <number>]`);
	}
}

async function startOnServer(
	editor: ServerEditor,
	demo: string | undefined,
	isCheck: boolean,
	port: number | undefined,
): Promise<number> {
	const stopped = nextSignal();
	const server = await startEditorServer(editor, {
		vsix: vsixFile,
		settings: demoSettings,
		...(port === undefined ? {} : { port }),
	});
	try {
		const workspace = await copyWorkspace(demo, server.profile.folder);
		const url = server.urlOf(workspace);
		if (isCheck) {
			return await Promise.race([check(url, workspace), stopped.then(() => 1)]);
		}
		console.log(`\nMCP Host is running in VS Code ${editor.version}. Open this address in a browser:\n\n  ${url}\n`);
		console.log("Choose MCP Host in the activity bar. Press Ctrl+C here to stop; nothing of it stays on the machine.");
		const reason = await Promise.race([stopped.then(() => "signal"), server.wait().then(() => "ended")]);
		if (reason === "ended") {
			console.error(`The editor's server ended unexpectedly:\n${await server.log()}`);
		}
		return reason === "ended" ? 1 : 0;
	} finally {
		await server.stop();
	}
}

/** Opens the address as a user would and looks for the container in the activity bar. */
async function check(url: string, workspace: string): Promise<number> {
	const browser = await launchBrowser();
	try {
		const window = new Workbench(await openPage(browser, url), workspace);
		await window.waitUntilReady();
		await window.tree.open(container);
		await window.tree.waitForRunning("travel");
		await window.tree.waitForDescription(["everything"], /unapproved/);
		console.log(
			`\nThe demo server runs and the others wait for approval. Picture: ${await window.screenshot("start")}`,
		);
		return 0;
	} finally {
		await browser.close();
	}
}

/** Not run on the machines this was written on: desktop VS Code is not available there. */
async function startOnDesktop(editor: DesktopEditor, demo: string | undefined, isCheck: boolean): Promise<number> {
	if (isCheck) {
		const { startEditorWithVsix } = await import("../e2e/pages/startEditor.ts");
		await using window = await startEditorWithVsix({
			settings: demoSettings,
			...(demo === undefined ? {} : { workspace: demo }),
		});
		await window.tree.open(container);
		await window.tree.waitUntilFilled();
		console.log(
			`\nThe activity bar shows ${container} and its view is filled. Picture: ${await window.screenshot("start")}`,
		);
		return 0;
	}
	const { desktopArgs, desktopEnvironment, installInDesktop } = await import("../editor/desktop.ts");
	const stopped = nextSignal();
	const profile = await createProfile("everything", demoSettings);
	try {
		await installInDesktop(editor, profile, vsixFile);
		const workspace = await copyWorkspace(demo, profile.folder);
		const application = spawn(editor.executablePath, desktopArgs(profile, workspace, "everything"), {
			env: desktopEnvironment(),
			stdio: "ignore",
		});
		console.log("\nMCP Host is running in VS Code. Close the window or press Ctrl+C here to stop.");
		await Promise.race([stopped, once(application, "exit")]);
		application.kill();
		return 0;
	} finally {
		await profile.remove();
	}
}

function nextSignal(): Promise<void> {
	return new Promise((resolve) => {
		for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
			process.on(signal, () => resolve());
		}
	});
}
