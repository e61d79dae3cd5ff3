import { oneLine } from "../base/text.ts";
import type { ModelInfo } from "../models/model.ts";
import type { DefinitionPins } from "../pinning/pin.ts";
import type { ToolBox } from "../tools/toolBox.ts";
import { instructionsParts, noteParts, type ChatPart } from "./render.ts";
import type { ServerChoice } from "./turnServers.ts";

/** A turn before the model is asked. */
export interface Opening {
	readonly info: ModelInfo;
	readonly choice: ServerChoice;
	readonly box: ToolBox;
	readonly pins: Pick<DefinitionPins, "instructionChange">;
}

/** What the person is told before the model answers: what it cannot do, or is not told, in this turn. */
export function openingParts({ info, choice, box, pins }: Opening): readonly ChatPart[] {
	const parts: ChatPart[] = [];
	if (choice.note !== undefined) parts.push(...noteParts(choice.note, "choose-servers"));
	for (const session of box.sessions) {
		if (pins.instructionChange(session) !== undefined) parts.push(...instructionsParts(session));
	}
	if (!info.supportsTools) {
		parts.push(...noteParts(`${oneLine(info.name)} cannot call tools; it answers from the conversation alone.`));
	} else if (box.offered.length === 0 && choice.note === undefined) {
		const message = "No server with tools is running. Start one to let the model do more than talk.";
		parts.push(...noteParts(message, "show-servers"));
	}
	return parts;
}
