import type { RowChange } from "./candidate.ts";
import type { ValueKind } from "./valueRows.ts";

/** A line of a server's description, ready to show: each value in full, on one line, without secrets. */
export interface CandidateLine {
	readonly label: string;
	readonly values: readonly string[];
	/** The indices of those that the user may take for secrets. */
	readonly plain?: readonly number[];
}

/** A value for which the user decides how it is stored. */
export interface RowView {
	readonly id: number;
	readonly label: string;
	/** Its kind, such as `Environment`, in our words. */
	readonly where: string;
	/** Whether the user may change its name and remove it. */
	readonly isOwn: boolean;
	/** The text before it, such as `Bearer `. */
	readonly before: string;
	readonly kind: ValueKind;
	/** Whether its input is not secret: it may be visible while it is typed. */
	readonly isOpenInput: boolean;
	/** A plain value, or the name of a variable; empty for a secret, which stays with the host. */
	readonly text: string;
	/** The placeholder of the field: how long the secret is, or what is to be filled in. */
	readonly hint: string;
	/** A sentence of ours about it. */
	readonly note?: string;
}

/** A server that may be added. */
export interface CandidateView {
	readonly id: string;
	readonly isChosen: boolean;
	readonly name: string;
	/** New, already there, or similar to another one; in our words. */
	readonly state: string;
	readonly isNew: boolean;
	readonly lines: readonly CandidateLine[];
	/** The command line, or the URL, for the user to change. */
	readonly target: string;
	readonly isRemote: boolean;
	readonly rows: readonly RowView[];
	/** Notes about it: our sentences. */
	readonly notes: readonly string[];
	readonly warnings: readonly string[];
	/** The problem to fix before it can be added. */
	readonly problems: readonly string[];
	readonly nameProblem?: string;
	/** Whether its fields are shown for the user to fill in. */
	readonly isByHand: boolean;
}

/** Servers from one source. */
export interface GroupView {
	readonly id: string;
	readonly heading: string;
	readonly path?: string;
	/** The facts about their source. */
	readonly about: readonly CandidateLine[];
	/** The address of a bundle that can be looked into. */
	readonly bundle?: string;
	/** The domain that can be asked which servers it offers. */
	readonly domain?: string;
	/** The name by which a registry can be searched for it. */
	readonly listed?: string;
	readonly candidates: readonly CandidateView[];
	/** The text that was not understood. */
	readonly refused: readonly string[];
	/** Whether the file can be used where it is, instead of copying from it; absent where it cannot. */
	readonly isFollowed?: boolean;
}

/** All that the panel shows. */
export interface AddServersView {
	readonly heading: string;
	/** Whether a server that is there is replaced, under its name. */
	readonly isUpdate: boolean;
	/** The text that the user pasted or typed; absent if the servers are from files. */
	readonly text?: string;
	readonly groups: readonly GroupView[];
	readonly places: readonly { readonly label: string; readonly description: string }[];
	readonly place: number;
	/** How many servers the main button adds, and how many files are followed. */
	readonly chosen: number;
	readonly followed: number;
	/** Why nothing can be added now; absent when it can. */
	readonly obstacle?: string;
	/** Whether it is being written. */
	readonly isAdding: boolean;
	/** Why adding failed. */
	readonly failure?: string;
}

/** The extension's functions for the view. */
export interface AddServersHostApi {
	ready(): AddServersView;
	read(text: string): void;
	byHand(): void;
	openBundle(group: string): void;
	openDomain(group: string): void;
	openListed(group: string): void;
	choose(candidate: string, isChosen: boolean): void;
	chooseAll(group: string, isChosen: boolean): void;
	rename(candidate: string, name: string): void;
	retarget(candidate: string, text: string): void;
	changeRow(candidate: string, row: number, change: RowChange): void;
	keepArgument(candidate: string, index: number): void;
	addRow(candidate: string): void;
	removeRow(candidate: string, row: number): void;
	follow(group: string, isFollowed: boolean): void;
	choosePlace(index: number): void;
	add(andReview: boolean): void;
	close(): void;
}

/** The view's functions for the extension. */
export interface AddServersViewApi {
	show(state: AddServersView): void;
}
