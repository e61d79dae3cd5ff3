import * as vscode from "vscode";
import type { Disposable } from "../../base/lifecycle.ts";
import type { PageDifference } from "./formerPages.ts";

/** The scheme of the read-only documents that hold the page of an app. */
const scheme = "mcphost-app-page";
/** How many differences can be shown anew by the editor. */
const mostKept = 5;

/** Pages of apps as documents of the editor, which compares them as the texts that they are. */
export class PageDocuments implements Disposable {
	private readonly differences = new Map<string, PageDifference>();
	private readonly registration: Disposable;

	constructor() {
		this.registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
			provideTextDocumentContent: ({ query }) => {
				const [side, id = ""] = query.split("=");
				const difference = this.differences.get(id);
				return difference?.[side === "before" ? "before" : "now"] ?? "This page is not kept any more.";
			},
		});
	}

	/** Shows a difference. */
	async show(difference: PageDifference): Promise<void> {
		const id = crypto.randomUUID();
		this.differences.set(id, difference);
		const [oldest] = this.differences.keys();
		if (this.differences.size > mostKept && oldest !== undefined) this.differences.delete(oldest);
		// The ending keeps the editor from running what it has for pages on one of a server.
		const uri = (side: "before" | "now"): vscode.Uri =>
			vscode.Uri.from({ scheme, path: "/page.txt", query: `${side}=${id}` });
		const { title } = difference;
		await vscode.commands.executeCommand("vscode.diff", uri("before"), uri("now"), title, { preview: true });
	}

	dispose(): void {
		this.registration.dispose();
		this.differences.clear();
	}
}
