import * as vscode from "vscode";
import { type Disposable, DisposableStore, toDisposable } from "../../base/lifecycle.ts";
import { cap, oneLine, showHidden } from "../../base/text.ts";
import { type CallFiles, type OpenCallsFile, rangesIn } from "./callFiles.vscode.ts";
import { type CallRunServices, type CallVerdict, runCalls, type WantedCall } from "./callRun.ts";
import type { CallFailure } from "./checkAnswer.ts";

/** How much of a result is written into the output of a run. */
const mostOutput = 50_000;

/** A call among the tests of the editor. */
interface CallTest {
	readonly item: vscode.TestItem;
	readonly wanted: WantedCall;
	readonly open: OpenCallsFile;
}

/**
 * Shows named calls in the editor's Test Explorer: a file is a suite, each call of it a test. The explorer is there only
 * while there are files, since the editor shows it to everybody who has one.
 */
export class CallTests implements Disposable {
	private readonly store = new DisposableStore();
	private readonly files: CallFiles;
	private readonly services: CallRunServices;
	/** Called when the user asks to read everything again. */
	private readonly forget: () => void;
	private shown: { readonly controller: vscode.TestController; readonly profile: vscode.TestRunProfile } | undefined;
	private tests: ReadonlyMap<vscode.TestItem, CallTest> = new Map();
	/** The reference of the exchange in the trace in which a test failed last, by the ids of the test and of its file. */
	private readonly exchanges = new Map<string, string>();

	constructor(files: CallFiles, services: CallRunServices, forget: () => void) {
		this.files = files;
		this.services = services;
		this.forget = forget;
		this.store.add(files.onDidChange(() => this.show()));
		this.store.add(toDisposable(() => this.shown?.controller.dispose()));
		this.show();
	}

	/** Runs one call and shows how it ends. Resolves with that when it has ended; undefined if there is no such call. */
	async run(place: string, name: string): Promise<CallVerdict["kind"] | undefined> {
		const found = [...this.tests.values()].find(({ wanted }) => wanted.place === place && wanted.call.name === name);
		if (found === undefined || this.shown === undefined) return undefined;
		const request = new vscode.TestRunRequest([found.item], undefined, this.shown.profile);
		const ended = this.runAll(request, new vscode.CancellationTokenSource().token);
		await vscode.commands.executeCommand("workbench.panel.testResults.view.focus");
		const [verdict] = await ended;
		return verdict?.kind;
	}

	/** The reference of the exchange in the trace in which a test failed last, by the argument of its messages' menu. */
	exchangeOf(menuArgument: unknown): string | undefined {
		const { test } = (menuArgument ?? {}) as { readonly test?: vscode.TestItem };
		return test === undefined ? undefined : this.exchanges.get(keyOf(test));
	}

	dispose(): void {
		this.store.dispose();
	}

	private show(): void {
		const { all } = this.files;
		if (all.length === 0) {
			this.shown?.controller.dispose();
			this.shown = undefined;
			this.tests = new Map();
			return;
		}
		const { controller } = (this.shown ??= this.open());
		const tests = new Map<vscode.TestItem, CallTest>();
		const items = all.map((open) => {
			const rangeOf = rangesIn(open.text);
			const suite = controller.createTestItem(open.uri.toString(), oneLine(open.place, 200), open.uri);
			const faults = open.file.problems.filter(({ severity }) => severity === "error");
			if (faults.length > 0) suite.error = faults.map(({ message }) => message).join("\n");
			suite.children.replace(
				open.file.calls.map((call) => {
					const item = controller.createTestItem(call.name, oneLine(call.name, 200), open.uri);
					item.description = oneLine(call.server, 60);
					item.range = rangeOf(open.file.rangeOf(["calls", call.name]));
					tests.set(item, { item, open, wanted: { call, file: open.file, place: open.place } });
					return item;
				}),
			);
			return suite;
		});
		controller.items.replace(items);
		this.tests = tests;
	}

	private open(): NonNullable<CallTests["shown"]> {
		const controller = vscode.tests.createTestController("mcpHost.namedCalls", "MCP Named Calls");
		const { Run } = vscode.TestRunProfileKind;
		const profile = controller.createRunProfile(
			"Run",
			Run,
			async (request, token) => void (await this.runAll(request, token)),
			true,
		);
		controller.refreshHandler = async () => {
			this.forget();
			await this.files.refresh();
		};
		return { controller, profile };
	}

