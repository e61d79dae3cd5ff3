import { HostError } from "../../base/errors.ts";
import { type Disposable, DisposableStore } from "../../base/lifecycle.ts";
import { type MessagePort, RpcEndpoint } from "../../base/rpc.ts";
import { oneLine } from "../../base/text.ts";
import { throttle } from "../../base/throttle.ts";
import type { SourceWatch } from "../../servers/development/sourceWatch.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";
import type { ToolEntry } from "../../permissions/catalog/catalog.ts";
import type { RunAction, RunHostApi, RunText, RunView, RunViewApi } from "./runProtocol.ts";
import { notesOf, toRunView } from "./runView.ts";
import type { ToolRun } from "./toolRun.ts";
import { oneOf } from "../../base/guards.ts";

/** The actions of the panel's buttons. Each fails with a HostError whose message is shown in the panel. */
export interface RunPanelActions {
	/** Resolves with a sentence about the outcome; empty if the panel shows it. */
	act(run: ToolRun, action: RunAction): Promise<string>;
	openText(run: ToolRun, text: RunText): Promise<void>;
	openBlock(run: ToolRun, index: number): Promise<void>;
	saveBlock(run: ToolRun, index: number): Promise<string>;
	copyAddress(run: ToolRun, index: number): Promise<string>;
}

/**
 * How often the progress of a running call is shown again, at most, in milliseconds: a server may report it thousands
 * of times.
 */
const tellingMs = 200;

/** The services that the connection uses. */
export interface RunPortServices {
	readonly directory: SessionDirectory;
	readonly actions: RunPanelActions;
	/** Which source files of servers changed since their start. */
	readonly sources?: Pick<SourceWatch, "changedFile" | "onDidChange">;
	/** Whether the results of a tool can be shown by an app of its server. */
	readonly hasApp?: (entry: ToolEntry) => boolean;
	readonly close: () => void;
}

/**
 * Connects runs with the view that shows one of them. Every message of the view is checked (UI-06), and all state is
 * kept here, so that the view may be closed and reopened (UI-07). Disposing ends the connection, not the run.
 */
export class RunPort implements Disposable {
	private readonly view: RpcEndpoint<RunViewApi, RunHostApi>;
	private readonly directory: SessionDirectory;
	private readonly hasApp: ((entry: ToolEntry) => boolean) | undefined;
	private readonly sources: RunPortServices["sources"];
	/** The unfinished requests that two quick presses must not repeat. */
	private readonly underWay = new Set<RunAction>();
	private run: ToolRun;
	private following: Disposable;

	constructor(port: MessagePort, run: ToolRun, { directory, actions, hasApp, sources, close }: RunPortServices) {
		this.hasApp = hasApp;
		this.sources = sources;
		this.directory = directory;
		this.run = run;
		this.view = new RpcEndpoint<RunViewApi, RunHostApi>(port, {
			ready: () => this.shown(),
			act: (id, action) => this.act(this.named(id), known(readRunAction(action)), actions),
			openText: (id, text) => actions.openText(this.named(id), known(readRunText(text))),
			openBlock: (id, index) => actions.openBlock(this.named(id), place(index)),
			saveBlock: (id, index) => actions.saveBlock(this.named(id), place(index)),
			copyAddress: (id, index) => actions.copyAddress(this.named(id), place(index)),
			close,
		});
		this.following = this.follow();
	}

	/** The run that is shown. */
	get shownRun(): ToolRun {
		return this.run;
	}

	/** Shows another run in place of the one before. */
	show(run: ToolRun): void {
		this.following.dispose();
		this.run = run;
		this.following = this.follow();
		this.update();
	}

	dispose(): void {
		this.following.dispose();
		this.view.dispose();
	}

	private follow(): Disposable {
		const { run, directory } = this;
		const store = new DisposableStore();
		let notes = notesOf(run, directory).join("\n");
		// Results are large: they are sent again only when they have changed.
		const remark = (): void => {
			const now = notesOf(run, directory).join("\n");
			if (now === notes) return;
			notes = now;
			this.update();
		};
		const telling = store.add(throttle(() => this.update(), tellingMs));
		store.add(run.onDidChange(() => (run.outcome === undefined ? telling.run() : this.update())));
		store.add(directory.onDidChange(remark));
		if (this.sources !== undefined)
			store.add(
				this.sources.onDidChange(({ definition: { id } }) => {
					if (id === run.entry.session.definition.id) this.update();
				}),
			);
		store.add(run.entry.session.tools.onDidChange(remark));
		return store;
	}

	/** Two presses of a button are one decision: the first. */
	private async act(run: ToolRun, action: RunAction, actions: RunPanelActions): Promise<string> {
		if (action !== "run-again" && action !== "restart-and-run" && action !== "edit") return actions.act(run, action);
		if (this.underWay.has(action)) return action === "edit" ? "The form is already open." : "It is already running.";
		this.underWay.add(action);
		try {
			return await actions.act(run, action);
		} finally {
			this.underWay.delete(action);
		}
	}

	private update(): void {
		this.view.notify("show", this.shown());
	}

	private shown(): RunView {
		const view = toRunView(this.run, this.directory, this.hasApp);
		const now = this.directory.get(this.run.entry.session.definition.id);
		const changedFile = now === undefined ? undefined : this.sources?.changedFile(now);
		return changedFile === undefined || !view.canRunAgain ? view : { ...view, changedFile: oneLine(changedFile, 100) };
	}

	/** The run that the view refers to. Requests for a run that was replaced meanwhile are ignored. */
	private named(id: unknown): ToolRun {
		if (this.run.id === id) return this.run;
		throw new HostError("cancelled", "Another run has replaced this one.");
	}
}

function known<T>(read: T | undefined): T {
	if (read === undefined) throw new HostError("invalid", "The panel does not support this action.");
	return read;
}

function place(index: unknown): number {
	if (typeof index === "number" && Number.isSafeInteger(index) && index >= 0) return index;
	throw new HostError("invalid", "The result does not contain this part.");
}

const actions: ReadonlySet<RunAction> = new Set<RunAction>([
	"cancel",
	"run-again",
	"restart-and-run",
	"edit",
	"copy-json-rpc",
	"copy-command",
	"copy-result",
	"save-call",
	"trace",
	"open-app",
]);

/** The action that a view requests; undefined for any other message (UI-06). */
export function readRunAction(value: unknown): RunAction | undefined {
	return oneOf(actions, value);
}

/** The text that a view wants opened; undefined for any other message. */
export function readRunText(value: unknown): RunText | undefined {
	return value === "request" || value === "result" || value === "structured" ? value : undefined;
}
