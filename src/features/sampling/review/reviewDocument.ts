import { sniffAudio, sniffImage } from "../../../base/media.ts";
import { hasHiddenCharacters, oneLine, showHidden } from "../../../base/text.ts";
import type { ModelPart } from "../../../models/model.ts";
import { partPlace } from "../fields.ts";
import { obstaclesIn } from "../modelFit.ts";
import type { Generation } from "./generation.ts";
import type { SamplingRequest } from "../request.ts";
import type { MessageView, PartView, ReviewPlace, ReviewDocument, ReviewField, ReviewStep } from "./reviewProtocol.ts";

/** A field as it is shown: with this text, in which secrets may be marks, and its invisible characters as escapes. */
export function shownField({ escaped: _ofAnotherText, ...field }: ReviewField, text: string): ReviewField {
	const lines = text.replace(/\r\n/g, "\n");
	return { ...field, original: text, ...(hasHiddenCharacters(lines) && { escaped: showHidden(lines) }) };
}

/** The places of the fields beside system prompt, messages, metadata and context. */
const parameters = ["maxTokens", "temperature", "stopSequences"];
const tools = ["tools", "toolChoice"];
const preferences = ["hints", "costPriority", "speedPriority", "intelligencePriority"];

/** The texts of a request for its panel, with their places. `fields` are all of them, as they are shown, by place. */
export function textsOf(
	request: SamplingRequest,
	fields: ReadonlyMap<ReviewPlace, ReviewField>,
): Pick<ReviewDocument, "system" | "messages" | "parameters" | "tools" | "preferences" | "metadata"> {
	const at = (places: readonly ReviewPlace[]): readonly ReviewField[] =>
		places.flatMap((place) => fields.get(place) ?? []);
	const metadata = fields.get("metadata");
	const obstacles = new Map(obstaclesIn(request.messages).map(({ place, problem }) => [place, problem]));
	return {
		system: fields.get("system") ?? { place: "system", kind: "text", label: "System prompt", original: "" },
		messages: request.messages.map(({ role, content }, index): MessageView => ({
			place: `message.${index}`,
			role,
			parts: content.flatMap((part, inner) => partViews(part, fields, obstacles, index, inner)),
		})),
		parameters: at(parameters),
		tools: at(tools),
		preferences: at(preferences),
		...(metadata !== undefined && { metadata }),
	};
}

/** A part as it is shown: a text is a field; a tool result may hold several texts and images. */
function partViews(
	part: ModelPart,
	fields: ReadonlyMap<ReviewPlace, ReviewField>,
	obstacles: ReadonlyMap<ReviewPlace, string>,
	message: number,
	index: number,
): readonly PartView[] {
	const place = partPlace(message, index);
	const field = fields.get(place);
	const views: PartView[] = field === undefined ? [] : [{ kind: "field", field }];
	if (part.type === "image" || part.type === "audio") return [mediaView(part, place, obstacles.get(place))];
	if (part.type !== "tool-result") return views;
	for (const [inner, piece] of part.content.entries()) {
		const innerPlace = partPlace(message, index, inner);
		const innerField = fields.get(innerPlace);
		if (innerField !== undefined) views.push({ kind: "field", field: innerField });
		else if (piece.type === "image" || piece.type === "audio")
			views.push(mediaView(piece, innerPlace, obstacles.get(innerPlace)));
	}
	return views;
}

/** Text that is not base64 could be anything else in a URL. */
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** An image or sound; shown or played only by the type of its first bytes, which is never a document. */
function mediaView(
	part: Extract<ModelPart, { type: "image" | "audio" }>,
	place: ReviewPlace,
	problem: string | undefined,
): PartView {
	const { type, data } = part;
	const known = type === "image" ? sniffImage(data) : sniffAudio(data);
	return {
		kind: type,
		place,
		mimeType: oneLine(part.mimeType, 60),
		size: sizeOf(data),
		...(problem !== undefined && { problem }),
		...(known !== undefined && base64.test(data) && { url: `data:${known};base64,${data}` }),
	};
}

/** The size of base64 data in words. */
function sizeOf(data: string): string {
	const bytes = Math.floor((data.length * 3) / 4);
	return bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024).toLocaleString("en-US")} KB`;
}

/** How much of an incomplete answer is shown, in characters: its end. The whole answer is reviewed. */
const longestShown = 50_000;

/** An answer while it arrives. */
export function generatingStep({ text, model, note }: Generation): ReviewStep {
	const earlier = Math.max(0, text.length - longestShown);
	const cut =
		earlier === 0 ? undefined : `${earlier.toLocaleString("en-US")} earlier characters are shown when it ends.`;
	const notes = [note, cut].filter((one) => one !== undefined);
	return {
		kind: "generating",
		text: text.slice(earlier),
		model: model.name,
		...(notes.length > 0 && { note: notes.join(" ") }),
	};
}
