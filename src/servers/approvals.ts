import { Emitter, type Event } from "../base/event.ts";
import { isJsonObject } from "../base/json.ts";
import type { KeyValue } from "../base/storage.ts";
import type { ServerConfig, ServerDefinition, ServerId } from "./config.ts";

/** What was approved, kept so that a change can be shown against it. Holds no resolved variable. */
export interface Approval {
	readonly hash: string;
	readonly config: ServerConfig;
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
		return definition.origin.kind === "demo" || this.all.get(definition.id)?.hash === definition.hash;
	}

	/** What was approved under this id before, if it differs from the definition now. */
	former(definition: ServerDefinition): Approval | undefined {
		const approval = this.all.get(definition.id);
		return approval?.hash === definition.hash ? undefined : approval;
	}

	async approve({ id, hash, config }: ServerDefinition): Promise<void> {
		await this.save(new Map([...this.all, [id, { hash, config, at: new Date().toISOString() }]]));
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
	return isJsonObject(value) && typeof value["hash"] === "string" && isJsonObject(value["config"]);
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
