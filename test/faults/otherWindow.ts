import { fork, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import type { JsonObject } from "../../src/base/json.ts";
import { markName } from "./census.ts";
import type { CallOutcome } from "./calls.ts";

/** The order for a child host. */
export interface WindowOrder {
	readonly id: number;
	readonly what: "configure" | "start" | "call";
	readonly config?: JsonObject;
}

/** The outcome of an order; that of a start includes the state. */
export interface WindowReply {
	readonly id: number;
	readonly outcome: CallOutcome | undefined;
}

/** A host in a process of its own, as another window of the editor has one. */
export class OtherWindow implements Disposable {
	private readonly child: ChildProcess;
	private readonly waiting = new Map<number, (outcome: CallOutcome | undefined) => void>();
	private lastId = 0;

	/** The host's own processes carry the mark too, so that its leftovers are counted. */
	constructor(caseId: string, mark: string, folder: string) {
		this.child = fork(join(import.meta.dirname, "childHost.ts"), [caseId, mark, folder], {
			// A killed host's leftovers in the temporary folder are removed with the case.
			env: { ...process.env, [markName]: mark, TMPDIR: folder },
		});
		this.child.on("message", ({ id, outcome }: WindowReply) => {
			this.waiting.get(id)?.(outcome);
			this.waiting.delete(id);
		});
	}

	/** Gives an order; resolves with how it ended, and never when the process is killed meanwhile. */
	order(what: WindowOrder["what"], config?: JsonObject): Promise<CallOutcome | undefined> {
		const id = ++this.lastId;
		const order: WindowOrder = { id, what, ...(config === undefined ? {} : { config }) };
		return new Promise((resolve) => {
			this.waiting.set(id, resolve);
			this.child.send(order);
		});
	}

	signal(signal: "SIGKILL" | "SIGSTOP" | "SIGCONT"): void {
		this.child.kill(signal);
	}

	[Symbol.dispose](): void {
		this.child.kill("SIGKILL");
	}
}
