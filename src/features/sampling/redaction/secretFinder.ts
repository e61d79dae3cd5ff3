import { parsePatterns } from "./customPatterns.ts";
import { FoundSecrets, type SecretSigns } from "./foundSecrets.ts";
import { tokenForms, writtenForms } from "../../../base/secrets/secretForms.ts";
import type { FindSecrets } from "./redaction.ts";
import { isJsonObject } from "../../../base/json.ts";

/** Which forms of secrets are looked for, by the settings. Secrets that the host knows are always looked for. */
export interface RedactionSettings {
	/** `mcpHost.redaction.patterns`, unchecked. */
	readonly patterns: unknown;
	/** `mcpHost.redaction.forms`, unchecked: false leaves a form out. */
	readonly forms: unknown;
}

/** Finds secrets by the settings and the host's secrets at the time of each request. */
export function secretFinder(settings: () => RedactionSettings, known: SecretSigns["known"]): FindSecrets {
	return async (texts) => {
		const { patterns: custom, forms: chosen } = settings();
		const isOn = (form: string): boolean => !isJsonObject(chosen) || chosen[form] !== false;
		const { patterns, problems } = parsePatterns(custom);
		const found = new FoundSecrets({
			forms: [...(isOn("tokens") ? tokenForms : []), ...(isOn("passwords") ? writtenForms : [])],
			hasPrivateKeys: isOn("privateKeys"),
			patterns,
			problems,
			known,
		});
		await found.take(texts);
		return found;
	};
}
