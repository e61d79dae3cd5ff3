import { translateShellVariables } from "../formats/variableStyles.ts";
import { changeTexts } from "./entryTexts.ts";

/**
 * The same value with `${NAME}` in all its texts as `${env:NAME}`; names stay. In an `.mcp.json` this applies to all
 * such variables; elsewhere to those that the entry's own `env` sets, `own`, because they can have no other meaning.
 */
export function withShellVariables<T>(value: T, own?: ReadonlySet<string>): T {
	return changeTexts(value, (text) => translateShellVariables(text, (name) => own?.has(name) !== false));
}
