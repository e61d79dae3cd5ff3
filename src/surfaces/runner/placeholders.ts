import { isSecret } from "../../base/secrets/judge.ts";
import { knowsNone, SafeWriter } from "../../base/secrets/writer.ts";

/** Values that are not secret. */
const harmless = /^(?:\d{1,5}|true|false)?$/i;

/** The placeholder for a secret, or for a value that only the configuration contains. */
export function placeholder(name: string): string {
	return `<${name.replace(/[^\w:. -]/g, "") || "secret"}>`;
}

/** The value of a header or a variable of the environment: it is copied only if it cannot be a secret. */
export function environmentValue(name: string, value: string): string {
	return harmless.test(value) && !isSecret(name, undefined, "entry") ? value : placeholder(name);
}

const writer = new SafeWriter(knowsNone, { context: "entry", mark: placeholder });

/**
 * The arguments of a command without text that looks like a secret; variables of the configuration are replaced by
 * placeholders.
 */
export function withoutSecrets(args: readonly string[]): readonly string[] {
	return writer.words(args).map(withVariables);
}

/** An address without what in it looks like a secret. */
export function urlWithoutSecrets(text: string): string {
	return withVariables(writer.text(text));
}

/** `${input:key}` as `<input:key>`: its value is known when the server starts, and may be a secret. */
export function withVariables(text: string): string {
	return text.replace(/\$\{([^{}]*)\}/g, (_, variable: string) => placeholder(variable));
}
