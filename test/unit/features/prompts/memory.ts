import type { KeyValue } from "../../../../src/base/storage.ts";

/** A store that forgets when the test ends. */
export function memory(initial: Readonly<Record<string, unknown>> = {}): KeyValue {
	const values = new Map(Object.entries(initial));
	return {
		get: (key) => values.get(key) as never,
		update: (key, value) => {
			// What is stored goes through JSON, as the editor's own does; undefined removes it.
			if (value === undefined) values.delete(key);
			else values.set(key, JSON.parse(JSON.stringify(value)));
			return Promise.resolve();
		},
	};
}
