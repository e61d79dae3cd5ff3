import { isJsonObject, type Json, jsonIn } from "../../base/json.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import { secretName } from "../../base/secrets/secretNames.ts";
import { holdsKey } from "../../base/secretText.ts";
import type { ExchangeBodies, KeptBody, KeptHeaders } from "./exchange.ts";
import type { HeldContents } from "./exchangeRecord.ts";
import type { HeldBody } from "./keptBodies.ts";

/** What takes the secrets that the host knows out of a text, putting marks in their place. */
export interface Redactor {
	redact(text: string): string;
}

/** What stands in place of what only looks like a secret. */
const mark = "\u27E6hidden\u27E7";
/** How the marks look that stand in place of secrets: `⟦API key⟧`. */
const marks = /\u27E6[^\u27E6\u27E7]*\u27E7/g;
/** Headers that carry a right, whatever is in them. */
const secretHeaders =
	/^(?:proxy-)?authorization$|^(?:set-)?cookie2?$|^dpop$|^mcp-session-id$|^x-.*(?:key|token|secret)$/;
/** A word that may be a key is no longer than this; what is longer is data. */
const longestKey = 4096;
const deepest = 200;

/**
 * What is held of an exchange or a child, fit to be shown or given away: without the secrets that the host knows (SEC-10),
 * and without what looks like one by its name or its form (TRC-04). Undefined when nothing is held.
 */
export function shownBodies(held: HeldContents, redactor: Redactor): ExchangeBodies | undefined {
	const cleaner = new Cleaner(redactor);
	const request = cleaner.body(held.request);
	const response = cleaner.body(held.response);
	const told = cleaner.body(held.told);
	if ([request, response, told, held.requestHeaders].every((part) => part === undefined)) return undefined;
	return {
		...(told === undefined ? {} : { told }),
		...(request === undefined ? {} : { request }),
		...(response === undefined ? {} : { response }),
		...(held.requestHeaders === undefined ? {} : { requestHeaders: cleaner.headers(held.requestHeaders) }),
		...(held.responseHeaders === undefined
			? {}
			: { responseHeaders: cleaner.headers(Object.fromEntries(held.responseHeaders)) }),
		hidden: cleaner.hidden,
	};
}

/** Cleans the parts of one exchange, and counts what it took out. */
class Cleaner {
	hidden = 0;
	private readonly redactor: Redactor;

	constructor(redactor: Redactor) {
		this.redactor = redactor;
	}

	body(held: HeldBody | undefined): KeptBody | undefined {
		const content = held?.content;
		if (content === undefined) return undefined;
		if (typeof content === "string") return { kind: "whole", value: this.value(jsonIn(content), "", 0) };
		if (content.kind === "whole") return { kind: "whole", value: this.value(jsonObjectOf(content.message), "", 0) };
		const { text, length, sha256 } = content;
		return { kind: "head", text: this.text(text), length, ...(sha256 === undefined ? {} : { sha256 }) };
	}

	headers(headers: Readonly<Record<string, string>>): KeptHeaders {
		return Object.fromEntries(
			Object.entries(headers).map(([name, value]) => {
				const key = name.toLowerCase();
				return [key, secretHeaders.test(key) || secretName(key) !== undefined ? this.hide() : this.text(value)];
			}),
		);
	}

	private value(value: Json, name: string, depth: number): Json {
		if (typeof value === "string") return secretName(name) === undefined ? this.text(value) : this.hide();
		if (typeof value !== "object" || value === null) return value;
		if (depth > deepest) return "(nested too deeply)";
		if (!isJsonObject(value)) return value.map((part) => this.value(part, name, depth + 1));
		const shown: Record<string, Json> = {};
		for (const [key, part] of Object.entries(value)) {
			if (part === undefined) continue;
			// A name such as `__proto__` is data.
			Object.defineProperty(shown, this.text(key), {
				value: this.value(part, key, depth + 1),
				enumerable: true,
				configurable: true,
				writable: true,
			});
		}
		return shown;
	}

	private text(text: string): string {
		const shown = this.redactor.redact(text);
		if (shown !== text) this.hidden += (shown.match(marks) ?? []).length;
		return shown.length <= longestKey ? this.withoutKeys(shown) : shown;
	}

	/** The text without the words in it that look like keys. */
	private withoutKeys(text: string): string {
		if (text.length < 16 || !holdsKey(text)) return text;
		const shown = text
			.split(/(\s+|["'<>,;()])/)
			.map((word) => (holdsKey(word) ? this.hide() : word))
			.join("");
		// What says so by more than one word, as `Bearer …` does.
		return holdsKey(shown) ? this.hide() : shown;
	}

	private hide(): string {
		this.hidden++;
		return mark;
	}
}
