import * as vscode from "vscode";
import type { Disposable } from "../../base/lifecycle.ts";
import { oneLine } from "../../base/text.ts";
import { type RunDocument, documentOf } from "./runTexts.ts";
import type { ToolRun } from "./toolRun.ts";

/** The scheme of the read-only documents that hold a request or a result whole. */
const scheme = "mcphost-run";

/** How many documents can be shown anew by the editor; each may hold a large result. */
const mostKept = 20;

/** Opens what a panel shows the beginning of in editors: read-only, so that closing one asks nothing. */
export class RunDocuments implements Disposable {
	private readonly kept = new Map<string, { readonly run: ToolRun; readonly part: RunDocument }>();
	private readonly registration: Disposable;

	constructor() {
		this.registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
			provideTextDocumentContent: ({ query }) => {
				const shown = this.kept.get(query);
				return shown === undefined ? "This run is no longer kept." : documentOf(shown.run, shown.part).text;
			},
		});
	}

	/**
	 * Shows the whole of a text in an editor.
	 * @throws HostError `invalid` for a run that has none.
	 */
	async open(run: ToolRun, part: RunDocument): Promise<void> {
		// Tells at once that there is none.
		const { title, extension } = documentOf(run, part);
		const query = `${run.id}-${part}`;
		this.kept.set(query, { run, part });
		const [oldest] = this.kept.keys();
		if (this.kept.size > mostKept && oldest !== undefined) this.kept.delete(oldest);
		const name = `${oneLine(run.entry.tool.name, 60)} ${title}.${extension}`.replace(/[/\\]/g, "_");
		const uri = vscode.Uri.from({ scheme, path: `/${name}`, query });
		await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
	}

	/** Forgets all of them; what stands in an open editor stays there. */
	clear(): void {
		this.kept.clear();
	}

	dispose(): void {
		this.registration.dispose();
		this.clear();
	}
}
