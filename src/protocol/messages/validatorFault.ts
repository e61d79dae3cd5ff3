import { messageOf } from "../../base/errors.ts";
import { isJsonObject } from "../../base/json.ts";
import { withoutTerminal } from "../../base/terminal.ts";
import { oneLine } from "../../base/text.ts";

/** The message of anything thrown, on one line; of a validator's list the place of the first fault only, in our words. */
export function plainMessage(error: unknown, limit: number): string {
	const message = withoutTerminal(messageOf(error));
	const faults = faultsIn(message);
	if (faults === undefined) return oneLine(message, limit);
	const place = faults
		.flatMap((fault) =>
			isJsonObject(fault) && Array.isArray(fault["path"]) ? [fault["path"].map(String).join(".")] : [],
		)
		.find((path) => path !== "");
	return place === undefined
		? "What the server sent does not follow the protocol."
		: `What the server sent does not follow the protocol at "${oneLine(place, 100)}".`;
}

function faultsIn(message: string): readonly unknown[] | undefined {
	const list = /\[\s*\{.*\}\s*\]\s*$/s.exec(message)?.[0];
	if (list === undefined) return undefined;
	try {
		const faults = JSON.parse(list) as unknown;
		return Array.isArray(faults) && faults.some((fault) => isJsonObject(fault) && "code" in fault && "path" in fault)
			? faults
			: undefined;
	} catch {
		return undefined;
	}
}
