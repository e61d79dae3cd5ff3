import { KeptDocuments, openDocument } from "../../base/keptDocuments.vscode.ts";
import { oneLine } from "../../base/text.ts";
import { type RunDocument, documentOf } from "./runTexts.ts";
import type { ToolRun } from "./toolRun.ts";

/** How many documents VS Code can show again; each may contain a large result. */
const mostKept = 20;

/** Opens what a panel shows the beginning of in editors: read-only, so that closing one asks nothing. */
export class RunDocuments extends KeptDocuments<{ readonly run: ToolRun; readonly part: RunDocument }> {
	constructor() {
		super("mcphost-run", mostKept, "This run is no longer kept.", ({ run, part }) => documentOf(run, part).text);
	}

	/**
	 * Shows the whole of a text in an editor.
	 * @throws HostError `invalid` for a run that has none.
	 */
	async open(run: ToolRun, part: RunDocument): Promise<void> {
		// Reports immediately that there is none.
		const { title, extension } = documentOf(run, part);
		const key = `${run.id}-${part}`;
		this.keep(key, { run, part });
		const name = `${oneLine(run.entry.tool.name, 60)} ${title}.${extension}`.replace(/[/\\]/g, "_");
		await openDocument(this.uri(name, key));
	}
}
