import { HostError } from "../../base/errors.ts";
import { sha256 } from "../../base/hash.ts";
import { parseJsonObject } from "../../base/json.ts";
import { isFlag, isName, isText, isTime, listOf, shape } from "../../base/shape.ts";
import type { Secrets } from "../../base/storage.ts";
import { oneLine } from "../../base/text.ts";
import type { ActivityNotes } from "../../records/activity/journal/entry.ts";
import type { EditableConfiguration } from "../../setup/entries/editable.ts";
import { changeBetween } from "../../base/textChange.ts";
import { bridgeName, changes, type FilePlan } from "./filePlan.ts";

/** A file that was written, with what its undo needs. */
export interface HandOver {
	readonly agent: string;
	readonly file: string;
	/** In milliseconds since the epoch. */
	readonly at: number;
	readonly isNew: boolean;
	/** Where the texts differ, and the part of the former one there. */
	readonly offset: number;
	readonly former: string;
	readonly length: number;
	/** Hashes of the former text and of the written one. */
	readonly before: string;
	readonly after: string;
	readonly replaced: readonly string[];
}

/** The dependencies of handing over. */
export interface HandOverServices {
	/** Opens a file of another program. */
	readonly open: (file: string) => EditableConfiguration;
	/** Makes one edit after the other, in all windows. */
	readonly inTurn: <T>(edit: () => Promise<T>) => Promise<T>;
	/** Keeps former entries, since they may hold secrets. */
	readonly secrets: Secrets;
	/** The name of this machine: the key store is that of the user's own, also for remote ones. */
	readonly machine: string;
	readonly notes: ActivityNotes;
	readonly now: () => number;
	/** A path as it is shown. */
	readonly shorten: (file: string) => string;
}

/** How the keys of hand-overs begin. */
export const handOverPrefix = "mcpHost.handOver/";

const isCount = (value: unknown): boolean => typeof value === "number" && Number.isInteger(value) && value >= 0;
const hasShape = shape({
	agent: isName,
	file: isText,
	at: isTime,
	isNew: isFlag,
	offset: isCount,
	former: isText,
	length: isCount,
	before: isName,
	after: isName,
	replaced: listOf(isText),
});

/** Writes and restores files of other agents (GST-20). */
export class HandOvers {
	private readonly services: HandOverServices;

	constructor(services: HandOverServices) {
		this.services = services;
	}

	/** All that can be undone on this machine, the latest first. */
	async all(): Promise<readonly HandOver[]> {
		const { secrets } = this.services;
		const keys = (await secrets.keys()).filter((key) => key.startsWith(this.keyOf("")));
		const read = await Promise.all(keys.map(async (key) => parseJsonObject((await secrets.get(key)) ?? "")));
		const known = read.filter((one): one is typeof one & HandOver => hasShape(one));
		return known.toSorted((a, b) => b.at - a.at);
	}

	/**
	 * Changes a file as planned.
	 * @throws HostError `invalid` if it was changed since the plan, or cannot be written: it is as before then.
	 */
	async write(plan: FilePlan): Promise<void> {
		if (!changes(plan)) return;
		const { open, inTurn, secrets, notes, now, shorten } = this.services;
		const { agent, file, before, after, isNew, replaced } = plan;
		await inTurn(async () => {
			const target = open(file);
			if ((await target.read()) !== before || (await target.exists()) === isNew)
				throw new HostError(
					"invalid",
					`${shorten(file)} was changed in the meantime, so it was not changed. Try again.`,
				);
			const key = this.keyOf(file);
			const kept = await secrets.get(key);
			const last = parseJsonObject(kept ?? "");
			// The second hand-over of a file is undone together with the first.
			const first = isHandOver(last) && last.after === sha256(before) ? last : undefined;
			const start = first === undefined ? before : formerText(before, first);
			const { offset, length, content } = changeBetween(start, after);
			const record: HandOver = {
				agent: agent.id,
				file,
				at: now(),
				isNew: first?.isNew ?? isNew,
				offset,
				former: start.slice(offset, offset + length),
				length: content.length,
				before: sha256(start),
				after: sha256(after),
				replaced: [...(first?.replaced ?? []), ...replaced],
			};
			// First, so that a window that ends meanwhile leaves nothing that cannot be undone.
			await secrets.store(key, JSON.stringify(record));
			try {
				await target.write(after);
			} catch (error) {
				await (kept === undefined ? secrets.delete(key) : secrets.store(key, kept));
				throw error;
			}
			notes.note({ kind: "configuration", event: "added", place: shorten(file), names: [bridgeName] });
			if (replaced.length > 0)
				notes.note({ kind: "configuration", event: "removed", place: shorten(file), names: replaced });
		});
	}

	/**
	 * Restores a file, to the byte.
	 * @throws HostError `invalid` if it was changed since: it stays as it is, and the text says what to do.
	 */
	async undo(record: HandOver): Promise<void> {
		const { open, inTurn, secrets, notes, shorten } = this.services;
		const { file, isNew, replaced } = record;
		await inTurn(async () => {
			const target = open(file);
			const text = await target.read();
			const isAsBefore = sha256(text) === record.before && (!isNew || !(await target.exists()));
			if (!isAsBefore) {
				const former = sha256(text) === record.after ? formerText(text, record) : undefined;
				if (former === undefined || sha256(former) !== record.before) {
					// Without the entry, nothing is left to undo, and it is not offered again.
					if (!text.includes(bridgeName)) await secrets.delete(this.keyOf(file));
					throw changedSince(record, shorten(file), text.includes(bridgeName));
				}
				await target.write(isNew ? undefined : former);
				notes.note({ kind: "configuration", event: "removed", place: shorten(file), names: [bridgeName] });
				if (replaced.length > 0)
					notes.note({ kind: "configuration", event: "added", place: shorten(file), names: replaced });
			}
			await secrets.delete(this.keyOf(file));
		});
	}

	private keyOf(file: string): string {
		return `${handOverPrefix}${this.services.machine}/${file}`;
	}
}

function isHandOver(value: unknown): value is HandOver {
	return hasShape(value);
}

function formerText(text: string, { offset, length, former }: HandOver): string {
	return text.slice(0, offset) + former + text.slice(offset + length);
}

function changedSince({ replaced }: HandOver, file: string, hasEntry: boolean): HostError {
	const names = replaced.map((name) => `“${oneLine(name, 60)}”`).join(", ");
	const remove = hasEntry ? ` Remove the entry “${bridgeName}” there yourself.` : "";
	const more = names === "" ? "" : ` It replaced ${names}: add them there again if you need them.`;
	return new HostError(
		"invalid",
		`${file} was changed after MCP Host wrote it, so it was not restored.${remove}${more}`,
	);
}
