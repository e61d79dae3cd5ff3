import { isJsonObject } from "../base/json.ts";
import { oneLine } from "../base/text.ts";

/**
 * Who an ID token is about, for display only: its signature is not checked, and nothing is decided by it. Undefined when
 * there is none or it does not say.
 */
export function accountOf(idToken: string | undefined): string | undefined {
	try {
		const payload = Buffer.from(idToken?.split(".")[1] ?? "", "base64url").toString("utf8");
		const claims: unknown = JSON.parse(payload);
		if (!isJsonObject(claims)) return undefined;
		const found = [claims["email"], claims["preferred_username"], claims["name"]].find(
			(claim) => typeof claim === "string" && claim.trim() !== "",
		);
		return typeof found === "string" ? oneLine(found, 100) : undefined;
	} catch {
		return undefined;
	}
}
