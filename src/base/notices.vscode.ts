import { correctedMeanwhile, Notices } from "./notices.ts";
import { showInformation, showWarning } from "./notify.vscode.ts";

/** The one owner of the notices of this window. */
export const notices = new Notices((message) => void showInformation(message));

const openSettings = "Open Settings";

/**
 * Warns of what is wrong in a setting, with a button that opens it as long as something of it is.
 * @param current all that is wrong in it now
 */
export async function warnOfSetting(
	setting: string,
	problems: readonly string[],
	current: () => readonly string[],
	open: (first: string) => unknown,
): Promise<void> {
	const [first, ...others] = problems;
	if (first === undefined) return;
	const more = others.length === 0 ? "" : ` (${others.length} more)`;
	const answer = await notices.ask(setting, correctedMeanwhile(problems, current), () =>
		showWarning(first + more, openSettings),
	);
	if (answer !== undefined) await open(first);
}
