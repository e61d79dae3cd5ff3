/**
 * One window of the editor as a process of its own, as far as shared state is concerned. As `two FOLDER NUMBER`, it
 * performs a user's actions in each round that its parent names, at the moment that the parent names; as `writer
 * FOLDER`, it writes and rewrites until it is killed, and prints each number on its standard output once it is written.
 */
import { writeSync } from "node:fs";
import { compact } from "../../src/base/store/compact.ts";
import { Store } from "../../src/base/store/store.ts";
import { Approvals } from "../../src/servers/approval/approvals.ts";
import { isUseKept, UsageCounter, usageName } from "../../src/permissions/budgets/usageCounter.ts";
import { Grants } from "../../src/permissions/grants/grants.ts";
import { definition } from "../unit/servers/fixtures.ts";
import { entryOf } from "../unit/permissions/policy/scene.ts";

/** The parent's request: a round, or the window's current view. */
export type Wish = { readonly round: number; readonly at: number } | { readonly look: true };

/** The view of a window. */
export interface Sight {
	readonly granted: readonly string[];
	readonly approved: readonly string[];
	readonly used: { readonly requests: number; readonly tokens: number };
}

/** The shared state, opened by a window that opens now. */
export class SharedWindow {
	readonly store;
	readonly grants: Grants;
	readonly approvals = new Approvals();
	readonly spent: UsageCounter;

	constructor(folder: string) {
		const onProblem = (message: string): never => {
			throw new Error(message);
		};
		this.store = new Store({ folder, workspace: "one", onProblem });
		this.approvals.open(this.store.journal("approvals"));
		this.grants = new Grants({ store: this.store });
		const journal = this.store.journal(usageName, { isKept: (line) => isUseKept(line, Date.now()) });
		this.spent = new UsageCounter({ journal, name: "spent", now: Date.now, onProblem });
	}

	/** The current state. */
	get sight(): Sight {
		for (const name of ["grants", "approvals"]) this.store.journal(name).refresh();
		const granted = this.grants.all.map(({ covers }) => (covers.kind === "tool" ? covers.tool : "")).toSorted();
		const approved = [...this.approvals.all.keys()].toSorted();
		const { requests, tokens } = this.spent.of("life", "all");
		return { granted, approved, used: { requests, tokens } };
	}

	/** Grants a tool for the workspace. */
	async grant(tool: string): Promise<void> {
		await this.grants.add(this.grants.make(await entryOf(tool), {}, "tool"), "workspace");
	}

	/** Revokes the grants of a tool that this window knows. */
	async revoke(tool: string): Promise<void> {
		const all = this.grants.all.filter(({ covers }) => covers.kind === "tool" && covers.tool === tool);
		await this.grants.revoke(all.map(({ id }) => id));
	}
}

/** The actions of window 0 or 1 in a round; every second entry of the other window's last round is revoked. */
async function act(window: SharedWindow, self: number, round: number): Promise<void> {
	const other = 1 - self;
	const booking = window.spent.book("life", "all", { requests: 1, tokens: 100, nanodollars: 0, unpriced: 0 });
	await window.grant(`t${self}-${round}`);
	await window.approvals.approve(definition(`s${self}-${round}`));
	if (round % 2 === 1) {
		window.grants.find(await entryOf(`t${other}-${round - 1}`), {});
		await window.revoke(`t${other}-${round - 1}`);
		await window.approvals.revoke(definition(`s${other}-${round - 1}`).id);
	}
	// The order of these is undefined.
	if (self === 0) await window.grant("contested");
	else await window.revoke("contested");
	window.spent.settle(booking, { tokens: round, nanodollars: 0 });
}

async function write(folder: string): Promise<void> {
	const window = new SharedWindow(folder);
	for (let count = 1; ; count++) {
		window.spent.book("life", "all", { requests: 1, tokens: 0, nanodollars: 0, unpriced: 0 });
		writeSync(1, "x");
		if (count % 20 === 0) await compact(window.store.journal(usageName));
	}
}

const [, , role, folder = "", number] = process.argv;
if (role === "writer") void write(folder);
if (role === "two") {
	const window = new SharedWindow(folder);
	process.on("message", (wish: Wish) => {
		const answer = async (): Promise<void> => {
			if ("look" in wish) {
				process.send?.(window.sight);
				return;
			}
			// Both windows are awake by then, and begin at the same moment.
			while (Date.now() < wish.at);
			await act(window, Number(number), wish.round);
			process.send?.({ done: wish.round });
		};
		void answer();
	});
	process.on("disconnect", () => process.exit());
	process.send?.({ ready: true });
}
