/** Marks the branch of an exhaustive switch that cannot be reached. */
export function assertNever(value: never): never {
	throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
