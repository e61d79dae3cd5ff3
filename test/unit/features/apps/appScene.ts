import type { ActivityNotes } from "../../../../src/records/activity/journal/entry.ts";
import { appMimeType } from "../../../../src/protocol/apps.ts";
import type { AddedContext } from "../../../../src/features/apps/addedContext.ts";
import { takeAdditions, type TakenAdditions } from "../../../../src/features/apps/takenAdditions.ts";
import { AppCall } from "../../../../src/features/apps/appCall.ts";
import type { OfferedFile } from "../../../../src/features/apps/appDownloads.ts";
import type { AppSurface } from "../../../../src/features/apps/appProtocol.ts";
import type { FormerPages, PageDifference } from "../../../../src/features/apps/formerPages.ts";
import { readDeniedDomains } from "../../../../src/features/apps/appsSetting.ts";
import { KnownApps } from "../../../../src/features/apps/knownApps.ts";
import { OpenApp } from "../../../../src/features/apps/openApp.ts";
import type { JsonObject } from "../../../../src/base/json.ts";
import { RequestRefusal } from "../../../../src/base/refusal.ts";
import type { KeyValue } from "../../../../src/base/storage.ts";
import type { UserRequests, Tool } from "../../../../src/servers/sessions/session.ts";
import { readCatalog } from "../../../../src/permissions/catalog/catalog.ts";
import type { ToolOutcome } from "../../../../src/features/tools/call.ts";
import { readResult } from "../../../../src/features/tools/results/result.ts";
import type { RawToolResult } from "../../../../src/permissions/catalog/catalog.ts";
import { directoryOf, User, serve, tool, type ToolSession } from "../tools/toolSession.ts";
import { type AppSide, startAppSide } from "./appSide.mjs";

export const uri = "ui://budget/page";
export const surface: AppSurface = {
	width: 600,
	height: 400,
	theme: "light",
	variables: { "--color-text-primary": "#111" },
};

/** The tool whose results an app shows. */
export const budget = tool("budget", {}, { title: "Budget Allocator", _meta: { ui: { resourceUri: uri } } });

/** State in memory. */
export function memory(): KeyValue {
	const values = new Map<string, unknown>();
	return {
		get: (key) => values.get(key) as never,
		update: async (key, value) => void values.set(key, value),
	};
}

/** The result of a call. */
export function done(args: JsonObject, raw: RawToolResult): ToolOutcome {
	return { kind: "done", result: readResult(raw), wanted: args, sent: args, isEdited: false, milliseconds: 1 };
}

/** The differences of a scene from the default. */
export interface SceneOptions {
	readonly tools?: readonly Tool[];
	readonly html?: string;
	readonly mimeType?: string;
	/** `_meta.ui` of the page. */
	readonly ui?: JsonObject;
	readonly state?: KeyValue;
	/** The store for pages to compare. */
	readonly pages?: FormerPages;
	/** The domains that no app may reach. */
	readonly deniedDomains?: readonly string[];
	readonly result?: RawToolResult;
	/** Whether the user chooses a place for a file; they do by default. */
	readonly saves?: boolean;
	/** Answers sampling requests; the user rejects them by default. */
	readonly createMessage?: UserRequests["createMessage"];
	/** The call of the app is still running, or still being written. */
	readonly isRunning?: boolean | "written";
	readonly notes?: ActivityNotes;
	/** The script that runs in the frame before the app's. */
	readonly preamble?: string;
}

/** An app that is open, its server, and its user. */
export class AppScene {
	readonly session: ToolSession;
	readonly user = new User(() => undefined);
	readonly app: OpenApp;
	/** The call whose result the app shows. */
	readonly call: AppCall;
	/** The pages opened in a browser, and the texts put into the chat. */
	readonly opened: string[] = [];
	readonly drafts: string[] = [];
	/** The files saved where the user chose. */
	readonly saved: OfferedFile[] = [];
	/** The pages that were compared. */
	readonly differences: PageDifference[] = [];
	/** The messages sent to the frame. */
	readonly sent: JsonObject[] = [];
	/** Whether the user has just pressed a control in the app. */
	isActed = false;

