/** A variable in a text of a configuration, such as `${env:TOKEN}`; the first group is the text in the braces. */
export const variable = /\$\{([^{}]*)\}/g;

/** The variables in all texts of a value, each once. */
export function variablesIn(value: unknown): readonly string[] {
	const textsIn = (part: unknown): readonly string[] => {
		if (typeof part === "string") return [part];
		return typeof part === "object" && part !== null ? Object.values(part).flatMap(textsIn) : [];
	};
	return [...new Set(textsIn(value).flatMap((text) => [...text.matchAll(variable)].map((match) => match[1] ?? "")))];
}

/** The name of an environment variable, and the default if it is unset or empty. */
export interface EnvironmentVariable {
	readonly name: string;
	/** As POSIX shells have it: `NAME:-default`. */
	readonly fallback?: string;
}

/** The variable of the environment that an expression such as `env:NAME` or `env:NAME:-default` reads; undefined for others. */
export function environmentVariable(expression: string): EnvironmentVariable | undefined {
	if (!expression.startsWith("env:")) return undefined;
	const text = expression.slice("env:".length);
	const at = text.indexOf(":-");
	return at < 0 ? { name: text } : { name: text.slice(0, at), fallback: text.slice(at + ":-".length) };
}

/** The value of a variable of the environment; undefined where it has none, nor a default. */
export function environmentValue(
	{ name, fallback }: EnvironmentVariable,
	environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
	const value = environment[name];
	return fallback === undefined || (value !== undefined && value !== "") ? value : fallback;
}
