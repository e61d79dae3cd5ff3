import { isJsonObject, type Json, type JsonObject } from "./json.ts";
import { holdsKey, holdsSecret, looksSecret } from "./secretText.ts";

/** Whether a name, a title, a description or a value tells that there may be a secret among the arguments. */
export function mayHoldSecret(schema: JsonObject, args: Json): boolean {
	return asksForSecret(schema) || isSecret(args);
}

/** Whether a text or the name of a member tells that there may be a secret in a value, at any depth. */
export function isSecret(value: Json | undefined): boolean {
	if (typeof value === "string") return holdsSecret(value) || holdsKey(value);
	if (Array.isArray(value)) return (value as readonly Json[]).some(isSecret);
	if (!isJsonObject(value)) return false;
	return Object.entries(value).some(([name, inner]) => looksSecret(name) || isSecret(inner));
}

/** Whether a property is meant for a secret by its format, or by what it is called for people, at any depth. */
export function asksForSecret(schema: Json | undefined): boolean {
	if (Array.isArray(schema)) return (schema as readonly Json[]).some(asksForSecret);
	if (!isJsonObject(schema)) return false;
	const { format, writeOnly, title, description } = schema;
	if (format === "password" || writeOnly === true) return true;
	if ([title, description].some((text) => typeof text === "string" && looksSecret(text))) return true;
	return Object.values(schema).some(asksForSecret);
}
