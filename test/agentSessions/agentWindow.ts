import path from "node:path";
import type { Page } from "playwright-core";
import { press, succeeds, waitForCondition } from "../e2e/pages/conditions.ts";
import { approve, container } from "../e2e/fixtures/serverReview.ts";
import { TestFolder, writeContent } from "../e2e/fixtures/testFolder.ts";
import { Workbench } from "../e2e/pages/workbench.ts";
import { launchBrowser, openPage } from "../editor/browser.ts";
import { type EditorServer, startEditorServer, windowUrl } from "../editor/editorServer.ts";
import type { ServerEditor } from "../editor/ensureEditor.ts";
import type { Settings } from "../editor/profile.ts";
import { vsixFile } from "../tasks/paths.ts";
import { type ModelApi, modelName } from "./modelApi.ts";

/** The content of the places before the window opens. */
export interface FilledPlaces {
	readonly workspace: Readonly<Record<string, string | object>>;
	readonly home: Readonly<Record<string, string | object>>;
	/** The user's `mcp.json`. */
	readonly user?: object;
	/** The server of another extension. */
	readonly extension?: object;
	/** The user's settings, beside those of sessions. */
	readonly settings?: Settings;
}

/**
 * Agent sessions find a model without a sign-in, as in the editor's own tests. The editor's own host is on, as by
 * default.
 */
const sessionSettings: Settings = {
	"chat.mcp.access": "all",
	"chat.agentHost.allowSignedOutWhenUsable": true,
	"chat.agentHost.unsafeTestToken": "none",
};
/** The model of `@mcp`, which chats of VS Code itself use. */
const localModel = "scripted";

/** A window with the packaged extension, in which agent sessions of Copilot are begun as by a user. */
export class AgentWindow extends Workbench implements AsyncDisposable {
	/** The user's home folder. */
	readonly home: string;
	readonly #server: EditorServer;
	readonly #settings: Settings;
	readonly #stack: AsyncDisposableStack;

	private constructor(
		page: Page,
		{
			workspace,
			settings,
			server,
			home,
		}: {
			readonly workspace: string;
			readonly settings: Settings;
			readonly server: EditorServer;
			readonly home: string;
		},
		stack: AsyncDisposableStack,
	) {
		super(page, workspace);
		this.#settings = settings;
		this.#server = server;
		this.home = home;
		this.#stack = stack;
	}

	/** Opens a window with these places; `api` answers all requests of Copilot's runtime to GitHub. */
	static async start(editor: ServerEditor, api: ModelApi, places: FilledPlaces): Promise<AgentWindow> {
		await using stack = new AsyncDisposableStack();
		const folder = stack.use(await TestFolder.create());
		const workspace = await folder.workspace("agents", places.workspace);
		const settings = {
			...sessionSettings,
			...places.settings,
			"mcpHost.models": [{ name: "Scripted", baseURL: api.models, models: [localModel] }],
		};
		const home = await folder.workspace("home", places.home);
		const { extension, user } = places;
		const server = await startEditorServer(editor, {
			vsix: vsixFile,
			...(extension === undefined ? {} : { installed: [path.join(import.meta.dirname, "provider")] }),
			settings,
			// Only an editor under test reads the token, and it shows no toasts.
			isSmokeTestDriverEnabled: true,
			env: {
				HOME: home,
				VSCODE_AGENT_HOST_CAPI_URL_OVERRIDE: api.url,
				COPILOT_API_URL: api.url,
				COPILOT_DEBUG_GITHUB_API_URL: api.url,
				COPILOT_DEBUG_SKIP_LAUNCH_CHECKS: "1",
				// All other requests to any host end there, too.
				HTTPS_PROXY: api.url,
				NO_PROXY: "127.0.0.1,localhost",
				...(extension === undefined ? {} : { MCP_HOST_PROVIDED: JSON.stringify(extension) }),
			},
		});
		stack.defer(() => server.stop());
		const userFile = path.join(server.profile.userDataFolder, "User", "mcp.json");
		if (user !== undefined) await writeContent(userFile, user);
		const browser = await launchBrowser();
		stack.defer(() => browser.close());
		const page = await openPage(browser, windowUrl(server.authority, workspace), { width: 1400, height: 900 });
		const window = new AgentWindow(page, { workspace, settings, server, home }, stack.move());
		await window.waitUntilReady();
		await window.tree.open(container);
		return window;
	}

