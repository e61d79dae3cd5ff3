import type { ServerConfig } from "./config.ts";

/** A variable in a text of a configuration, such as `${env:TOKEN}`; the first group is what stands in the braces. */
export const variable = /\$\{([^{}]*)\}/g;

/** The variables that a configuration uses, such as `env:TOKEN`, without their values; for the review of a server. */
export function variablesOf(config: ServerConfig): readonly string[] {
	const { kind: _kind, protocol: _protocol, ...rest } = config;
	return variablesIn(rest);
}

/** The variables in all texts of a value, each once. */
export function variablesIn(value: unknown): readonly string[] {
	const textsIn = (part: unknown): readonly string[] => {
		if (typeof part === "string") return [part];
		return typeof part === "object" && part !== null ? Object.values(part).flatMap(textsIn) : [];
	};
	return [...new Set(textsIn(value).flatMap((text) => [...text.matchAll(variable)].map((match) => match[1] ?? "")))];
}
