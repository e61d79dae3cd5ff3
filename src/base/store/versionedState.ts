import type { KeyValue } from "../storage.ts";

/** The version of the formats in VS Code's state. */
const version = 1;

/** A state of VS Code that contains only data of this version of the formats: every name includes the version. */
export function versionedState(state: KeyValue): KeyValue {
	const named = (key: string): string => `${key}@${version}`;
	return {
		get: (key) => state.get(named(key)),
		update: (key, value) => state.update(named(key), value),
	};
}
