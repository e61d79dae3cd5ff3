import { exactLine } from "../../base/exactLine.ts";
import type { InputDefinition } from "../definitions/config.ts";
import { prefilled } from "../definitions/inputValues.ts";
import type { ReviewRow } from "./reviewProtocol.ts";

/** More choices of an input are only counted; the user who chooses sees them all. */
const maxOptions = 50;

/** The values that are asked for when the server starts, and those that are known already. */
export function inputRows(inputs: readonly InputDefinition[], filled: readonly string[]): readonly ReviewRow[] {
	const asked = inputs.filter(({ id }) => !filled.includes(id));
	const known = inputs.filter(({ id }) => filled.includes(id));
	return [
		...(asked.length === 0 ? [] : [{ label: "Asks you for", values: asked.flatMap(describeInput) }]),
		...(known.length === 0
			? []
			: [
					{
						label: "Uses your stored value of",
						values: known.map(({ id, description }) => exactLine(`${id}: ${description}`)),
					},
				]),
	];
}

function describeInput(input: InputDefinition): readonly string[] {
	const { id, description, isPassword, options = [] } = input;
	const fallback = prefilled(input);
	const more = options.length - maxOptions;
	return [
		`${id}: ${description}${isPassword ? " (not shown while you type)" : ""}`,
		...(fallback === undefined ? [] : [`default of ${id}: ${fallback}`]),
		...options.slice(0, maxOptions).map((option) => `choice of ${id}: ${option}`),
		...(more > 0 ? [`${more} more choices of ${id}, shown when you choose`] : []),
	].map(exactLine);
}
