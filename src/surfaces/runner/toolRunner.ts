import { Emitter, type Event } from "../../base/event.ts";
import { exactJson } from "../../base/exactJson.ts";
import type { JsonObject } from "../../base/json.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import { problemsOf } from "../../base/schema/schema.ts";
import { soundSchema } from "../../base/schema/soundSchema.ts";
import { oneLine, showHidden } from "../../base/text.ts";
import type { EditObject, ObjectEditRequest } from "../../questions/form/formQuestion.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";
import { badgeSentence, destructive } from "../../permissions/catalog/annotations.ts";
import type { ToolOutcome } from "../../features/tools/call.ts";
import type { ToolEntry } from "../../permissions/catalog/catalog.ts";
import type { DefinitionPins } from "../../permissions/pinning/pin.ts";
import { changedFields } from "../../permissions/pinning/toolFields.ts";
import type { ToolPolicy, Verdict } from "../../permissions/policy/verdict.ts";
import { findTool } from "./findTool.ts";
import { notesOf } from "./runView.ts";
import type { LastArguments, RecentTools } from "./runnerMemory.ts";
import type { ToolRun } from "./toolRun.ts";
import type { ChatPlace, RunServices, ToolRuns } from "./toolRuns.ts";

/** The dependencies of running tools by hand on the rest of the host. */
export interface RunnerServices extends Omit<RunServices, "calls"> {
	readonly directory: SessionDirectory;
	readonly runs: ToolRuns;
	readonly last: LastArguments;
	readonly recent: RecentTools;
	readonly editObject: EditObject;
	/** Makes the policy read its rules again: the current ones decide about runs. */
	readonly refreshRules: () => Promise<void>;
	/** Restarts a server whose source files changed, if that is wanted or `dev.watch` does it anyway; waits for its start. */
	readonly bringUpToDate?: (server: string, isWanted: boolean) => Promise<void>;
	/** Asks in a dialog whether to go on; false for every answer that is not a plain yes. */
	readonly confirm: (question: string, detail: string) => Promise<boolean>;
}

/** Lets the user choose a tool; undefined when they choose none. */
export type PickTool = () => Promise<ToolEntry | undefined>;

/**
 * Runs tools for the user, without a model. Nothing runs without a question: either the form that shows the arguments
 * is submitted, or the user runs them again in the panel that shows them.
 */
export class ToolRunner {
	private readonly services: RunnerServices;
	private readonly started = new Emitter<ToolRun>();
	/** Fired when a run begins that is to be shown to the user. */
	readonly onDidStart: Event<ToolRun> = this.started.event;

	constructor(services: RunnerServices) {
		this.services = services;
	}

	/**
	 * Asks for the arguments, runs the tool and shows the run. `given` arguments come from outside: they fill the form in
	 * and are never sent unseen. Undefined when the user leaves the form.
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
	 * Runs the same call again. The panel that shows its arguments is the question, as the form was for the first run; a
	 * destructive call of the chat, which had no form, is confirmed once. If the server or the tool changed since, the form
	 * is shown first. `restarts` makes a server whose source files changed run the present ones.
	 * @throws HostError when the tool cannot be run now.
	 */
	async runAgain(run: ToolRun, restarts = false): Promise<ToolRun | undefined> {
		const { directory, confirm } = this.services;
		await this.services.bringUpToDate?.(run.entry.session.definition.id, restarts);
		const entry = await this.current(run);
		if (notesOf(run, directory).length > 0) return this.run(entry, run.arguments, "last");
		const name = `${oneLine(entry.session.definition.name)} · ${oneLine(entry.tool.name, 100)}`;
		if (
			run.during !== undefined &&
			destructive(entry.tool.annotations) !== undefined &&
			!(await confirm(`Run ${name} again?`, exactJson(run.arguments)))
		)
			return undefined;
		return this.start(entry, run.arguments);
	}

	/** Opens the form with a run's arguments. */
	async editAndRun(run: ToolRun): Promise<ToolRun | undefined> {
		return this.run(await this.current(run), run.arguments, "last");
	}

	/**
	 * Runs a tool for a slash command of the chat. With arguments that fit, the chat asks as for every call; otherwise the
	 * form does. Undefined when the user leaves the form.
	 */
	async runInChat(
		entry: ToolEntry,
		given: JsonObject | undefined,
		place: Omit<ChatPlace, "isConfirmed">,
	): Promise<ToolOutcome | undefined> {
		const schema = jsonObjectOf(entry.tool.inputSchema);
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

	/** Notes that the user ran a tool with these arguments. */
	async remember(entry: ToolEntry, args: JsonObject): Promise<void> {
		await this.services.recent.remember(entry);
		await this.services.last.remember(entry, args);
	}

	/** The tool as its server offers it now. */
	private current({ entry: { session, tool }, signal }: ToolRun): Promise<ToolEntry> {
		return findTool(this.services.directory, session.definition.id, tool.name, signal);
	}

	private async start(entry: ToolEntry, args: JsonObject): Promise<ToolRun> {
		const { runs, refreshRules } = this.services;
		await refreshRules();
		const run = runs.start(entry, args);
		this.started.fire(run);
		await this.remember(entry, args);
		return run;
	}
}

/** The inputs of a run's form. */
interface RunFormServices {
	readonly policy: ToolPolicy;
	readonly pins: DefinitionPins;
}

/** The source of a form's initial arguments. */
type InitialArguments = "empty" | "last" | "given";

/**
 * The form for one run of a tool. Its button is the user's decision about exactly the shown arguments. A denied call
 * cannot be sent, and notes about the tool are above the fields.
 */
function runForm(
	entry: ToolEntry,
	initial: { readonly value: JsonObject; readonly from: InitialArguments },
	{ policy, pins }: RunFormServices,
	signal: AbortSignal,
): ObjectEditRequest {
	const { session, tool } = entry;
	const schema = soundSchema(jsonObjectOf(tool.inputSchema));
	return {
		subject: {
			kind: "form",
			server: session.definition.name,
			serverId: session.definition.id,
			title: oneLine(tool.name),
		},
		heading: `Run ${oneLine(tool.name, 100)}`,
		...(tool.description === undefined ? {} : { quote: showHidden(tool.description) }),
		notes: [...deniedNote(policy.decide(entry, initial.value)), ...formNotes(entry, initial.from, pins)],
		isRisky: destructive(tool.annotations) !== undefined,
		schema,
		initial: initial.value,
		submitLabel: "Run",
		async validate(args) {
			const denied = deniedNote(policy.decide(entry, args)).map((message) => ({ path: [], message }));
			return [...(await problemsOf(schema, args)), ...denied];
		},
		signal,
	};
}

/** A rule that denies the call, reported immediately and not only when the user has filled the form in. */
function deniedNote({ decision, by }: Verdict): readonly string[] {
	return decision === "deny" ? [`With these arguments, it is denied by ${by.label}`] : [];
}

function formNotes({ session, tool }: ToolEntry, from: InitialArguments, pins: DefinitionPins): readonly string[] {
	const state = pins.stateOf(session, tool);
	const changed =
		state.kind === "changed"
			? [
					`Changed since you approved it: ${changedFields(state.changes)}. Running it yourself does not accept the change.`,
				]
			: [];
	const beginnings: Readonly<Record<InitialArguments, readonly string[]>> = {
		empty: [],
		last: ["The form contains the arguments of your last run."],
		given: ["These arguments were filled in automatically. Check them before you run the tool."],
	};
	return [
		badgeSentence(tool.annotations),
		...changed,
		...pins.warningsOf(session, tool).map(({ text }) => text),
		...beginnings[from],
	];
}
