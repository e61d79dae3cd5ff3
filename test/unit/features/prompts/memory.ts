import type { KeyValue } from "../../../../src/base/storage.ts";

/** A store that lasts until the test ends. */
export function memory(initial: Readonly<Record<string, unknown>> = {}): KeyValue {
	const values = new Map(Object.entries(initial));
	return {
		get: (key) => values.get(key) as never,
		update: (key, value) => {
			// Values go through JSON, as in the editor's own store; undefined removes a value.
			if (value === undefined) values.delete(key);
			else values.set(key, JSON.parse(JSON.stringify(value)));
			return Promise.resolve();
		},
	};
}
