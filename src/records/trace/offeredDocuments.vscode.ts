import { homedir } from "node:os";
import * as vscode from "vscode";
import { DisposableStore } from "../../base/lifecycle.ts";
import { showInformation } from "../../base/notify.vscode.ts";

/** The exported data, as the user sees it before. */
interface Outgoing {
	readonly name: string;
	readonly text: string;
	/** Its contents, in words. */
	readonly what: string;
	/** How the editor colours it. */
	readonly language: string;
	/** Runs once it is saved. */
	readonly saved?: (target: vscode.Uri) => Promise<void>;
}

const saveButton = "Save…";

/** The documents that show what would be saved. Each has *Save…* in its editor's title as long as it is open (FST-15). */
export class OfferedDocuments extends DisposableStore {
	private readonly offers = new Map<string, Outgoing>();

	constructor() {
		super();
		this.add(
			vscode.workspace.onDidCloseTextDocument(({ uri }) => {
				if (this.offers.delete(uri.toString())) this.update();
			}),
		);
	}

	/** Shows what would go out, with what saves it. */
	async offer(outgoing: Outgoing): Promise<void> {
		const known = await vscode.languages.getLanguages();
		const language = known.includes(outgoing.language) ? outgoing.language : "json";
		const document = await vscode.workspace.openTextDocument({ content: outgoing.text, language });
		this.offers.set(document.uri.toString(), outgoing);
		this.update();
		await vscode.window.showTextDocument(document, { preview: true });
		const answer = await showInformation(`Exactly this will be saved: ${outgoing.what}.`, saveButton);
		if (answer === saveButton) await this.save(document.uri);
	}

	/** Saves what a document shows where the user says, and shows the file in its place. */
	async save(argument: unknown): Promise<void> {
		const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
		const key = uri?.toString() ?? "";
		const offer = this.offers.get(key);
		const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === key);
		if (offer === undefined || document === undefined) {
			void showInformation("This document was closed or saved already. Export again to save it.");
			return;
		}
		const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
		const target = await vscode.window.showSaveDialog({ defaultUri: vscode.Uri.joinPath(folder, offer.name) });
		if (target === undefined) return;
		await vscode.workspace.fs.writeFile(target, Buffer.from(document.getText()));
		await vscode.window.showTextDocument(document, { preview: true });
		await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
		await vscode.window.showTextDocument(target, { preview: true });
		await offer.saved?.(target);
	}

	private update(): void {
		void vscode.commands.executeCommand("setContext", "mcpHost.offeredDocuments", [...this.offers.keys()]);
	}
}
