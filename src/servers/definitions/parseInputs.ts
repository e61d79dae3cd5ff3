import type { JsonPath } from "../../base/configText.ts";
import { isJsonObject, own } from "../../base/json.ts";
import type { InputDefinition } from "./config.ts";

/** Reads the inputs of a configuration's servers under `key`. Faulty inputs are reported and left out. */
export function parseInputs(
	value: unknown,
	key: string,
	report: (path: JsonPath, message: string) => void,
): readonly InputDefinition[] {
	if (value === undefined) return [];
	if (!Array.isArray(value)) {
		report([key], `"${key}" must be a list.`);
		return [];
	}
	const inputs: InputDefinition[] = [];
	for (const [index, input] of value.entries()) {
		const path = [key, index];
		const id: unknown = isJsonObject(input) ? own(input, "id") : undefined;
		if (!isJsonObject(input) || typeof id !== "string") {
			report(path, `An input must be an object with an "id".`);
			continue;
		}
		const type = own(input, "type");
		if (type === "command") {
			report(path, `Inputs of type "command" are not supported; use "promptString" or "pickString".`);
			continue;
		}
		const description = own(input, "description");
		const fallback = own(input, "default");
		const options = own(input, "options");
		inputs.push({
			id,
			description: typeof description === "string" ? description : id,
			isPassword: own(input, "password") === true,
			...(typeof fallback === "string" ? { defaultValue: fallback } : {}),
			...(Array.isArray(options) ? { options: options.filter((option) => typeof option === "string") } : {}),
		});
	}
	return inputs;
}
