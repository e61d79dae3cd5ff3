import * as vscode from "vscode";
import type { Disposable } from "../base/lifecycle.ts";
import { leaveOut, type LeftOut } from "./definitions/leftOut.ts";
import type { SourceSettings } from "./definitions/sourceSettings.ts";
import { editorSettings } from "./editorSettings.vscode.ts";

/** Which configured servers are left out, by the user's patterns and by an organization's policies. */
export class LeftOutServers implements Disposable {
	private readonly policies: Disposable;

	/** `changed` is called when a policy may have changed; it is to gather such calls. */
	constructor(changed: () => void) {
		this.policies = vscode.workspace.onDidChangeConfiguration((event) => {
			if (event.affectsConfiguration("chat.mcp")) changed();
		});
	}

	/** What is left out of the next reading of the configuration. */
	async read({ ignoredOf }: Pick<SourceSettings, "ignoredOf">): Promise<LeftOut> {
		if (ignoredOf(true).length === 0) return leaveOut(() => false, editorSettings);
		const { matchesAny } = await import("../base/glob.ts");
		return leaveOut(({ name, origin }) => matchesAny(name, ignoredOf(origin.isWorkspace)), editorSettings);
	}

	dispose(): void {
		this.policies.dispose();
	}
}
