import * as vscode from "vscode";
import { KeptDocuments } from "../../base/keptDocuments.vscode.ts";
import type { PageDifference } from "./formerPages.ts";

/** How many differences can be shown anew by the editor. */
const mostKept = 5;

/** Pages of apps as documents of the editor, which compares them as the texts that they are. */
export class PageDocuments extends KeptDocuments<PageDifference> {
	constructor() {
		super("mcphost-app-page", mostKept, "This page is not kept any more.", (difference, query) =>
			query.endsWith("&before") ? difference.before : difference.now,
		);
	}

	/** Shows a difference. */
	async show(difference: PageDifference): Promise<void> {
		const id = crypto.randomUUID();
		this.keep(id, difference);
		// The ending keeps the editor from running what it has for pages on one of a server.
		const [before, now] = [this.uri("page.txt", `${id}&before`), this.uri("page.txt", `${id}&now`)];
		await vscode.commands.executeCommand("vscode.diff", before, now, difference.title, { preview: true });
	}
}
