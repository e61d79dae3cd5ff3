import { canonicalJson } from "../../base/json.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import type { Candidate } from "./candidate.ts";
import type { AddingServers } from "./candidates.ts";
import { fitOf } from "./folderFit.ts";
import type { LocalFolder } from "./localFolder.ts";
import { freeName, suggestName } from "./serverName.ts";

/** The dependencies of the choice of a place for pasted servers. */
export interface PreferFolderServices {
	/** The open folders of this machine that servers may be kept in. */
	readonly folders: readonly LocalFolder[];
	/** The names of all servers that are there. */
	readonly taken: () => readonly string[];
}

/**
 * Preselects the open folder that a pasted command belongs to, and proposes the name of its project, until it is disposed. A
 * place and a name that the user chose stay.
 */
export function preferOpenFolder(adding: AddingServers, { folders, taken }: PreferFolderServices): Disposable {
	/** The command of each examined candidate, and the name that was proposed for it. */
	const seen = new Map<string, string>();
	const proposed = new Map<string, string>();
	let expected = adding.place;
	let isChosenByUser = false;
	let isDisposed = false;

	const name = (candidate: Candidate, wanted: string | undefined): void => {
		const { id, source, written } = candidate;
		if (source.name !== undefined && source.name !== "") return;
		const others = new Set(taken());
		if (![proposed.get(id), suggestName(written, others)].includes(candidate.name)) return;
		const better = wanted === undefined ? suggestName(written, others) : freeName(wanted, others);
		proposed.set(id, better);
		candidate.name = better;
	};
	const look = async (candidate: Candidate): Promise<void> => {
		const key = seen.get(candidate.id);
		const fit = await fitOf(candidate.written, folders);
		// The user typed on meanwhile, or left.
		if (isDisposed || seen.get(candidate.id) !== key) return;
		const former = candidate.fit;
		if (fit === undefined && former === undefined) return;
		adding.edit(candidate.id, (one) => {
			one.fit = fit;
			name(one, fit?.name);
		});
		const index = adding.places.findIndex(
			({ place }) => place.kind === "folder" && place.folder === adding.chosen.find(({ fit }) => fit)?.fit?.folder.path,
		);
		expected = isChosenByUser ? adding.place : Math.max(index, 0);
		if (adding.place !== expected) adding.choosePlace(expected);
	};
	const follow = (): void => {
		isChosenByUser ||= adding.place !== expected;
		expected = adding.place;
		if (adding.text === undefined) return;
		const candidates = adding.groups.flatMap((group) => group.candidates);
		for (const candidate of candidates) {
			const { command, args, cwd } = candidate.written;
			const key = canonicalJson([command ?? null, args ?? null, cwd ?? null]);
			if (candidate.fault !== undefined || seen.get(candidate.id) === key) continue;
			seen.set(candidate.id, key);
			void look(candidate).catch(() => undefined);
		}
	};
	const following = adding.onDidChange(follow);
	return {
		dispose: () => {
			isDisposed = true;
			following.dispose();
		},
	};
}
