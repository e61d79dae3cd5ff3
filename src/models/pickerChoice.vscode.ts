import * as vscode from "vscode";
import { messageOf } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import { vendor } from "./model.ts";
import { noModelInfo } from "./noModel.ts";

/**
 * Makes the editor take over our models, and its picker leave the entry that stood in for one. Two things it does not do by
 * itself: it selects a contributed model only after somebody has resolved it, and in a conversation that has begun with a
 * model that is gone now it may leave that one selected, so that the next message ends in "Language model unavailable".
 */
export class PickerChoice {
	private readonly log: Log;
	private isStandInUsed = false;

	constructor(log: Log) {
		this.log = log;
	}

	/** Call it when somebody has sent a message to the entry that stands in for a model. */
	noteStandIn(): void {
		this.isStandInUsed = true;
	}

	/** Call it when our models, or those of others, have changed. Never rejects. */
	async update(): Promise<void> {
		try {
			const [first] = await vscode.lm.selectChatModels({ vendor });
			if (!this.isStandInUsed || first === undefined || first.id === noModelInfo.id) return;
			this.isStandInUsed = false;
			// There was no model at all before, so nobody's choice is lost. In all chats, and no view comes up or gets the focus.
			const model = { vendor, id: first.id, family: first.family };
			await vscode.commands.executeCommand("workbench.action.chat.changeModel", model);
		} catch (error) {
			this.log.debug(`The model picker was left as it is: ${messageOf(error)}`);
		}
	}
}
