import { askModal } from "../../base/notify.vscode.ts";
import { oneLine } from "../../base/text.ts";

/**
 * Asks whether a version takes the place of what is configured, which `there` says in a sentence; false for one beside it,
 * undefined when the user wants neither.
 */
export async function askUpdate(there: string, version: string): Promise<boolean | undefined> {
	const answer = await askModal(
		there,
		`Version ${oneLine(version, 40)} can take its place or be added beside it. You see what changes first, and it asks for your approval again before it starts.`,
		"Update…",
		"Add Beside…",
	);
	return answer === undefined ? undefined : answer === "Update…";
}
