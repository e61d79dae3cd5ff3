import * as vscode from "vscode";
import { isJsonObject } from "../../base/json.ts";
import { showInformation } from "../../base/notify.vscode.ts";
import { oneLine } from "../../base/text.ts";
import { networkSettings } from "../../protocol/http/networkSettings.vscode.ts";
import { type EditableConfiguration, entriesOf, requireEditable } from "./editable.ts";
import type { EntryFix } from "./entryFix.ts";
import { bindVersion, keepSecret, setMembers, variableAsInput } from "./hints.ts";
import { unboundPackage } from "./latestVersion.ts";
import type { ServerEdits } from "./serverEdits.ts";

/** How long a registry may take to say which version is the latest, in milliseconds. */
const longestMs = 20_000;

/** Fixes an entry, and returns whether anything was changed: a value that the user is asked for may not come. */
export async function fixEntry(edits: ServerEdits, target: EditableConfiguration, fix: EntryFix): Promise<boolean> {
	const { origin } = target;
	const text = await target.read();
	requireEditable(origin, text);
	switch (fix.kind) {
		case "set": {
			const { server, ask } = fix;
			if (ask === undefined) return edits.change(target, (now) => setMembers(origin, now, server, fix).text);
			const value = await askSecret(`${oneLine(server, 60)}: ${oneLine(ask, 80)}`);
			if (value === undefined) return false;
			await edits.rewrite(target, server, { ...setMembers(origin, text, server, fix), value });
			return true;
		}
		case "edit":
			return edits.change(target, fix.edit);
		case "keep-secret": {
			const { server, label } = fix.place;
			const kept = keepSecret(origin, text, fix.place);
			if (kept === undefined) return false;
			await edits.rewrite(target, server, kept);
			void showInformation(
				`"${oneLine(label, 60)}" of "${oneLine(server, 80)}" is now in the secret store. Older copies, such as in the Git history, still contain it. Replace the secret at its issuer.`,
			);
			return true;
		}
		case "set-variable": {
			const value = await askSecret(`${oneLine(fix.variable, 80)} of ${oneLine(fix.server, 80)}`);
			if (value === undefined) return false;
			await edits.rewrite(target, fix.server, { ...variableAsInput(origin, text, fix.server, fix.variable), value });
			return true;
		}
		case "bind-version": {
			const entry = entriesOf(origin, text)[fix.server];
			const launched = isJsonObject(entry) ? unboundPackage(entry) : undefined;
			if (launched === undefined) return false;
			const [{ latestVersion }, { openNetwork }] = await Promise.all([
				import("./latestVersion.ts"),
				import("../../protocol/http/network.ts"),
			]);
			const network = openNetwork(networkSettings());
			try {
				const version = await latestVersion(launched, network, AbortSignal.timeout(longestMs));
				const bound = { name: launched.name, version };
				return await edits.change(target, (now) => bindVersion(origin, now, fix.server, bound));
			} finally {
				await network.close();
			}
		}
	}
}

/** Asks for a value that is kept in the secret store; undefined when the user gave none. */
async function askSecret(title: string): Promise<string | undefined> {
	const prompt = "Stored in the secret store for this server only; the file refers to it.";
	const value = await vscode.window.showInputBox({ title, prompt, password: true, ignoreFocusOut: true });
	return value === "" ? undefined : value;
}
