import type { KeyValue } from "../storage.ts";

/** The version of the forms in which something is kept in the editor's state. */
const version = 1;

/** A state of the editor in which only what this version of the forms kept is found: every name carries the version. */
export function versionedState(state: KeyValue): KeyValue {
	const named = (key: string): string => `${key}@${version}`;
	return {
		get: (key) => state.get(named(key)),
		update: (key, value) => state.update(named(key), value),
	};
}
