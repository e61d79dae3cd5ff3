import { HostError } from "../../base/errors.ts";

/** A server's answer arrived and is refused, so the request has reached the server: the host's own verdict on it. */
export class RefusedAnswer extends HostError {}

/** The error for a message beyond the cap of its size, in bytes (TRN-05). */
export function tooLarge(limit: number): RefusedAnswer {
	return new RefusedAnswer(
		"limit",
		`A message from the server is larger than the limit of ${sizeOf(limit)} (setting mcpHost.limits.messageSize).`,
	);
}

/** The error for an answer beyond the cap of its decoded size, in bytes (TRN-45). */
export function answerTooLarge(limit: number): RefusedAnswer {
	return new RefusedAnswer(
		"limit",
		`A response from the server is larger than the limit of ${sizeOf(limit)} (setting mcpHost.limits.responseSize).`,
	);
}

/** The error for a message that is nested deeper than the cap (TRN-08). */
export function tooDeep(limit: number): RefusedAnswer {
	return new RefusedAnswer("limit", `A message from the server is nested deeper than the limit of ${limit} levels.`);
}

/** A size in words, in the unit of the settings where it is whole. */
function sizeOf(bytes: number): string {
	const megabytes = bytes / (1024 * 1024);
	return Number.isInteger(megabytes) ? `${megabytes} MB` : `${bytes.toLocaleString("en-US")} bytes`;
}
