import { appsExtension } from "../../src/protocol/apps.ts";
import { appUriOf } from "../../src/protocol/toolPage.ts";
import { readCatalog, type ToolEntry } from "../../src/permissions/catalog/catalog.ts";
import { toolLabel } from "../../src/surfaces/tree/view.ts";
import { followsColorScheme, takePictures } from "../e2e/fixtures/colorScheme.ts";
import { approve, container } from "../e2e/fixtures/serverReview.ts";
import { patience, succeeds, waitForCondition } from "../e2e/pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "../e2e/pages/startEditor.ts";
import { TestHost } from "../integration/testHost.ts";
import { ensureBrowser } from "../editor/ensureBrowser.ts";
import { ensurePackaged } from "../tasks/vsix.ts";
import { appName, type AppRow } from "./appPackages.ts";
import { scriptOf } from "./install.ts";
import type { RealServer } from "./realServer.ts";

const wide = { width: 1280, height: 800 };
const narrow = { width: 900, height: 700 };

/** A window of the editor with the packaged extension, in which apps are opened as by a user, from the runs of their tools. */
export class AppWorkbench implements AsyncDisposable {
	private readonly editor: RunningEditor;

	private constructor(editor: RunningEditor) {
		this.editor = editor;
	}

	/** Opens a window in which these servers are configured; none of them is approved. */
	static async start(servers: readonly RealServer[]): Promise<AppWorkbench> {
		await ensureBrowser();
		await ensurePackaged();
		const entries = servers.map((server) => [
			appName(server),
			{ type: "stdio", command: process.execPath, args: argumentsOf(server) },
		]);
		const settings = { ...followsColorScheme, "mcpHost.servers": Object.fromEntries(entries) as object };
		const editor = await startEditorWithVsix({ settings, size: wide });
		await editor.tree.open(container);
		return new AppWorkbench(editor);
	}

	/** Runs the first tool of a server that has an app, opens that, and has it shown in another theme and size. */
	async tryOut(server: RealServer): Promise<AppRow> {
		try {
			return await this.openApp(server);
		} catch (error) {
			await this.editor.screenshot(`real-app-${appName(server)}-workbench-failed`);
			await this.editor.recover();
			throw error;
		}
	}

	private async openApp(server: RealServer): Promise<AppRow> {
		const { editor } = this;
		const { tree, editors, webview, page } = editor;
		const name = appName(server);
		const tool = toolLabel((await toolWithApp(server)).tool);
		await approve(editor, name);
		await tree.expand([name, "Tools"]);
		await waitForCondition(`The form of ${tool}`, async () => {
			await tree.click([name, "Tools", tool]);
			const isOpen = async (): Promise<boolean> => (await editors.activeTitle()).startsWith("Run ");
			return succeeds(waitForCondition("Its tab", isOpen, 5000));
		});
		const form = await webview.documentWith("#submit");
		await form.locator("#submit").click();
		const run = await webview.documentWith(".standing-sentence");
		await run.getByRole("button", { name: "Run Again" }).waitFor({ timeout: patience });
		const happened = (await run.locator(".standing-sentence").first().innerText()).trim();
		await run.getByRole("button", { name: "Open App" }).click();
		const around = await webview.documentWith("#stage");
		const asked = new Set<string>();
		const question = around.getByRole("region", { name: "Question" });
		const known = around.locator("li, td, p");
		await page.getByRole("tab", { name: ` · ${name}` }).click();
		// Its requests are allowed while it is open, and so are domains: none of them can be reached here.
		await waitForCondition(`The app of ${name}`, async () => {
			if ((await question.count()) > 0) {
				// It may disappear meanwhile.
				const heading = await question.innerText({ timeout: 1000 }).catch(() => "");
				asked.add(
					heading
						.split("\n", 1)
						.join("")
						.replace(/^The app .* wants to /, ""),
				);
				await question
					.getByRole("button", { name: /^Allow/ })
					.last()
					.click({ timeout: 3000 })
					.catch(() => undefined);
				return false;
			}
			const details = page.getByRole("button", { name: "Show App Details" });
			if ((await known.filter({ hasText: "Initialized after" }).count()) > 0) return true;
			if ((await known.filter({ hasText: "Page of" }).count()) === 0)
				await details.click({ timeout: 3000 }).catch(() => undefined);
			return false;
		});
		const lines = await known.allInnerTexts();
		await page.getByRole("button", { name: "Show App Details" }).click({ timeout: patience });
		await takePictures(editor, `real-app-${name}-workbench`);
		await page.setViewportSize(narrow);
		await editor.screenshot(`real-app-${name}-workbench-narrow`);
		await page.setViewportSize(wide);
		const start = performance.now();
		await editors.close(new RegExp(` · ${name}$`));
		const teardownMs = Math.round(performance.now() - start);
		await editor.closeEverything();
		await tree.collapse(name);
		const failed = lines.find((line) => line.startsWith("Error: "));
		return {
			app: name,
			initialized: true,
			size: lines.find((line) => line.startsWith("Wants ")) ?? "",
			stopped: lines.filter((line) => line.startsWith("Blocked by the policy")).length,
			asked: [...asked].join(", "),
			teardownMs,
			happened: failed ?? happened,
		};
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.editor.stop();
	}
}

function argumentsOf(server: RealServer): readonly string[] {
	return [scriptOf(server), ...(server.args?.({ folder: "", url: "", port: 0 }) ?? [])];
}

/** The tool whose app is opened. @throws Error if the server has none. */
async function toolWithApp(server: RealServer): Promise<ToolEntry> {
	await using host = new TestHost({ extensions: appsExtension });
	const session = await host.run(appName(server), { command: process.execPath, args: [...argumentsOf(server)] });
	await waitForCondition("The tools", async () => session.tools.status.kind === "ready");
	const entry = readCatalog(host.host.registry).entries.find(({ tool }) => appUriOf(tool) !== undefined);
	if (entry === undefined) throw new Error("It has no tool with an app.");
	return entry;
}
