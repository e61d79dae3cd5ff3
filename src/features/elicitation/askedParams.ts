import type { ElicitRequestParams } from "@modelcontextprotocol/client";
import { isJsonObject } from "../../base/json.ts";
import { invalidParams } from "../../base/refusal.ts";
import { oneLine } from "../../base/text.ts";

/**
 * The params of `elicitation/create`, of which only what this request needs is checked; its form is read by `readForm`.
 * Revisions before 2025-11-25 know forms only and send no mode.
 * @throws RequestRefusal -32602 for an unknown mode, and for a missing message, form or address.
 */
export function readAskedParams(params: unknown): ElicitRequestParams {
	if (!isJsonObject(params)) throw invalidParams("elicitation/create needs params");
	const { mode = "form", message, url, elicitationId } = params;
	if (mode !== "form" && mode !== "url")
		throw invalidParams(`The mode ${oneLine(JSON.stringify(mode), 60)} is unknown`);
	if (typeof message !== "string") throw invalidParams("message is missing or not a text");
	if (mode === "form") return asked(params);
	if (typeof url !== "string") throw invalidParams("url is missing or not a text");
	if (elicitationId !== undefined && typeof elicitationId !== "string")
		throw invalidParams("elicitationId is not a text");
	return asked(params);
}

/** Its members were read above; what a form asks is read when the form is made. */
function asked(params: object): ElicitRequestParams {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type of the SDK asks more of a form than is needed
	return params as ElicitRequestParams;
}
