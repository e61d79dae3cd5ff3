import { isJsonObject } from "../../base/json.ts";
import type { KeyValue } from "../../base/storage.ts";
import { Store, type StoreOptions } from "../../base/store/store.ts";
import { type Former, takeOver } from "../../base/store/takeOver.ts";
import { approvalKey, approvalsName } from "./approvals.ts";
import { approvalOf, isFormerApproval } from "./keptApproval.ts";

/** Where an earlier version kept the approvals. */
const formerName = "mcpHost.approvals";

/**
 * Opens what all windows share, with the approvals that an earlier version kept in `former`, if there. Loaded when the configuration
 * is read first: no server can start before that.
 */
export function openSharedStore(options: StoreOptions, former: KeyValue | undefined): Store {
	const store = new Store(options);
	if (former !== undefined) takeOver(store.journal(approvalsName), { memento: former, name: formerName }, readFormer);
	return store;
}

function readFormer(stored: unknown): readonly Former[] {
	const entries = isJsonObject(stored) ? Object.entries(stored as Readonly<Record<string, unknown>>) : [];
	return entries.flatMap(([id, value]) => {
		if (!isFormerApproval(value)) return [];
		const { hash, config, roots, at } = value;
		const approval = { ...approvalOf(hash, config, at), ...(roots === undefined ? {} : { roots }) };
		return [{ key: approvalKey(id), value: approval, at: Date.parse(at) || 1 }];
	});
}