	/** Runs what a request is about; resolves with how the calls ended. */
	private async runAll(
		request: vscode.TestRunRequest,
		token: vscode.CancellationToken,
	): Promise<readonly CallVerdict[]> {
		const verdicts: CallVerdict[] = [];
		// VS Code saves before it runs tests, and the change may not have been reported yet.
		await this.files.refresh();
		const { shown } = this;
		if (shown === undefined) return verdicts;
		const controller = new AbortController();
		if (token.isCancellationRequested) controller.abort();
		const run = shown.controller.createTestRun(request);
		const stops = [token, run.token].map((one) => one.onCancellationRequested(() => controller.abort()));
		try {
			const tests = this.testsOf(request);
			const byCall = new Map(tests.map((test) => [test.wanted, test]));
			for (const { item } of tests) run.enqueued(item);
			await runCalls(
				tests.map(({ wanted }) => wanted),
				this.services,
				{
					started: (wanted) => withTest(byCall, wanted, ({ item }) => run.started(item)),
					logged: (wanted, line) =>
						withTest(byCall, wanted, ({ item }) => run.appendOutput(terminal(`${line}\n`), undefined, item)),
					ended: (wanted, verdict) => {
						verdicts.push(verdict);
						withTest(byCall, wanted, ({ item }) => this.noteExchange(item, verdict));
						withTest(byCall, wanted, (test) => tell(run, test, verdict));
					},
				},
				controller.signal,
			);
			return verdicts;
		} finally {
			for (const stop of stops) stop.dispose();
			run.end();
		}
	}

	private noteExchange(item: vscode.TestItem, verdict: CallVerdict): void {
		const exchange = exchangeIn(verdict);
		if (exchange === undefined) this.exchanges.delete(keyOf(item));
		else this.exchanges.set(keyOf(item), exchange);
	}

	/** The tests that a request is about, in the order of their files. */
	private testsOf({ include, exclude = [] }: vscode.TestRunRequest): readonly CallTest[] {
		const isWithin = (item: vscode.TestItem, items: readonly vscode.TestItem[]): boolean =>
			items.some(({ id }) => id === item.parent?.id) ||
			items.some((one) => one.id === item.id && one.parent?.id === item.parent?.id);
		return [...this.tests.values()].filter(
			({ item }) => (include === undefined || isWithin(item, include)) && !isWithin(item, exclude),
		);
	}
}

function withTest(tests: ReadonlyMap<WantedCall, CallTest>, wanted: WantedCall, use: (test: CallTest) => void): void {
	const test = tests.get(wanted);
	if (test !== undefined) use(test);
}

function tell(run: vscode.TestRun, test: CallTest, verdict: CallVerdict): void {
	const { item } = test;
	const output = (text: string): void => run.appendOutput(terminal(`${text}\n`), undefined, item);
	switch (verdict.kind) {
		case "passed":
			output(cap(verdict.result, mostOutput));
			return run.passed(item, verdict.milliseconds);
		case "failed": {
			output(cap(verdict.result, mostOutput));
			const messages = verdict.failures.map((failure) => messageOf(test, failure, verdict));
			return run.failed(item, messages, verdict.milliseconds);
		}
		case "errored":
		case "refused":
			return run.errored(item, messageOf(test, { path: [], message: verdict.message }, verdict));
		case "skipped":
			return run.skipped(item);
	}
}

function messageOf(
	{ wanted, open }: CallTest,
	{ path, message, difference }: CallFailure,
	verdict: CallVerdict,
): vscode.TestMessage {
	const told =
		difference === undefined
			? new vscode.TestMessage(message)
			: vscode.TestMessage.diff(message, difference.expected, difference.actual);
	const place = ["calls", wanted.call.name, ...(path.length === 0 ? [] : ["expect", ...path])];
	if (exchangeIn(verdict) !== undefined) told.contextValue = "mcp-in-trace";
	told.location = new vscode.Location(open.uri, rangesIn(open.text)(open.file.rangeOf(place)));
	return told;
}

function exchangeIn(verdict: CallVerdict): string | undefined {
	return "exchange" in verdict ? verdict.exchange : undefined;
}

/** Names a test for as long as the window lives: its item is recreated whenever its file is read. */
function keyOf({ id, parent }: vscode.TestItem): string {
	return JSON.stringify([parent?.id, id]);
}

/** A text for the output, which is a terminal: nothing in it moves the cursor. */
function terminal(text: string): string {
	return showHidden(text).replaceAll("\n", "\r\n");
}
