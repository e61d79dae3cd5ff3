import type { Log } from "../base/log.ts";
import { pickSteps } from "../completion/stepPick.vscode.ts";
import { ArgumentWizard, type PromptArguments } from "./arguments.ts";
import type { PromptEntry } from "./catalog.ts";

/** Asks for the arguments of a prompt; `given` are values known already. Undefined when the person leaves. */
export async function pickArguments(
	{ prompt, session }: PromptEntry,
	given: PromptArguments,
	log: Log,
): Promise<PromptArguments | undefined> {
	const wizard = new ArgumentWizard(prompt, given);
	if (wizard.step === undefined) return {};
	return pickSteps(wizard, {
		server: session.definition.name,
		log,
		complete: ({ name, value, known }, signal) =>
			session.complete({ type: "ref/prompt", name: prompt.name }, { name, value }, known, { signal }),
	});
}
