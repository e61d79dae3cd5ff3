import * as vscode from "vscode";
import type { Disposable } from "../../../base/lifecycle.ts";
import type { Log } from "../../../base/log.ts";
import { followSettings, ownSetting } from "../../../base/ownSettings.vscode.ts";
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
	let problems: readonly string[] = [];
	const followed = followSettings({
		names: [section],
		read: () => {
			({ problems } = parsePatterns(setting("patterns")));
		},
		problems: () => problems,
		open: () => vscode.commands.executeCommand("workbench.action.openSettings", section),
		log,
	});
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
		dispose: () => followed.dispose(),
	};
}

/** The user's own value: a workspace must not take forms away (BLT-16). */
function setting(key: "patterns" | "forms"): unknown {
	return ownSetting(`${section}.${key}`);
}
