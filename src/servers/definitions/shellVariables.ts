import { translateShellVariables } from "../formats/variableStyles.ts";
import { changeTexts } from "./entryTexts.ts";

/**
 * The same value with `${NAME}` in all its texts as `${env:NAME}`; names stay. Of an `.mcp.json` all such variables are meant
 * so; elsewhere those that the entry's own `env` sets, `own`, and nothing else could be meant by them.
 */
export function withShellVariables<T>(value: T, own?: ReadonlySet<string>): T {
	return changeTexts(value, (text) => translateShellVariables(text, (name) => own?.has(name) !== false));
}
