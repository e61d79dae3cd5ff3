import * as vscode from "vscode";
import { messageOf } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { KeyValue } from "../base/storage.ts";
import { vendor } from "./model.ts";
import { noModelInfo } from "./noModel.ts";
import { replacementFor } from "./pickerChoice.ts";

const lastModelKey = "mcpHost.lastModel";
const usedModelKey = "mcpHost.usedModel";
const offeredModelsKey = "mcpHost.offeredModels";
const usedModelsKey = "mcpHost.usedModels";

/** So many models of earlier messages are found by a chat that shows one, although they are gone. */
const mostUsed = 5;

/**
 * Makes VS Code use our models, and its picker leave a removed one. VS Code itself does neither: it selects a
 * contributed model only after a request for it, and a chat that was opened with a model keeps showing it when it is
 * removed, also after a reload, so that the next message ends in "Language model unavailable". Therefore the models
 * that the chats of this workspace used are offered even when they are removed: a message to one reaches `@mcp`, which
 * says what to do.
 */
export class PickerChoice {
	private readonly state: KeyValue;
	private readonly workspaceState: KeyValue;
	private readonly settled: () => Promise<void>;
	private readonly log: Log;
	/** The ids of the models that VS Code received until the last update, also that of the last session. */
	private before: Set<string>;
	/** The ids of those that chats of this workspace used last, or that VS Code selected for lack of another. */
	private readonly shown: Set<string>;
	/** The ids of the current models, as VS Code received them last; undefined before that. */
	private current: readonly string[] | undefined;
	private used: string | undefined;

	/**
	 * `state` remembers for all windows, `workspaceState` for the chats of this workspace; `settled` resolves when the models of
	 * all endpoints are known.
	 */
	constructor(state: KeyValue, workspaceState: KeyValue, settled: () => Promise<void>, log: Log) {
		this.state = state;
		this.workspaceState = workspaceState;
		this.settled = settled;
		this.log = log;
		this.used = workspaceState.get<string>(usedModelKey);
		this.before = new Set(state.get<readonly string[]>(offeredModelsKey));
		if (this.used !== undefined) this.before.add(this.used);
		this.shown = new Set(workspaceState.get<readonly string[]>(usedModelsKey));
	}

	/** The ids of the models that a picker may show since the last session. */
	get kept(): readonly string[] {
		return [...new Set([...this.before, ...this.shown])];
	}

	/** Call it with the model of every message. */
	noteUse(chat: vscode.LanguageModelChat): void {
		const used = chat.vendor === vendor ? chat.id : undefined;
		this.used = used;
		void this.workspaceState.update(usedModelKey, used);
		if (used !== undefined) {
			this.shown.delete(used);
			this.noteShown(used);
		}
		if (used !== undefined && used !== noModelInfo.id) void this.state.update(lastModelKey, used);
	}

	/**
	 * Call it with the ids of our models when VS Code requests them; returns the removed ones that may still be shown.
	 */
	noteOffer(ids: readonly string[]): readonly string[] {
		this.current = ids;
		for (const id of ids) this.before.add(id);
		if (ids.includes(noModelInfo.id)) this.noteShown(noModelInfo.id);
		return [...this.shown].filter((id) => !ids.includes(id));
	}

	/** Call it immediately when our models, or those of others, have changed. Never rejects. */
	async update(): Promise<void> {
		// Before VS Code asks again, which adds new models.
		const before = [...this.before];
		try {
			await this.settled();
			await vscode.lm.selectChatModels({ vendor });
			const all = await vscode.lm.selectChatModels();
			const { current } = this;
			if (current === undefined) return;
			const ours = all.filter((model) => model.vendor === vendor);
			const now = ours.filter(({ id }) => current.includes(id));
			const id = replacementFor({
				before,
				now: now.map((model) => model.id),
				used: this.used,
				remembered: this.state.get<string>(lastModelKey),
				hasOthers: all.length > ours.length,
			});
			this.before = new Set(current);
			void this.state.update(offeredModelsKey, current);
			const family = now.find((model) => model.id === id)?.family;
			if (id === undefined || family === undefined) return;
			this.used = id;
			// In all chats; no view is opened or focused.
			await vscode.commands.executeCommand("workbench.action.chat.changeModel", { vendor, id, family });
		} catch (error) {
			this.log.debug(`The model picker was not changed: ${messageOf(error)}`);
		}
	}

	private noteShown(id: string): void {
		if (this.shown.has(id)) return;
		this.shown.add(id);
		for (const one of [...this.shown].slice(0, -mostUsed)) this.shown.delete(one);
		void this.workspaceState.update(usedModelsKey, [...this.shown]);
	}
}
