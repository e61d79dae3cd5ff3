import { fieldsOf, removableOf } from "../../../../src/features/sampling/fields.ts";
import type { SamplingRequest } from "../../../../src/features/sampling/request.ts";
import type { ReviewField } from "../../../../src/features/sampling/review/reviewProtocol.ts";
import { Dice } from "./edits.ts";
import type { SentParams, Shown } from "./expectedBody.ts";
import { assistant, image, read, result, text, tool, use, user } from "./requests.ts";

/** A request with one of everything that a user can edit. */
export const everything = {
	systemPrompt: "You are a travel guide.",
	messages: [
		user(text, { type: "text", text: "Where to?" }),
		assistant({ type: "text", text: "Let me look." }, use("call_1"), use("call_2", "other")),
		user(result("call_1"), result("call_2")),
		assistant({ type: "text", text: "Rome." }),
		user({ type: "text", text: "Is this it?" }, image),
		user({ type: "text", text: "Go on." }),
	],
	maxTokens: 500,
	temperature: 0.7,
	stopSequences: ["END"],
	tools: [tool("t"), tool("other")],
	metadata: { user_id: "u1" },
	modelPreferences: { hints: [{ name: "scripted" }], speedPriority: 0.5 },
};

/** A user's edits of a request, and the content of the screen then. */
export interface RandomEdits {
	readonly request: SamplingRequest;
	readonly params: SentParams;
	/** The texts as first shown: some hold marks in place of secrets. */
	readonly originals: ReadonlyMap<string, string>;
	readonly draft: {
		readonly changes: Readonly<Record<string, string>>;
		readonly removed: readonly string[];
		readonly sendsMetadata: boolean;
	};
	readonly shown: Shown;
}

/** Edits of {@link everything} that can be sent, the same for the same seed, with marks in some texts unless unmasked. */
export function randomEdits(seed: number, secrets: "masked" | "unmasked" = "masked"): RandomEdits {
	const dice = new Dice(seed);
	const request = read(everything);
	const fields = fieldsOf(request);
	const originals = new Map(
		fields.map((field) => [field.place, dice.chance(secrets === "masked" ? 20 : 0) ? masked(field) : field.original]),
	);
	const changed = fields.filter(() => dice.chance(40));
	const changes = Object.fromEntries(changed.map(({ place }) => [place, edited(place, dice)]));
	// A tool must exist to be required.
	if (changes["toolChoice"] === "required" && changes["tools"] === "[]") delete changes["tools"];
	const removed = removal(request, dice);
	const sendsMetadata = dice.chance(50);
	const texts = new Map([...originals, ...Object.entries(changes)]);
	const at = (place: string): string => {
		const shown = texts.get(place);
		if (shown === undefined) throw new Error(`Nothing is shown at ${place}.`);
		return shown.toWellFormed();
	};
	return {
		request,
		params: everything,
		originals,
		draft: { changes, removed: [...removed], sendsMetadata },
		shown: { at, removed, sendsMetadata },
	};
}

function masked({ place, kind, original }: ReviewField): string {
	if (kind === "text") return `${original} [token 1]`;
	// Within JSON, a mark is in a string.
	return place.startsWith("message.") ? original.replace("{", '{ "secret": "[token 1]",') : original;
}

function edited(place: string, dice: Dice): string {
	switch (place) {
		case "maxTokens":
			return ` ${1 + dice.below(500)}`;
		case "temperature":
			return dice.pick(["", "0", "1.5", "0.001", "2"]);
		case "stopSequences":
			return Array.from({ length: dice.below(5) }, () => JSON.stringify(`${dice.text()}.`)).join(", ");
		case "hints":
			return JSON.stringify(dice.text());
		case "costPriority":
		case "speedPriority":
		case "intelligencePriority":
			return dice.pick(["", "0", "1", "0.3"]);
		case "tools":
			return JSON.stringify(
				Array.from({ length: dice.below(3) }, (_, index) =>
					tool(`tool_${index}`, { [`p${index}`]: { type: "string" } }),
				),
				undefined,
				dice.below(4),
			);
		case "toolChoice":
			return dice.pick(["auto", "required", "none"]);
		case "metadata":
			return JSON.stringify({ user_id: dice.text(), more: "x" });
		case "message.2.part.0":
		case "message.2.part.1":
			// An empty result is a problem, not a text to send.
			return `${dice.text()}!`;
		default:
			return /^message\.1\.part\.[12]$/.test(place)
				? JSON.stringify(dice.json(), undefined, dice.below(4))
				: dice.text();
	}
}

/** Tool calls go together with their results; something always remains. */
function removal(request: SamplingRequest, dice: Dice): Set<string> {
	const isOfTools = /^message\.(?:1|2)(?:\.part\.\d)?$/;
	const removed = new Set([...removableOf(request)].filter((place) => !isOfTools.test(place) && dice.chance(15)));
	if (dice.chance(20)) for (const place of ["message.1.part.1", "message.2.part.0"]) removed.add(place);
	if (dice.chance(20)) for (const place of ["message.1", "message.2"]) removed.add(place);
	removed.delete("message.5");
	removed.delete("message.5.part.0");
	return removed;
}
