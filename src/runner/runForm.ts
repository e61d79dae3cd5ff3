import type { JsonObject } from "../base/json.ts";
import { oneLine, showHidden } from "../base/text.ts";
import type { ObjectEditRequest } from "../form/objectEdit.ts";
import type { DefinitionPins } from "../pinning/pin.ts";
import { changedFields } from "../pinning/toolFields.ts";
import type { ToolPolicy, Verdict } from "../policy/verdict.ts";
import { badgeSentence, toolBadges } from "../tools/annotations.ts";
import type { ToolEntry } from "../tools/catalog.ts";
import { problemsOf } from "../schema/schema.ts";

/** What the form of a run goes by. */
export interface RunFormServices {
	readonly policy: ToolPolicy;
	readonly pins: DefinitionPins;
}

/** Where the arguments come from with which a form starts. */
export type InitialArguments = "empty" | "last" | "given";

/**
 * The form for one run of a tool. Its button is the person's decision about the very arguments that it shows; what a rule
 * denies cannot be sent, and what people should know of the tool stands above the fields.
 */
export function runForm(
	entry: ToolEntry,
	initial: { readonly value: JsonObject; readonly from: InitialArguments },
	{ policy, pins }: RunFormServices,
	signal: AbortSignal,
): ObjectEditRequest {
	const { session, tool } = entry;
	const schema = tool.inputSchema as JsonObject;
	return {
		subject: {
			kind: "form",
			server: session.definition.name,
			serverId: session.definition.id,
			title: oneLine(tool.name),
		},
		heading: `Run ${oneLine(tool.name, 100)}`,
		...(tool.description === undefined ? {} : { quote: showHidden(tool.description) }),
		notes: [...deniedNote(policy.decide(entry, initial.value)), ...notesOf(entry, initial.from, pins)],
		isRisky: isDestructive(entry),
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

/** Whether a tool may destroy something, as its annotations say or by default (spec.md T2). */
export function isDestructive({ tool }: ToolEntry): boolean {
	return toolBadges(tool.annotations).some(({ label }) => label === "destructive");
}

/** A rule that denies the call, said at once and not only when the person has filled the form in. */
function deniedNote({ decision, by }: Verdict): readonly string[] {
	return decision === "deny" ? [`With these arguments it is denied by ${by.label}`] : [];
}

function notesOf({ session, tool }: ToolEntry, from: InitialArguments, pins: DefinitionPins): readonly string[] {
	const state = pins.stateOf(session, tool);
	const changed =
		state.kind === "changed"
			? [
					`Changed since you approved it: ${changedFields(state.changes)}. Running it by hand does not accept the change.`,
				]
			: [];
	const beginnings: Readonly<Record<InitialArguments, readonly string[]>> = {
		empty: [],
		last: ["Starts with the arguments of your last run."],
		given: ["The arguments were filled in by what opened this form. Check them before you run the tool."],
	};
	return [
		badgeSentence(tool.annotations),
		...changed,
		...pins.warningsOf(session, tool).map(({ text }) => text),
		...beginnings[from],
	];
}
