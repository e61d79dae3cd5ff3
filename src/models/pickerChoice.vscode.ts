import * as vscode from "vscode";
import { messageOf } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { KeyValue } from "../base/storage.ts";
import { vendor } from "./model.ts";
import { noModelInfo } from "./noModel.ts";
import { replacementFor } from "./pickerChoice.ts";

const lastModelKey = "mcpHost.lastModel";

/**
 * Makes the editor take over our models, and its picker leave one that is gone. Two things it does not do by itself: it
 * selects a contributed model only after somebody has resolved it, and a chat that was opened with a model keeps showing it
 * when it is gone, so that the next message ends in "Language model unavailable".
 */
export class PickerChoice {
	private readonly state: KeyValue;
	private readonly log: Log;
	/** What the editor may show: what it was told since the last update. */
	private offered = new Set<string>();
	private used: string | undefined;

	constructor(state: KeyValue, log: Log) {
		this.state = state;
		this.log = log;
	}

	/** Call it with the model of every message. */
	noteUse(chat: vscode.LanguageModelChat): void {
		this.used = chat.vendor === vendor ? chat.id : undefined;
		if (this.used !== undefined && this.used !== noModelInfo.id) void this.state.update(lastModelKey, this.used);
	}

	/** Call it with what the editor is told of our models. */
	noteOffer(ids: readonly string[]): void {
		for (const id of ids) this.offered.add(id);
	}

	/** Call it at once when our models, or those of others, have changed. Never rejects. */
	async update(): Promise<void> {
		const before = [...this.offered];
		try {
			await vscode.lm.selectChatModels({ vendor });
			const all = await vscode.lm.selectChatModels();
			const ours = all.filter((model) => model.vendor === vendor);
			const change = {
				before,
				now: ours.map(({ id }) => id),
				used: this.used,
				remembered: this.state.get<string>(lastModelKey),
				hasOthers: all.length > ours.length,
			};
			this.offered = new Set(change.now);
			const id = replacementFor(change);
			const family = ours.find((model) => model.id === id)?.family;
			if (id === undefined || family === undefined) return;
			// In all chats; no view comes up or gets the focus.
			await vscode.commands.executeCommand("workbench.action.chat.changeModel", { vendor, id, family });
		} catch (error) {
			this.log.debug(`The model picker was not changed: ${messageOf(error)}`);
		}
	}
}
