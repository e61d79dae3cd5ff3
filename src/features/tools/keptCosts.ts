import { isJsonObject } from "../../base/json.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import type { Journal } from "../../base/store/journal.ts";
import type { ServerDefinition } from "../../servers/definitions/config.ts";
import type { Session, SessionDirectory } from "../../servers/sessions/session.ts";
import { describeTokens, type ToolCosts } from "./toolCosts.ts";

/** For how many servers it is kept; those that ran longest ago are removed first. */
const mostKept = 500;

/**
 * The cost of servers' tools for models when they last ran, in any window, by the hash of their definitions: another
 * command line must run first. Only numbers are kept, and nothing that a server sent (REG-15).
 */
export class KeptCosts implements Disposable {
	private readonly journal: Journal;
	private readonly subscription: Disposable;

	constructor(costs: Pick<ToolCosts, "of" | "onDidChange">, directory: SessionDirectory, journal: Journal) {
		this.journal = journal;
		this.subscription = costs.onDidChange(({ server }) => {
			const session = directory.sessions.find(({ definition }) => definition.id === server);
			const { tokens = 0 } = (session && costs.of(session)) ?? {};
			if (session !== undefined && tokens > 0) this.keep(session, tokens);
		});
	}

	/** In its display form: `~640 tokens`. */
	inWords(definition: ServerDefinition): string | undefined {
		const tokens = this.of(definition);
		return tokens === undefined ? undefined : describeTokens(tokens);
	}

	/** The tokens of a server's tools in each request; undefined if it has not run in its current definition. */
	of({ id, hash }: ServerDefinition): number | undefined {
		const value = this.journal.get(id)?.value;
		if (!isJsonObject(value) || value["hash"] !== hash) return undefined;
		const { tokens } = value;
		return typeof tokens === "number" && Number.isFinite(tokens) && tokens > 0 ? tokens : undefined;
	}

	dispose(): void {
		this.subscription.dispose();
	}

	private keep(session: Session, tokens: number): void {
		const { id, hash } = session.definition;
		if (this.of(session.definition) === tokens) return;
		this.journal.put(id, { hash, tokens });
		const { lines } = this.journal;
		for (const { key } of lines.slice(0, Math.max(0, lines.length - mostKept))) this.journal.remove(key);
	}
}
