import { askModal } from "../../base/notify.vscode.ts";
import { oneLine } from "../../base/text.ts";

/**
 * Asks whether a version replaces the configured server, which `there` describes in a sentence; false for one beside
 * it, undefined when the user wants neither.
 */
export async function askUpdate(there: string, version: string): Promise<boolean | undefined> {
	const answer = await askModal(
		there,
		`Version ${oneLine(version, 40)} can replace it or be added as another server. You see the changes first. The server needs your approval again before it starts.`,
		"Update…",
		"Add as Another…",
	);
	return answer === undefined ? undefined : answer === "Update…";
}
