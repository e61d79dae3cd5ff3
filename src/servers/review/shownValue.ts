import { secretName } from "../../base/secrets/secretNames.ts";
import { holdsKey, holdsSecret, looksSecret } from "../../base/secretText.ts";
import { shownSecret, shownVariable } from "../approval/keptApproval.ts";

/** A reference to a variable, maybe with a default behind `:-`. */
const reference = /\$\{([^{}]*)\}/g;

/** Whether a value is proven to be a secret: by its name, its form, or what stands in it. Any other is shown. */
function isSecretValue(name: string, value: string): boolean {
	const fallbacks = [...value.matchAll(reference)].map(([, body = ""]) => body.split(":-"));
	for (const [variable = "", ...fallback] of fallbacks)
		if (fallback.length > 0 && isSecretValue(variable.replace(/^env:/, ""), fallback.join(":-"))) return true;
	// What is left of `Bearer ${input:key}` is no secret.
	const isReference = fallbacks.length > 0 && fallbacks.every(({ length }) => length === 1);
	if (isReference && /^(?:bearer|basic|token|apikey)? *$/i.test(value.replace(reference, ""))) return false;
	return secretName(name) !== undefined || looksSecret(name) || holdsKey(value) || holdsSecret(value);
}

/** How the value of a header is shown: in full, unless it is proven to be a secret, which is said to be masked. */
export function shownHeader(name: string, value: string): string {
	const isNamed = /^(?:proxy-)?authorization$|^cookie$|[-_]key$/i.test(name);
	return isSecretValue(isNamed ? "secret" : name, value) ? shownSecret(value) : value;
}

/** How a variable of a server's environment is shown: its value, unless that is a secret, which is said to be masked. */
export function shownEnvironment(name: string, value: string): string {
	return shownVariable(name, value, (text) =>
		text !== value || isSecretValue(name, value) ? shownSecret(text) : text,
	);
}
