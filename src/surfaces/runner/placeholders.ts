import { isSecret } from "../../base/secrets/judge.ts";
import { knowsNone, SafeWriter } from "../../base/secrets/writer.ts";

/** Values that keep no secret. */
const harmless = /^(?:\d{1,5}|true|false)?$/i;

/** What stands where a secret, or what only the configuration knows, has to be put in. */
export function placeholder(name: string): string {
	return `<${name.replace(/[^\w:. -]/g, "") || "secret"}>`;
}

/** The value of a header or a variable of the environment: it is never copied unless it can be no secret. */
export function environmentValue(name: string, value: string): string {
	return harmless.test(value) && !isSecret(name, undefined, "entry") ? value : placeholder(name);
}

const writer = new SafeWriter(knowsNone, { context: "entry", mark: placeholder });

/** The arguments of a command without what looks like a secret; variables of the configuration stand as placeholders. */
export function withoutSecrets(args: readonly string[]): readonly string[] {
	return writer.words(args).map(withVariables);
}

/** An address without what in it looks like a secret. */
export function urlWithoutSecrets(text: string): string {
	return withVariables(writer.text(text));
}

/** `${input:key}` as `<input:key>`: what it stands for is known when the server starts, and may be a secret. */
export function withVariables(text: string): string {
	return text.replace(/\$\{([^{}]*)\}/g, (_, variable: string) => placeholder(variable));
}
