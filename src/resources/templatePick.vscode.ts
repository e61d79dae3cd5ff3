import type { Log } from "../base/log.ts";
import { pickSteps } from "../completion/stepPick.vscode.ts";
import type { ListedTemplate } from "./catalog.ts";
import { TemplateWizard } from "./templateWizard.ts";

/**
 * Asks for a template's variables, with the URI so far in the title. Undefined when the person leaves.
 * @throws HostError `invalid` for a malformed template.
 */
export async function pickTemplateUri({ session, template }: ListedTemplate, log: Log): Promise<string | undefined> {
	const wizard = new TemplateWizard(template);
	if (wizard.step === undefined) return template.uriTemplate;
	return pickSteps(wizard, {
		server: session.definition.name,
		log,
		complete: ({ name, value, known }, signal) =>
			session.complete({ type: "ref/resource", uri: template.uriTemplate }, { name, value }, known, { signal }),
	});
}
