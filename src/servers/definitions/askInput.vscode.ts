import * as vscode from "vscode";
import { whileInputIsOpen } from "../../base/openInputs.ts";
import { oneLine } from "../../base/text.ts";
import type { InputDefinition, ServerDefinition } from "./config.ts";
import { prefilled } from "./inputValues.ts";

/** Asks for the value of `${input:id}`; passwords are not shown. Undefined when the user gives none. */
export async function askInput(definition: ServerDefinition, input: InputDefinition): Promise<string | undefined> {
	const value = prefilled(input);
	const title = `${definition.name} needs: ${oneLine(input.description)}`;
	if (input.options !== undefined) {
		const options = [...input.options];
		return whileInputIsOpen(() => vscode.window.showQuickPick(options, { title, ignoreFocusOut: true }));
	}
	return whileInputIsOpen(() =>
		vscode.window.showInputBox({
			title,
			prompt: "Stored in the secret store for this server only.",
			password: input.isPassword,
			ignoreFocusOut: true,
			...(value === undefined ? {} : { value }),
		}),
	);
}
