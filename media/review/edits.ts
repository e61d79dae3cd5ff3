import type {
	CompletionDraft,
	CompletionView,
	MessageView,
	PartView,
	ReviewPlace,
	RequestDraft,
	ReviewDocument,
	ReviewField,
} from "../../src/features/sampling/review/reviewProtocol.ts";

/** The changed parts of a request or a completion. */
export interface Edits {
	readonly changes: Readonly<Record<ReviewPlace, string>>;
	readonly removed: readonly ReviewPlace[];
}

/** One thing that the user has changed. */
export interface Edit {
	readonly place: ReviewPlace;
	readonly kind: "changed" | "removed";
}

/** The text of a field with the user's change, if there is one. */
export function textAt({ place, original }: ReviewField, { changes }: Edits): string {
	return (Object.hasOwn(changes, place) ? changes[place] : undefined) ?? original;
}

/** The edits after a field got another text; its original is not an edit. */
export function withText<E extends Edits>(edits: E, { place, original }: ReviewField, text: string): E {
	const { [place]: _former, ...others } = edits.changes;
	return { ...edits, changes: text === original ? others : { ...others, [place]: text } };
}

/** The edits after something was taken out or put back. */
export function withRemoved<E extends Edits>(edits: E, place: ReviewPlace, isRemoved: boolean): E {
	const others = edits.removed.filter((other) => other !== place);
	return { ...edits, removed: isRemoved ? [...others, place] : others };
}

/** The edits after everything was reset. */
export function withoutEdits<E extends Edits>(edits: E): E {
	return { ...edits, changes: {}, removed: [] };
}

/** The edited parts of a request, in reading order. Edits inside of a removed part do not count. */
export function requestEdits(document: ReviewDocument, draft: RequestDraft): readonly Edit[] {
	const { system, messages, parameters, tools, preferences, metadata, context } = document;
	return [
		...changed([system], draft),
		...messages.flatMap((message) => messageEdits(message, draft)),
		...changed(parameters, draft),
		...changed(tools, draft),
		...changed(preferences, draft),
		...changed(metadata === undefined ? [] : [metadata], draft),
		...changed(context.field === undefined || draft.context === "none" ? [] : [context.field], draft),
	];
}

/** The edited parts of a completion, in reading order. */
export function completionEdits({ fields }: CompletionView, draft: CompletionDraft): readonly Edit[] {
	return fields.flatMap((field) => removedOr(field.place, draft, () => changed([field], draft)));
}

/** The edit after the one at which the user is, round and round. */
export function nextEdit(edits: readonly Edit[], last: ReviewPlace | undefined): Edit | undefined {
	const index = edits.findIndex(({ place }) => place === last);
	return edits[(index + 1) % edits.length];
}

/** Every field of a request, in reading order. */
export function fieldsOfDocument(document: ReviewDocument): readonly ReviewField[] {
	const { system, messages, parameters, tools, preferences, metadata, context } = document;
	const inMessages = messages.flatMap(({ parts }) =>
		parts.flatMap((part) => (part.kind === "field" ? [part.field] : [])),
	);
	const optional = [metadata, context.field].filter((field) => field !== undefined);
	return [system, ...inMessages, ...parameters, ...tools, ...preferences, ...optional];
}

/** Parts of a message that can only be taken out together: a tool result may hold several texts and images. */
export interface PartGroup {
	readonly place: ReviewPlace;
	readonly parts: readonly PartView[];
}

/** The parts of a message in groups that can be taken out. */
export function partGroups({ parts }: MessageView): readonly PartGroup[] {
	const groups: { place: ReviewPlace; parts: PartView[] }[] = [];
	for (const part of parts) {
		const own = part.kind === "field" ? part.field.place : part.place;
		const place = /^message\.\d+\.part\.\d+/.exec(own)?.[0] ?? own;
		const last = groups.at(-1);
		if (last?.place === place) last.parts.push(part);
		else groups.push({ place, parts: [part] });
	}
	return groups;
}

/**
 * The draft after texts were reloaded while edits were still on their way to the host: the user's text wins, except in
 * changed texts, which the host has rewritten.
 */
export function mergeLoaded(local: RequestDraft, before: ReviewDocument, loaded: ReviewDocument): RequestDraft {
	const originals = new Map(fieldsOfDocument(before).map(({ place, original }) => [place, original]));
	let merged: RequestDraft = { ...local, revision: loaded.draft.revision, changes: loaded.draft.changes };
	for (const field of fieldsOfDocument(loaded)) {
		if (originals.get(field.place) === field.original) merged = withText(merged, field, textAt(field, local));
	}
	return merged;
}

function messageEdits(message: MessageView, draft: RequestDraft): readonly Edit[] {
	return removedOr(message.place, draft, () =>
		partGroups(message).flatMap(({ place, parts }) =>
			removedOr(place, draft, () => parts.flatMap((part) => partEdits(part, draft))),
		),
	);
}

function partEdits(part: PartView, draft: RequestDraft): readonly Edit[] {
	return part.kind === "field" ? changed([part.field], draft) : removedOr(part.place, draft, () => []);
}

function removedOr(place: ReviewPlace, edits: Edits, inside: () => readonly Edit[]): readonly Edit[] {
	return edits.removed.includes(place) ? [{ place, kind: "removed" }] : inside();
}

function changed(fields: readonly ReviewField[], edits: Edits): readonly Edit[] {
	return fields
		.filter((field) => textAt(field, edits) !== field.original)
		.map(({ place }) => ({ place, kind: "changed" }));
}
