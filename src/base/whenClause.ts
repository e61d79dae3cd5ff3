/** The values of the editor's context keys, by their names. */
export type ContextValues = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Whether a `when` clause of our manifest holds: comparisons and flags joined by `&&` and `||`, without parentheses. A key
 * without a value counts as unset.
 */
export function holds(clause: string, values: ContextValues): boolean {
	return clause.split(" || ").some((all) => all.split(" && ").every((part) => holdsPart(part.trim(), values)));
}

function holdsPart(part: string, values: ContextValues): boolean {
	const [, key = "", operator, operand = ""] = /^(\S+) (==|!=|=~) (.+)$/.exec(part) ?? [];
	const text = String(values[key] ?? "");
	if (operator === "==") return text === operand;
	if (operator === "!=") return text !== operand;
	if (operator === "=~") {
		const [, pattern = "", flags = ""] = /^\/(.*)\/(\w*)$/.exec(operand) ?? [];
		return new RegExp(pattern, flags).test(text);
	}
	if (part === "true" || part === "false") return part === "true";
	return part.startsWith("!") ? !values[part.slice(1)] : Boolean(values[part]);
}
