import * as vscode from "vscode";
import type { SecretsInUse } from "../../base/secrets/secretsInUse.ts";
import { oneLine } from "../../base/text.ts";
import type { InputDefinition } from "../../servers/definitions/config.ts";
import { prefilled } from "../../servers/definitions/inputValues.ts";

/** The values of inputs that the person gave for named calls. They end with the window. */
export class CallInputs {
	private readonly values = new Map<string, string>();
	private readonly secrets: SecretsInUse;

	constructor(secrets: SecretsInUse) {
		this.secrets = secrets;
	}

	/** The value of an input of a file, which is asked for once; undefined when the person gives none. */
	async get(input: InputDefinition, place: string): Promise<string | undefined> {
		const { id, isPassword, description } = input;
		const key = JSON.stringify([place, id]);
		const known = this.values.get(key);
		if (known !== undefined) return known;
		const value = await ask(input, place);
		if (value === undefined) return undefined;
		if (isPassword) await this.secrets.add([{ value, name: oneLine(id, 40), label: oneLine(description) }]);
		this.values.set(key, value);
		return value;
	}

	/** Forgets all values, so that they are asked for again. */
	clear(): void {
		this.values.clear();
	}
}

async function ask(input: InputDefinition, place: string): Promise<string | undefined> {
	const title = `${oneLine(place, 60)} needs: ${oneLine(input.description)}`;
	if (input.options !== undefined) {
		return vscode.window.showQuickPick([...input.options], { title, ignoreFocusOut: true });
	}
	const value = prefilled(input);
	return vscode.window.showInputBox({
		title,
		prompt: "Sent as the file says, and kept until this window closes.",
		password: input.isPassword,
		ignoreFocusOut: true,
		...(value === undefined ? {} : { value }),
	});
}
