import * as vscode from "vscode";
import type { Commands } from "../../base/commands.ts";
import { openDocument } from "../../base/keptDocuments.vscode.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { showInformation } from "../../base/notify.vscode.ts";
import { throttle } from "../../base/throttle.ts";
import { chatCommands } from "./stream.vscode.ts";
import type { TurnTexts } from "./turnTexts.ts";

/** The scheme of the read-only documents that hold such a text. */
const scheme = "mcphost-turn";

/** How often a growing text is shown again, in milliseconds. */
const paceMs = 500;

/** Opens texts of turns in read-only editors, which follow them while they go on, until it is disposed. */
export class TurnTextDocuments implements Disposable {
	private readonly texts: TurnTexts;
	private readonly store = new DisposableStore();
	private readonly grown = new Map<string, vscode.Uri>();

	constructor(texts: TurnTexts) {
		this.texts = texts;
		const changed = this.store.add(new vscode.EventEmitter<vscode.Uri>());
		const showGrown = this.store.add(
			throttle(() => {
				for (const uri of this.grown.values()) changed.fire(uri);
				this.grown.clear();
			}, paceMs),
		);
		this.store.add(
			texts.onDidChange((id) => {
				const open = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === scheme && uri.query === id);
				if (open === undefined) return;
				this.grown.set(id, open.uri);
				showGrown.run();
			}),
		);
		this.store.add(
			vscode.workspace.registerTextDocumentContentProvider(scheme, {
				onDidChange: changed.event,
				provideTextDocumentContent: ({ query }) => texts.textOf(query),
			}),
		);
	}

	/** The command behind the links to texts of turns. */
	get commands(): Commands<(typeof chatCommands)["text"]> {
		return {
			[chatCommands.text]: async (_turn: unknown, _action: unknown, id: unknown) => {
				const title = typeof id === "string" ? this.texts.titleOf(id) : undefined;
				if (title === undefined) return showInformation("This text is no longer kept.");
				const path = `/${title.replace(/[/\\]/g, "_")}.txt`;
				await openDocument(vscode.Uri.from({ scheme, path, query: String(id) }));
				return undefined;
			},
		};
	}

	dispose(): void {
		this.store.dispose();
	}
}
