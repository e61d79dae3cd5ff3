import * as vscode from "vscode";
import { Emitter, type Event } from "../base/event.ts";
import { canonicalJson } from "../base/json.ts";
import { DisposableStore, type Disposable } from "../base/lifecycle.ts";
import { messageOf } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import { createEditorModel } from "./editor.vscode.ts";
import { vendor, type ChatModel, type ModelDirectory } from "./model.ts";

/**
 * Our own models followed by those that other extensions bring into the editor, so that servers' sampling requests can
 * be answered by either. Listing them needs no consent; the editor asks for it when one is first used.
 */
export class AllModels implements ModelDirectory, Disposable {
	private readonly store = new DisposableStore();
	private readonly changed = this.store.add(new Emitter<void>());
	private readonly own: ModelDirectory;
	private readonly log: Log;
	private others: readonly ChatModel[] = [];
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(own: ModelDirectory, log: Log) {
		this.own = own;
		this.log = log;
		this.store.add(own.onDidChange(() => this.changed.fire()));
		this.store.add(vscode.lm.onDidChangeChatModels(() => void this.read()));
	}

	get models(): readonly ChatModel[] {
		return [...this.own.models, ...this.others];
	}

	dispose(): void {
		this.store.dispose();
	}

	private async read(): Promise<void> {
		try {
			const all = await vscode.lm.selectChatModels();
			if (this.store.isDisposed) return;
			const others = all.filter((model) => model.vendor !== vendor).map(createEditorModel);
			const isSame =
				canonicalJson(others.map(({ info }) => info)) === canonicalJson(this.others.map(({ info }) => info));
			this.others = others;
			if (!isSame) this.changed.fire();
		} catch (error) {
			this.log.warn(`The editor did not tell its models: ${messageOf(error)}`);
		}
	}
}
