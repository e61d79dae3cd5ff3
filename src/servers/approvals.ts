import { Emitter, type Event } from "../base/event.ts";
import { isJsonObject } from "../base/json.ts";
import type { KeyValue } from "../base/storage.ts";
import { asksForMore, isRule, isSameRule, type RootsRule } from "../roots/rule.ts";
import type { ServerConfig, ServerDefinition, ServerId } from "./config.ts";

/** What was approved, kept so that a change can be shown against it. Holds no resolved variable. */
export interface Approval {
	readonly hash: string;
	readonly config: ServerConfig;
	/** What of the workspace and beyond it the server may know, if its entry says so. */
	readonly roots?: RootsRule;
	/** When, as ISO 8601. */
	readonly at: string;
}

const key = "mcpHost.approvals";

/**
 * Which definitions the person approved, each bound to its hash: a changed command, argument, environment, folder or
 * place asks again, and a name alone counts for nothing (security.md CFG-02, CFG-03). Kept out of the workspace.
 */
export class Approvals {
	private readonly store: KeyValue;
	private readonly changed = new Emitter<void>();
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(store: KeyValue) {
		this.store = store;
	}

	/** All approvals by server id. A damaged store counts as empty: nothing is approved. */
	get all(): ReadonlyMap<ServerId, Approval> {
		const stored = this.store.get<unknown>(key);
		if (!isJsonObject(stored)) return new Map();
		return new Map(Object.entries(stored).flatMap(([id, value]) => (isApproval(value) ? [[id, value]] : [])));
	}

	/** Whether exactly this definition was approved. The embedded demo server is part of the extension. */
	isApproved(definition: ServerDefinition): boolean {
		if (definition.origin.kind === "demo") return true;
		const approval = this.all.get(definition.id);
		if (approval?.hash !== definition.hash) return false;
		return !asksForMore(definition) || isSameRule(definition.roots, approval.roots);
	}

	/** What was approved under this id before, if it differs from the definition now. */
	former(definition: ServerDefinition): Approval | undefined {
		return this.isApproved(definition) ? undefined : this.all.get(definition.id);
	}

	/** The roots that were approved with a server's entry. */
	rootsOf(id: ServerId): RootsRule | undefined {
		return this.all.get(id)?.roots;
	}

	async approve({ id, hash, config, roots }: ServerDefinition): Promise<void> {
		const approval = { hash, config, ...(roots === undefined ? {} : { roots }), at: new Date().toISOString() };
		await this.save(new Map([...this.all, [id, approval]]));
	}

	async revoke(id: ServerId): Promise<void> {
		await this.save(new Map([...this.all].filter(([other]) => other !== id)));
	}

	private async save(all: ReadonlyMap<ServerId, Approval>): Promise<void> {
		await this.store.update(key, Object.fromEntries(all));
		this.changed.fire();
	}
}

function isApproval(value: unknown): value is Approval {
	if (!isJsonObject(value)) return false;
	const { hash, config, roots } = value as { readonly [key in keyof Approval]?: unknown };
	return typeof hash === "string" && isJsonObject(config) && (roots === undefined || isRule(roots));
}

/**
 * Why a definition may not start now, in words for the tree; undefined when it may. An untrusted workspace comes
 * first: nothing of it runs, whatever was approved before (security.md CFG-01).
 */
export function whyNotStart(
	definition: ServerDefinition,
	approvals: Approvals,
	isWorkspaceTrusted: boolean,
): string | undefined {
	if (definition.origin.isWorkspace && !isWorkspaceTrusted) return "the workspace is not trusted";
	if (approvals.isApproved(definition)) return undefined;
	return approvals.former(definition) === undefined ? "approval needed" : "approval needed: the definition changed";
}
