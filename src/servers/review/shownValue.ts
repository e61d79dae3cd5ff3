import { secretName } from "../../base/secrets/secretNames.ts";
import { holdsKey, holdsSecret, looksSecret } from "../../base/secretText.ts";
import { shownSecret, shownVariable } from "../approval/keptApproval.ts";

/** A reference to a variable, with its default if it has one. */
const reference = /\$\{(?:env:)?([^{}:]*)(?:(?!:-)[^{}]*|:-([^{}]*))\}/g;

/** Whether a value is proven to be a secret: by its name, its form, or what stands in it. Any other is shown. */
function isSecretValue(name: string, value: string): boolean {
	for (const [, variable = "", fallback = ""] of value.matchAll(reference))
		if (fallback !== "" && isSecretValue(variable, fallback)) return true;
	// What is left of `Bearer ${input:key}` is no secret.
	if (/^(?:bearer|basic|token|apikey)?\s*$/i.test(value.replace(reference, "$2"))) return false;
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
