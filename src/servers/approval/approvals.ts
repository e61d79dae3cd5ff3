import { Emitter, type Event } from "../../base/event.ts";
import { isJsonObject } from "../../base/json.ts";
import type { Journal } from "../../base/store/journal.ts";
import { asksForMore, isRule, isSameRule, type RootsRule } from "../definitions/rootsRule.ts";
import type { Contents } from "./dependencies.ts";
import type { ServerConfig, ServerDefinition, ServerId } from "../definitions/config.ts";

/** An approved definition, kept so that a change can be shown against it. Holds no resolved variable and no secret. */
export interface Approval {
	readonly hash: string;
	/** The configuration, with possible secrets concealed by the salt. */
	readonly config: ServerConfig;
	readonly salt: string;
	/** The roots inside and outside the workspace that the server may know, if its entry names them. */
	readonly roots?: RootsRule;
	/**
	 * Keyed hashes of the other things that a start depends on, such as the variables of its environment file, by name.
	 */
	readonly depends?: Readonly<Record<string, string>>;
	/** Given where the user chose that the server does not start whenever a window opens. */
	readonly isAutomatic?: false;
	/** When, as ISO 8601. */
	readonly at: string;
}

/** The name of the journal of approvals. */
export const approvalsName = "approvals";

/**
 * Which definitions the user approved, each bound to its hash: a changed command, argument, environment, folder or
 * place asks again, and a name alone has no effect (CFG-02, CFG-03). Kept out of the workspace, for all
 * windows.
 */
export class Approvals {
	private journal: Journal | undefined;
	private known: { readonly version: number; readonly all: ReadonlyMap<string, Approval> } | undefined;
	/** The approvals, by their salts, after which something changed that a start depends on: a start found out. */
	private readonly outdated = new Set<string>();
	private readonly changed = new Emitter<void>();
	/** Fired when this window or another one approved something, or revoked it. */
	readonly onDidChange: Event<void> = this.changed.event;

	/** Reads them from where all windows keep them. Until then nothing is approved. */
	open(journal: Journal): void {
		this.journal = journal;
		journal.onDidChange(() => this.changed.fire());
	}

	/** All approvals by server id, and by place if it has one (`placedId`). Damaged entries approve nothing. */
	get all(): ReadonlyMap<string, Approval> {
		if (this.journal === undefined) return new Map();
		const { version } = this.journal;
		if (this.known?.version !== version) {
			const entries = this.journal.lines.flatMap(({ key, value }) =>
				isApproval(value) ? [[key.slice(prefix.length), value] as const] : [],
			);
			this.known = { version, all: new Map(entries) };
		}
		return this.known.all;
	}

	/** Whether some may be missing, since they cannot be read or written at the moment. */
	get isIncomplete(): boolean {
		return this.journal === undefined || this.journal.fault !== undefined;
	}

	/**
	 * Reads the approvals and revocations of other windows since the last read. Call it before a start that depends on an
	 * approval.
	 */
	refresh(): void {
		this.journal?.refresh();
	}

	/** Whether exactly this definition was approved. The embedded demo server is part of the extension. */
	isApproved(definition: ServerDefinition): boolean {
		if (definition.origin.kind === "demo") return true;
		const approval = this.of(definition);
		if (approval?.hash !== definition.hash || this.outdated.has(approval.salt)) return false;
		return !asksForMore(definition) || isSameRule(definition.roots, approval.roots);
	}

	/** The earlier approval under this id, if it differs from the definition now. */
	former(definition: ServerDefinition): Approval | undefined {
		return this.isApproved(definition) ? undefined : this.of(definition);
	}

	/** The approval under the id of a definition, even if it is for another definition. */
	of(definition: ServerDefinition): Approval | undefined {
		return this.all.get(placedId(definition));
	}

	/** Notes that the approved definition is no longer the current one. */
	outdate({ salt }: Approval): void {
		this.outdated.add(salt);
	}

	/**
	 * Approves a definition and its start's dependencies, replacing the approval under its id; `isAutomatic` says whether
	 * it may start whenever a window opens. On the disk when it resolves.
	 */
	async approve(definition: ServerDefinition, contents?: Contents, isAutomatic = true): Promise<void> {
		const { keepApproval } = await import("./keptApproval.ts");
		await keepApproval(this.journal, approvalKey(placedId(definition)), definition, { contents, isAutomatic });
	}

	/** Withdraws the approvals under an id, at all places and in all windows. They are off the disk when it resolves. */
	async revoke(id: ServerId): Promise<void> {
		// Includes the earlier approvals: if the files cannot be read at the moment, nothing is known after the read.
		const known = this.all;
		this.refresh();
		for (const key of new Map([...known, ...this.all]).keys())
			// A path may hold a line break, so that this is not the end of the id: rather one too many than one that stays.
			if (`${key}\n`.startsWith(`${id}\n`)) this.journal?.remove(approvalKey(key));
		await (await import("./keptApproval.ts")).leaveNothing(this.journal);
	}
}

const prefix = "server ";

/** The journal key of a `placedId`. */
function approvalKey(placed: string): string {
	return prefix + placed;
}

/** The key of an approval: separate for each folder that the definition's variables may refer to (CFG-26). */
function placedId({ id, place }: ServerDefinition): string {
	return place === undefined ? id : `${id}\n${place}`;
}

/** The server that an approval is for; as far as its first line break where the path of its file has one. */
export function serverOf(placed: string): ServerId {
	return placed.split("\n", 1)[0] ?? "";
}

/** Whether a stored value is an approval. */
export function isApproval(value: unknown): value is Approval {
	if (!isJsonObject(value)) return false;
	const { hash, config, salt, roots, depends } = value as { readonly [key in keyof Approval]?: unknown };
	return (
		typeof hash === "string" &&
		isJsonObject(config) &&
		typeof salt === "string" &&
		(depends === undefined || isJsonObject(depends)) &&
		(roots === undefined || isRule(roots))
	);
}
