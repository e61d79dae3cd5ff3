import { DisposableStore } from "../base/lifecycle.ts";
import { wireActivity } from "../records/activity/activity.vscode.ts";
import { exportCommands } from "../records/trace/exportCommands.vscode.ts";
import { OfferedDocuments } from "../records/trace/offeredDocuments.vscode.ts";
import { wireSpans } from "../records/trace/otel/otel.vscode.ts";
import { openTrace } from "../records/trace/recording.vscode.ts";
import { knownServer } from "../servers/sessions/knownServer.ts";
import type { Window } from "./window.vscode.ts";

/** The records, until it is disposed: the trace of messages, and the activity. */
export type Records = ReturnType<typeof wireRecords>;

/** Makes what records. */
export function wireRecords({ host, context, log }: Window, version: string) {
	const store = new DisposableStore();
	const { registry: directory, secretsInUse } = host;
	const { recorder: trace } = store.add(openTrace(secretsInUse));
	store.add(wireSpans(trace, secretsInUse, version));
	const { notes, record, stored, commands } = store.add(
		wireActivity({
			storage: context.globalStorageUri,
			extensionUri: context.extensionUri,
			directory,
			redactor: secretsInUse,
			secrets: host.secrets,
			isTraced: (exchange) => trace.find(exchange) !== undefined,
			version,
			log,
		}),
	);
	const exported = exportCommands(
		{
			trace,
			redactor: secretsInUse,
			extension: context.extension,
			knownServer: (server) => knownServer(directory.get(server)),
		},
		store.add(new OfferedDocuments()),
	);
	return {
		trace,
		notes,
		record,
		stored,
		commands: { ...commands, ...exported },
		dispose: () => store.dispose(),
	};
}
