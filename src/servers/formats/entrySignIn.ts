import { type Json, type JsonObject, own } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import { isObject, jsonOf, textsOf } from "./data.ts";

/**
 * How to sign in, in the words of `oauth` here; undefined if an entry does not specify it. `translate` is for each text
 * of it, and `remark` receives members without a counterpart.
 */
export function readSignIn(
	entry: JsonObject,
	translate: (text: string) => string,
	remark: (sentence: string) => void,
): JsonObject | undefined {
	const found = own(entry, "oauth") ?? own(entry, "auth");
	const known: [string, Json][] = [];
	const left: string[] = [];
	const words = new Map([
		["CLIENT_ID", "clientId"],
		["client_id", "clientId"],
		["CLIENT_SECRET", "clientSecret"],
		["client_secret", "clientSecret"],
		["scope", "scopes"],
		["oauthScopes", "scopes"],
		["callbackPort", "redirectPort"],
	]);
	const same = /^(?:clientId|clientSecret|issuer|clientMetadataUrl|scopes|redirectPort|allowMissingPkce|grant)$/;
	for (const [key, value] of isObject(found) ? Object.entries(found) : []) {
		const word = words.get(key) ?? key;
		const json = jsonOf(value, (text) => translate(text));
		if (same.test(word) && json !== undefined && json !== null) known.push([word, json]);
		else if (key !== "enabled" && json !== null) left.push(`"${oneLine(key, 60)}"`);
	}
	const scopes = textsOf(own(entry, "scopes"));
	if (scopes !== undefined && scopes.length > 0 && !known.some(([key]) => key === "scopes"))
		known.push(["scopes", scopes]);
	if (left.length > 0)
		remark(`MCP Host has no counterpart for these parts of its sign-in: ${left.slice(0, 5).join(", ")}.`);
	return known.length === 0 ? undefined : Object.fromEntries(known);
}
