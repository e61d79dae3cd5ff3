import type { JSONRPCErrorResponse, JSONRPCResultResponse } from "@modelcontextprotocol/client";
import { isJsonObject, type Json, jsonIn } from "../../base/json.ts";
import { messageOf } from "../../base/errors.ts";
import { withoutTerminal } from "../../base/terminal.ts";
import { oneLine } from "../../base/text.ts";

/** How many faults of a message are named. */
const mostFaults = 3;

/**
 * A text without the dump of a validator in it: each fault in words, such as `serverInfo.name: expected string`.
 * Other texts stay as they are.
 */
export function plainWords(text: string): string {
	const start = text.search(/\[\s*\{/);
	if (start === -1) return text;
	const end = text.lastIndexOf("]") + 1;
	let issues: Json;
	try {
		issues = jsonIn(text.slice(start, end));
	} catch {
		return text;
	}
	if (!Array.isArray(issues) || !issues.every(isIssue)) return text;
	const words = [...new Set(issues.map(issueWords))];
	const more = words.length > mostFaults ? `; ${words.length - mostFaults} more` : "";
	return `${text.slice(0, start)}${words.slice(0, mostFaults).join("; ")}${more}${text.slice(end)}`;
}

/** The message of anything thrown, on one line and without the dump of a validator; untrusted. */
export function plainMessage(error: unknown, limit: number): string {
	return oneLine(plainWords(withoutTerminal(messageOf(error))), limit);
}

/** An error answer of the host contains plain words instead of a dump, because users read it too. */
export function plainError<T extends JSONRPCErrorResponse | JSONRPCResultResponse>(answer: T): T {
	if (!("error" in answer)) return answer;
	const message = plainWords(answer.error.message);
	return message === answer.error.message ? answer : { ...answer, error: { ...answer.error, message } };
}

interface Issue {
	readonly path: readonly (string | number)[];
	readonly message: string;
	readonly code: string;
}

function isIssue(value: unknown): value is Issue {
	return (
		isJsonObject(value) &&
		typeof value["code"] === "string" &&
		Array.isArray(value["path"]) &&
		typeof value["message"] === "string"
	);
}

function issueWords({ path, message }: Issue): string {
	const words = message.replace(/^Invalid input:? ?/, "").replace(", received undefined", ", but it is missing");
	return oneLine(
		`${path.join(".") || "the message"}: ${words === "" ? "it matches none of the allowed forms" : words}`,
		200,
	);
}
