/** How long a server's schema may be applied, in milliseconds: long enough for megabytes, too short to be felt as a freeze. */
export const schemaTimeMs = 250;

/** Whether applying a schema can take a time that has nothing to do with its size: expressions and references can. */
export function mayBeEndless(schema: unknown): boolean {
	return /"(?:pattern|patternProperties|format|\$ref|\$dynamicRef)"/.test(JSON.stringify(schema) ?? "");
}