	/** Reloads the window with this value of `chat.mcp.access`. */
	async setAccess(access: string): Promise<void> {
		// It would be restored after the window was reloaded.
		await this.#leaveChat();
		await this.#server.profile.writeSettings({ ...this.#settings, "chat.mcp.access": access });
		await this.reload();
		await this.tree.open(container);
	}

	/** Begins a chat with a message, a session of Copilot or of VS Code itself, and returns when `isDone`. */
	async begin(kind: "Copilot" | "Local", message: string, isDone: () => Promise<boolean>): Promise<void> {
		const { page, chat } = this;
		const side = page.locator(".part.auxiliarybar");
		const harness = side
			.locator(".action-label")
			.filter({ hasText: /^(Local|Copilot)$/ })
			.last();
		const choice = page.locator(".action-widget .monaco-list-row").filter({ hasText: kind }).first();
		await chat.open();
		await this.#leaveChat();
		const model = chat.inputPart.getByText(kind === "Local" ? localModel : modelName).first();
		const isChosen = async (): Promise<boolean> => (await harness.innerText()).trim() === kind;
		// An earlier chat may reappear once, with the choices made there.
		await waitForCondition(`A chat of ${kind}`, async () => {
			if (!(await isChosen())) {
				if (!(await choice.isVisible())) await succeeds(harness.click({ timeout: 3000 }));
				await succeeds(choice.click({ timeout: 3000 }));
				return false;
			}
			if (await succeeds(model.waitFor({ timeout: 3000 }))) return isChosen();
			if (kind === "Copilot") await succeeds(chat.chooseModel("Auto", modelName));
			return false;
		});
		await chat.send(message);
		await waitForCondition("The end of the turn", isDone, 90_000);
	}

	/** An empty chat is not begun again: nothing would show when that is done, and a message sent before is lost. */
	async #leaveChat(): Promise<void> {
		if ((await this.chat.lastResponse().count()) > 0) await this.chat.startAnew();
	}

	/**
	 * Allows the call that waits in *Pending* once, in its form, which shows all of it. Returns whether a field of it has
	 * this value.
	 */
	async allowPending(value = ""): Promise<boolean> {
		const pending = this.tree.view("Pending");
		const [row] = await pending.rows();
		if (row === undefined) return false;
		await pending.click(row.label);
		const form = await this.webview.document("wants to call");
		await form.getByRole("button", { name: "Allow Once" }).waitFor();
		const fields = await form.getByRole("textbox").all();
		const values = await Promise.all(fields.map((field) => field.inputValue()));
		await press(form.getByRole("button", { name: "Allow Once" }));
		const isGone = async (): Promise<boolean> =>
			(await pending.rows()).every(({ accessibleName }) => accessibleName !== row.accessibleName);
		await waitForCondition("The end of the question", isGone);
		return values.includes(value);
	}

	/** *Run Here Only*, and the second step, as a user performs them. */
	async runHereOnly(): Promise<void> {
		await this.palette.runAndPick("MCP Host: Choose Host for Shared Servers…", "Run Here Only, in This Workspace");
		await this.dialogs.waitForNotification(/VS Code's own MCP host is off/);
	}

	async moveRootFile(): Promise<void> {
		await this.palette.run("MCP Host: Move Servers of .mcp.json…");
		await this.dialogs.waitForModal("Move one server");
		await this.dialogs.answerModal("Move");
	}

	approve(server: string): Promise<void> {
		return approve(this, server);
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#stack.disposeAsync();
	}
}