	private constructor(session: ToolSession, options: SceneOptions) {
		this.session = session;
		session.onRead = async () => ({
			contents: [
				{
					uri,
					mimeType: options.mimeType ?? appMimeType,
					text: options.html ?? "<p>Hello",
					...(options.ui === undefined ? {} : { _meta: { ui: options.ui } }),
				},
			],
		});
		const directory = directoryOf(session);
		const entry = readCatalog(directory).entries.find((one) => one.tool.name === "budget");
		if (entry === undefined) throw new Error("no tool");
		const { approvals, policy, pins } = this.user;
		const came = done({ total: 5 }, options.result ?? { content: [{ type: "text", text: "5 left" }] });
		const { isRunning = false } = options;
		this.call = new AppCall(
			entry,
			isRunning === "written" ? undefined : { total: 5 },
			isRunning === false ? came : undefined,
		);
		this.app = new OpenApp(
			this.call,
			{
				directory,
				approvals: () => approvals,
				policy,
				pins,
				...(options.notes === undefined ? {} : { notes: options.notes }),
				refreshRules: async () => undefined,
				known: new KnownApps(options.state ?? memory(), options.pages),
				showDifference: (difference) => void this.differences.push(difference),
				deniedDomains: () => readDeniedDomains(options.deniedDomains),
				preamble: async () => options.preamble ?? "/* preamble */",
				version: "1.2.3",
				language: "en",
				isWeb: false,
				openExternal: async (href) => this.opened.push(href) > 0,
				draft: async (text) => void this.drafts.push(text),
				saveFile: async (file) => options.saves !== false && this.saved.push(file) > 0,
				createMessage:
					options.createMessage ?? (async () => Promise.reject(new RequestRefusal(-1, "denied", "User rejected it"))),
			},
			() => undefined,
		);
		this.app.onDidSend(({ message }) => this.sent.push(message));
	}

	/** Begins a scene: the server runs, nothing is open. */
	static async begin(options: SceneOptions = {}): Promise<AppScene> {
		return new AppScene(await serve("finance", budget, ...(options.tools ?? [])), options);
	}

	/** Reads the page and loads the frame, in which the app side of the extension's library runs. */
	async start(takesTeardown = true): Promise<AppSide> {
		await this.app.open();
		return this.attach(takesTeardown);
	}

	/** Loads the frame, in which an app runs that declares these modes. */
	async attach(takesTeardown: boolean, modes?: readonly string[]): Promise<AppSide> {
		this.app.attach(surface);
		const { load } = this.app.view;
		if (this.app.frame(load) === undefined) throw new Error(this.app.view.sentence ?? "There is no frame.");
		const listeners: ((message: unknown) => void)[] = [];
		this.app.onDidSend(({ message }) => queueMicrotask(() => listeners.forEach((listener) => listener(message))));
		return startAppSide(
			(message) => this.app.receive(load, structuredClone(message), this.isActed),
			(listener) => void listeners.push(listener),
			takesTeardown,
			modes,
		);
	}

	/** The context that the app adds to a message that the user sends after seeing it. */
	async takeAdded(): Promise<readonly AddedContext[]> {
		const { addition } = this.app;
		if (addition.view !== undefined) addition.painted(addition.view.revision);
		for (;;) {
			const taken = this.take();
			if (taken.held.length === 0) return taken.give();
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
	}

	/** The context of the app in a message that the user sends now. */
	take(isLeftOut = false): TakenAdditions {
		return takeAdditions(
			[this.app],
			() => isLeftOut,
			() => undefined,
		);
	}

	/** Answers the question beside the app, as soon as it accepts answers. */
	async answer(answer: string): Promise<string> {
		const { questions } = this.app;
		while (questions.current === undefined) await new Promise<void>((resolve) => questions.onDidChange(resolve));
		const { id, heading } = questions.current;
		while (!questions.answer(id, answer)) await new Promise((resolve) => setTimeout(resolve, 20));
		return heading;
	}
}
