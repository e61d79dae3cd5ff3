import { jsonObjectOf } from "../../base/guards.ts";
import { jsonIn } from "../../base/json.ts";
import { type Redactor, SafeWriter } from "../../base/secrets/writer.ts";
import type { ExchangeBodies, KeptBody, KeptHeaders } from "./exchange.ts";
import type { HeldContents } from "./exchangeRecord.ts";
import type { HeldBody } from "./keptBodies.ts";

/**
 * What is held of an exchange or a child, fit to be shown or given away: without the secrets that the host knows (SEC-10),
 * and without what looks like one by its name or its form (TRC-04). Undefined when nothing is held.
 */
export function shownBodies(held: HeldContents, redactor: Redactor): ExchangeBodies | undefined {
	const writer = new SafeWriter(redactor);
	const request = bodyOf(writer, held.request);
	const response = bodyOf(writer, held.response);
	const told = bodyOf(writer, held.told);
	if ([request, response, told, held.requestHeaders].every((part) => part === undefined)) return undefined;
	return {
		...(told === undefined ? {} : { told }),
		...(request === undefined ? {} : { request }),
		...(response === undefined ? {} : { response }),
		...(held.requestHeaders === undefined ? {} : { requestHeaders: headersOf(writer, held.requestHeaders) }),
		...(held.responseHeaders === undefined
			? {}
			: { responseHeaders: headersOf(writer, Object.fromEntries(held.responseHeaders)) }),
		hidden: writer.hidden,
	};
}

function bodyOf(writer: SafeWriter, held: HeldBody | undefined): KeptBody | undefined {
	const content = held?.content;
	if (content === undefined) return undefined;
	if (typeof content === "string") return { kind: "whole", value: writer.json(jsonIn(content)) };
	if (content.kind === "whole") return { kind: "whole", value: writer.json(jsonObjectOf(content.message)) };
	const { text, length, sha256 } = content;
	return { kind: "head", text: writer.text(text), length, ...(sha256 === undefined ? {} : { sha256 }) };
}

function headersOf(writer: SafeWriter, headers: Readonly<Record<string, string>>): KeptHeaders {
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name.toLowerCase(), writer.text(value, name.toLowerCase())]),
	);
}
