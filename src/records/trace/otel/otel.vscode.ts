import { homedir } from "node:os";
import * as vscode from "vscode";
import { messageOf } from "../../../base/errors.ts";
import { DisposableStore, type Disposable } from "../../../base/lifecycle.ts";
import { showWarning } from "../../../base/notify.vscode.ts";
import type { Redactor } from "../../../base/secrets/writer.ts";
import { oneLine } from "../../../base/text.ts";
import { networkSettings } from "../../../protocol/http/networkSettings.vscode.ts";
import type { Recorder } from "../recorder.ts";
import { sendSpans } from "./collector.ts";

const setting = "mcpHost.telemetry.otlp.endpoint";

/** Sends spans to where the user's own setting says, until it is disposed; a workspace cannot set it. */
export function wireSpans(recorder: Recorder, redactor: Redactor, version: string): Disposable {
	const store = new DisposableStore();
	let current: Disposable | undefined;
	const follow = (): void => {
		current?.dispose();
		current = undefined;
		const endpoint = vscode.workspace.getConfiguration().get<unknown>(setting);
		if (typeof endpoint !== "string" || endpoint.trim() === "") return;
		const onTrouble = (why: string): void => void tell(endpoint, why);
		try {
			current = sendSpans({
				recorder,
				endpoint,
				network: networkSettings(),
				source: { host: `MCP Host ${version}`, home: homedir() },
				redactor,
				onTrouble,
			});
		} catch (error) {
			onTrouble(messageOf(error));
		}
	};
	follow();
	store.add(
		vscode.workspace.onDidChangeConfiguration((event) => {
			if (event.affectsConfiguration(setting)) follow();
		}),
	);
	store.add({ dispose: () => current?.dispose() });
	return store;
}

async function tell(endpoint: string, why: string): Promise<void> {
	const remedy = "Open Setting";
	const message =
		`OpenTelemetry spans could not be sent to ${oneLine(endpoint, 100)}: ${oneLine(why, 200)}. ` +
		"Servers and calls are not affected. This message is shown only once.";
	if ((await showWarning(message, remedy)) === remedy)
		await vscode.commands.executeCommand("workbench.action.openSettings", setting);
}
