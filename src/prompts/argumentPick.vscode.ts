import type { Log } from "../base/log.ts";
import { discreet } from "../completion/discreet.ts";
import type { ValueMemory } from "../completion/recentValues.ts";
import { pickSteps } from "../completion/stepPick.vscode.ts";
import type { FormPanels } from "../form/formPanels.vscode.ts";
import { argumentForm } from "./argumentForm.ts";
import { ArgumentWizard, isSecretArgument, type PromptArguments } from "./arguments.ts";
import type { PromptEntry } from "./catalog.ts";
import type { EditorFills } from "./editorFills.vscode.ts";

/** What asking for arguments needs. */
export interface ArgumentServices {
	readonly log: Log;
	readonly fills: EditorFills;
	readonly memory: ValueMemory;
	/** Asks in a form of the person's own. */
	readonly ask: FormPanels["ask"];
}

/**
 * Asks for the arguments of a prompt, step by step or, as the person likes, in a form; `given` are values known already.
 * Undefined when the person leaves.
 */
export async function pickArguments(
	entry: PromptEntry,
	given: PromptArguments,
	{ log, fills, memory, ask }: ArgumentServices,
): Promise<PromptArguments | undefined> {
	const { prompt, session, key } = entry;
	const wizard = new ArgumentWizard(prompt, given);
	if (wizard.step === undefined) return {};
	const isSecret = (name: string): boolean => isSecretArgument(prompt, name);
	const complete = discreet(
		({ name, value, known }, signal) =>
			session.complete({ type: "ref/prompt", name: prompt.name }, { name, value }, known, { signal }),
		isSecret,
	);
	const recent = memory.of(key, isSecret);
	// Only for the look of one row: it is read again when it is chosen.
	void fills.lookAtClipboard().catch(() => undefined);
	return pickSteps<PromptArguments>(wizard, {
		server: session.definition.name,
		log,
		complete,
		fills,
		recent,
		form: async (entered) => {
			const form = argumentForm(entry, entered, { log, complete, fills, recent });
			const input = await ask(form.question);
			return input === undefined ? undefined : form.read(input);
		},
	});
}
