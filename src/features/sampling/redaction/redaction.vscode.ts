import * as vscode from "vscode";
import { DisposableStore, type Disposable } from "../../../base/lifecycle.ts";
import type { Log } from "../../../base/log.ts";
import { warnOfSetting } from "../../../base/notices.vscode.ts";
import type { Secrets } from "../../../base/storage.ts";
import { parseEndpoints } from "../../../models/parseEndpoints.ts";
import { readModelsSetting } from "../../../models/settings.vscode.ts";
import type { SessionDirectory } from "../../../servers/sessions/session.ts";
import { parsePatterns } from "./customPatterns.ts";
import { hostSecrets, type HostSecretSources } from "./hostSecrets.ts";
import type { FindSecrets } from "./redaction.ts";
import { secretFinder } from "./secretFinder.ts";

/** The dependencies of finding secrets on the rest of the host. */
export interface RedactionServices {
	readonly directory: SessionDirectory;
	readonly environmentFile: HostSecretSources["environmentFile"];
	readonly secrets: Secrets;
	readonly log: Log;
}

/** Finds secrets in texts that would leave the host. */
export interface WiredRedaction extends Disposable {
	readonly findSecrets: FindSecrets;
}

const section = "mcpHost.redaction";

/** Creates it, until it is disposed: unusable patterns of the user are reported as soon as they are written. */
export function wireRedaction({ directory, environmentFile, secrets, log }: RedactionServices): WiredRedaction {
	const store = new DisposableStore();
	let reported: readonly string[] = [];
	const check = (): void => {
		const { problems } = parsePatterns(setting("patterns"));
		const news = problems.filter((problem) => !reported.includes(problem));
		reported = problems;
		for (const problem of news) log.warn(problem);
		void warnOfSetting(
			section,
			news,
			() => reported,
			() => vscode.commands.executeCommand("workbench.action.openSettings", section),
		);
	};
	store.add(
		vscode.workspace.onDidChangeConfiguration((event) => {
			if (event.affectsConfiguration(section)) check();
		}),
	);
	check();
	return {
		findSecrets: secretFinder(
			() => ({ patterns: setting("patterns"), forms: setting("forms") }),
			() =>
				hostSecrets({
					definitions: () => directory.sessions.map(({ definition }) => definition),
					endpoints: () => parseEndpoints(readModelsSetting()).endpoints,
					environmentFile,
					store: secrets,
					environment: process.env,
				}),
		),
		dispose: () => store.dispose(),
	};
}

/** The user's own value: a workspace must not take forms away (BLT-16). */
function setting(key: "patterns" | "forms"): unknown {
	return vscode.workspace.getConfiguration(section).inspect<unknown>(key)?.globalValue;
}
