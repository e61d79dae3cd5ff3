import type { ActivityNotes } from "../../records/activity/journal/entry.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import type { ObservedRules, RuleList } from "./rule.ts";

/** Records which rules apply, whenever they change, until disposed. The first state is not a change. */
export function noteRules(rules: ObservedRules, notes: ActivityNotes): Disposable {
	let known = rules.lists;
	return rules.onDidChange(() => {
		const { lists = [] } = rules;
		const before = known;
		known = lists;
		if (before === undefined) return;
		for (const label of new Set([...before, ...lists].map(({ place }) => place.label))) {
			const [old, now] = [textsOf(before, label), textsOf(lists, label)];
			const changes = [
				...now.filter((text) => !old.includes(text)).map((text) => `added: ${text}`),
				...old.filter((text) => !now.includes(text)).map((text) => `removed: ${text}`),
			];
			if (JSON.stringify(old) === JSON.stringify(now)) continue;
			const what = changes.length === 0 ? "in another order" : changes.join("; ");
			notes.note({ kind: "permission", event: "rules", subject: `${label} (${what})` });
		}
	});
}

/** The rules of a place, in one line each, including its unreadable parts. */
function textsOf(lists: readonly RuleList[], label: string): readonly string[] {
	const list = lists.find(({ place }) => place.label === label);
	const fault = list?.fault === undefined ? [] : [`cannot be read completely: ${list.fault}`];
	return [...(list?.rules ?? []).map(({ text }) => text), ...fault];
}
