import { isJsonObject } from "../../base/json.ts";
import type { KeyValue } from "../../base/storage.ts";
import { makeKey } from "../../base/store/line.ts";
import { type Former, takeOver } from "../../base/store/takeOver.ts";
import { readTally } from "./amount.ts";
import { dayOf, isDay } from "./dayBudget.ts";
import type { UsageServices } from "./usageCounter.ts";

/**
 * Takes over what an earlier version counted: `{period: {unknownAt, rows: [[window, account, …numbers]]}}`. What cannot be
 * read of it is kept aside under the same name with `.damaged`, and counts as unknown (SEC-08).
 */
export function takeUsageOver(
	{ journal, name, now, onProblem }: UsageServices,
	former: { readonly memento: KeyValue; readonly name: string; readonly place: string },
): void {
	takeOver(journal, former, (stored) => {
		const formers: Former[] = [];
		const unknown = new Map<string, number>();
		let isWhole = isJsonObject(stored);
		let isNamed = isWhole;
		for (const [period, page] of Object.entries(isJsonObject(stored) ? stored : {})) {
			if (period !== "life" && !isDay(period)) {
				isNamed = false;
				continue;
			}
			const { rows, unknownAt, isRead } = readPage(page);
			if (!isRead) unknown.set(period, now());
			else if (unknownAt !== undefined) unknown.set(period, unknownAt);
			isWhole &&= isRead;
			for (const { window, account, numbers } of rows) {
				const key = makeKey(period, name, account, window);
				const tally = readTally(numbers);
				if (tally === undefined) continue;
				// The numbers only grow, so that their sum tells the later one.
				const moment = 1 + tally.reduce((total, number) => total + number, 0);
				formers.push({ key, value: tally, at: Infinity, moment });
			}
		}
		// Whatever it was about may have been this.
		if (!isNamed) for (const period of ["life", dayOf(now())]) unknown.set(period, now());
		if (!isWhole || !isNamed) {
			void former.memento.update(`${former.name}.damaged`, stored).then(undefined, () => undefined);
			onProblem("What servers have used of your models could not be read, and counts as unknown.");
		}
		for (const [period, value] of unknown) formers.push({ key: makeKey(period, name), value, at: Infinity, moment: 1 });
		return formers;
	});
}

interface Page {
	readonly rows: readonly { readonly window: string; readonly account: string; readonly numbers: readonly unknown[] }[];
	readonly unknownAt?: number;
	readonly isRead: boolean;
}

function readPage(value: unknown): Page {
	if (!isJsonObject(value)) return { rows: [], isRead: false };
	const { epoch, unknownAt, rows } = value as Readonly<Record<string, unknown>>;
	if (!Number.isSafeInteger(epoch) || !Array.isArray(rows)) return { rows: [], isRead: false };
	const read = (rows as readonly unknown[]).flatMap((row) => {
		const [window, account, ...numbers]: readonly unknown[] = Array.isArray(row) ? row : [];
		const isRow = typeof window === "string" && typeof account === "string" && readTally(numbers) !== undefined;
		return isRow ? [{ window, account, numbers }] : [];
	});
	const isTime = typeof unknownAt === "number" && Number.isFinite(unknownAt);
	const isRead = read.length === rows.length && (unknownAt === undefined || isTime);
	return { rows: read, isRead, ...(isTime ? { unknownAt } : {}) };
}
