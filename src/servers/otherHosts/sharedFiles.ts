import { Emitter, type Event } from "../../base/event.ts";
import { toDisposable } from "../../base/lifecycle.ts";
import type { KeyValue } from "../../base/storage.ts";
import type { ConfigOrigin } from "../definitions/config.ts";
import type { EditorAccess } from "./startFacts.ts";
import { accessSetting, answerKey, isLeft, isShared, type EditorSetting, type Runner } from "./left.ts";

/** The user's answer about this workspace's shared files. */
export interface KeptAnswer {
	/** Absent while they only closed the question. */
	readonly runner?: Runner;
	/** The scope of VS Code's settings that the answer was written to, with the former value. */
	readonly written?: { readonly scope: SettingScope; readonly former?: unknown };
}

/** The scope of one of VS Code's settings. */
export type SettingScope = "workspace" | "user";

/** VS Code's own settings about its MCP host. */
export interface EditorSettings {
	readonly get: EditorSetting;
	/** Some of them may have changed. */
	readonly onDidChange: Event<unknown>;
}

/**
 * The files that two hosts of one window read, and which one runs their servers. The behaviour of VS Code's own host is
 * read from its settings each time, because anybody may change them; the answer is the user's and is not stored in the
 * workspace's files.
 */
export class SharedFiles {
	private readonly state: KeyValue;
	private readonly settings: EditorSettings;
	private readonly changed = new Emitter<void>();
	/** The answer, or possibly VS Code's settings, changed. */
	readonly onDidChange: Event<void>;

	constructor(state: KeyValue, settings: EditorSettings) {
		this.state = state;
		this.settings = settings;
		this.onDidChange = (listener) => {
			const both = [this.changed.event(listener), settings.onDidChange(() => listener())];
			return toDisposable(() => both.forEach((one) => one.dispose()));
		};
	}

	/** The answer in this workspace; undefined if nothing was asked. */
	get answer(): KeptAnswer | undefined {
		return this.state.get<KeptAnswer>(answerKey);
	}

	/** The servers that VS Code's own host may start; undefined if this editor has none. */
	get access(): EditorAccess | undefined {
		const access = this.settings.get(accessSetting);
		return access === undefined || access === "registry" || access === "none" ? access : "all";
	}

	/**
	 * Whether VS Code's own host is on. It starts a server with a message to any chat, or when a model calls its tool.
	 */
	get isEditorOn(): boolean {
		return (this.access ?? "none") !== "none";
	}

	/** Whether VS Code's own host reads this place too, on or off. */
	isShared(origin: ConfigOrigin): boolean {
		return isShared(origin, this.settings.get);
	}

	/** Whether the user left the servers of this place to VS Code. */
	isLeft(origin: ConfigOrigin): boolean {
		return isLeft(origin, this.state, this.settings.get);
	}

	/** Stores an answer, or that the question was closed; undefined resets the question. */
	async keep(answer: KeptAnswer | undefined): Promise<void> {
		await this.state.update(answerKey, answer);
		this.changed.fire();
	}
}
