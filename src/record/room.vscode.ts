import path from "node:path";
import type * as vscode from "vscode";
import { guarded, type Commands } from "../base/commands.ts";
import { messageOf } from "../base/errors.ts";
import { DisposableStore, toDisposable, type Disposable } from "../base/lifecycle.ts";
import type { Log } from "../base/log.ts";
import { showError, showInformation } from "../base/notify.vscode.ts";
import type { SessionDirectory } from "../servers/session.ts";
import { Journals } from "./journals.ts";
import { logActions } from "./logActions.vscode.ts";
import { LogPanel } from "./logPanel.vscode.ts";
import { readLogRequest } from "./logRequest.ts";
import { SamplingLog } from "./samplingLog.ts";
import type { SamplingRecord } from "./samplingRecord.ts";
import { recordBounds, recordMode } from "./settings.vscode.ts";
import { watchFolder } from "./watchFolder.ts";
import { isWindowGone, nameWindow } from "./windows.ts";

/** What the record needs of the window and of the rest of the host. */
export interface RecordRoomServices {
	/** The folder of this machine in which the extension may keep files. */
	readonly storage: vscode.Uri;
	readonly extensionUri: vscode.Uri;
	readonly directory: SessionDirectory;
	readonly log: Log;
}

/** Where sampling requests are written down, and where people look them up. */
export interface RecordRoom extends Disposable {
	readonly record: SamplingRecord;
	readonly commands: Commands<"mcpHost.showSamplingLog" | "mcpHost.exportSamplingLog" | "mcpHost.clearSamplingLog">;
}

/** How long the window has to itself before old journals are read, in milliseconds; whoever looks reads them at once. */
const settlingMs = 3000;

/** Opens the room of the record until it is disposed; what is recorded later, such as the end of a review, still is. */
export function recordRoom({ storage, extensionUri, directory, log }: RecordRoomServices): RecordRoom {
	const store = new DisposableStore();
	const folder = path.join(storage.fsPath, "samplingLog");
	const journals = new Journals({
		folder,
		window: nameWindow(),
		isGone: isWindowGone,
		bounds: recordBounds,
		now: Date.now,
	});
	const record = new SamplingLog({ journals, mode: recordMode, log });
	// What windows left open that are gone by now is ended, whether or not anybody looks.
	const tidying = setTimeout(() => void record.tidy(), settlingMs);
	store.add(toDisposable(() => clearTimeout(tidying)));
	const actions = logActions(record);
	const panel = store.add(
		new LogPanel(
			extensionUri,
			{
				read: () => record.read(),
				watch: (changed) => {
					const watching = new DisposableStore();
					watching.add(record.onDidChange(changed));
					watching.add(watchFolder(folder, changed));
					return watching;
				},
				notices: () => notices[recordMode()],
				actions,
			},
			() => journals.forget(),
		),
	);
	const tell = (words: string): void => {
		if (words !== "") void showInformation(words);
	};
	const commands = {
		"mcpHost.showSamplingLog": async (argument: unknown) => panel.show(readLogRequest(argument, directory)),
		"mcpHost.exportSamplingLog": async () => tell(await actions.save((await record.read()).entries)),
		"mcpHost.clearSamplingLog": async () => tell(await actions.clear()),
	};
	return {
		record,
		commands: guarded(commands, (error) => void showError(messageOf(error))),
		dispose: () => store.dispose(),
	};
}

const setting = "(setting mcpHost.sampling.record)";
const notices = {
	full: [],
	"without texts": [`Texts are not recorded ${setting}.`],
	off: [`Nothing is recorded ${setting}: new requests do not appear here.`],
};
