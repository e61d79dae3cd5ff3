import type { JsonObject } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import type { EditObject } from "../form/objectEdit.ts";
import type { SessionDirectory } from "../servers/session.ts";
import type { ToolOutcome } from "../tools/call.ts";
import type { ToolEntry } from "../tools/catalog.ts";
import { exactJson } from "../tools/exactJson.ts";
import { problemsOf } from "../schema/schema.ts";
import { findTool } from "./findTool.ts";
import type { LastArguments } from "./lastArguments.ts";
import type { RecentTools } from "./recentTools.ts";
import { isDestructive, runForm, type InitialArguments } from "./runForm.ts";
import { notesOf } from "./runView.ts";
import type { ToolRun } from "./toolRun.ts";
import type { ChatPlace, RunServices, ToolRuns } from "./toolRuns.ts";

/** What running tools by hand needs of the rest of the host. */
export interface RunnerServices extends RunServices {
	readonly directory: SessionDirectory;
	readonly runs: ToolRuns;
	readonly last: LastArguments;
	readonly recent: RecentTools;
	readonly editObject: EditObject;
	/** Has the rules of the policy read again: what runs is decided by those that are there now. */
	readonly refreshRules: () => Promise<void>;
	/** Asks in a dialog whether to go on; false for every answer that is not a plain yes. */
	readonly confirm: (question: string, detail: string) => Promise<boolean>;
	/** Brings a run before the person. */
	readonly show: (run: ToolRun) => void;
}

/** Lets the person choose a tool; undefined when they choose none. */
export type PickTool = () => Promise<ToolEntry | undefined>;

/**
 * Runs tools for the person, without a model. Nothing runs unasked: either the form that shows the arguments is submitted,
 * or the panel that shows them is told to run them again (issue 5, "A tool runner without a model").
 */
export class ToolRunner {
	private readonly services: RunnerServices;

	constructor(services: RunnerServices) {
		this.services = services;
	}

	/**
	 * Asks for the arguments, runs the tool and shows the run. `given` arguments come from outside: they fill the form in
	 * and are never sent unseen. Undefined when the person leaves the form.
	 */
	async run(entry: ToolEntry, given?: JsonObject, from: InitialArguments = "given"): Promise<ToolRun | undefined> {
		const args = await this.fill(entry, given, from);
		return args === undefined ? undefined : this.start(entry, args);
	}

	/** Asks for the arguments of one run in the form; submitting it is the decision to run. Undefined when they leave it. */
	async fill(entry: ToolEntry, given?: JsonObject, from: InitialArguments = "given"): Promise<JsonObject | undefined> {
		const { last, editObject, refreshRules } = this.services;
		await refreshRules();
		const kept = given === undefined ? last.of(entry) : undefined;
		const start = given ?? kept;
		const initial =
			start === undefined
				? { value: {}, from: "empty" as const }
				: { value: start, from: kept === undefined ? from : ("last" as const) };
		const form = runForm(entry, initial, this.services, new AbortController().signal);
		return editObject(form);
	}

	/**
	 * Runs the same call anew: the panel that shows its arguments is the question, and a tool that may destroy something
	 * asks once more. Where the server or the tool has changed since, the form comes in between.
	 * @throws HostError when the tool cannot be run now.
	 */
	async runAgain(run: ToolRun): Promise<ToolRun | undefined> {
		const { directory, confirm } = this.services;
		const entry = await this.current(run);
		if (notesOf(run, directory).length > 0) return this.run(entry, run.arguments, "last");
		const name = `${oneLine(entry.session.definition.name)} · ${oneLine(entry.tool.name, 100)}`;
		if (isDestructive(entry) && !(await confirm(`Run ${name} again?`, exactJson(run.arguments)))) return undefined;
		return this.start(entry, run.arguments);
	}

	/** Opens the form with a run's arguments. */
	async editAndRun(run: ToolRun): Promise<ToolRun | undefined> {
		return this.run(await this.current(run), run.arguments, "last");
	}

	/**
	 * Runs a tool for a slash command of the chat. With arguments that fit, the chat asks as for every call; otherwise the
	 * form does. Undefined when the person leaves the form.
	 */
	async runInChat(
		entry: ToolEntry,
		given: JsonObject | undefined,
		place: Omit<ChatPlace, "isConfirmed">,
	): Promise<ToolOutcome | undefined> {
		const schema = entry.tool.inputSchema as JsonObject;
		const isPlain = Object.keys(schema["properties"] ?? {}).length === 0;
		const complete = given ?? (isPlain ? {} : undefined);
		const isConfirmed = complete === undefined || (await problemsOf(schema, complete)).length > 0;
		const args = isConfirmed ? await this.fill(entry, given) : complete;
		if (args === undefined) return undefined;
		await this.services.refreshRules();
		const outcome = await this.services.runs.startInChat(entry, args, { ...place, isConfirmed });
		if (outcome.kind === "done") await this.remember(entry, outcome.sent);
		return outcome;
	}

	/** Notes that the person ran a tool with these arguments. */
	async remember(entry: ToolEntry, args: JsonObject): Promise<void> {
		await this.services.recent.remember(entry);
		await this.services.last.remember(entry, args);
	}

	/** The tool as its server offers it now. */
	private current({ entry: { session, tool }, signal }: ToolRun): Promise<ToolEntry> {
		return findTool(this.services.directory, session.definition.id, tool.name, signal);
	}

	private async start(entry: ToolEntry, args: JsonObject): Promise<ToolRun> {
		const { runs, show, refreshRules } = this.services;
		await refreshRules();
		const run = runs.start(entry, args);
		show(run);
		await this.remember(entry, args);
		return run;
	}
}
