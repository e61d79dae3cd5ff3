/** A wait longer than this is not waited for, in milliseconds: the person is told instead (security.md TRN-38). */
export const maxWaitMs = 60_000;
/** A server that asks for no wait at all is still not asked more than once a second (security.md TRN-39). */
const minWaitMs = 1000;

/**
 * How long a server asks to wait by `Retry-After`, in milliseconds: seconds or a date (RFC 9110, 10.2.3). At least a
 * second; possibly very long. Undefined where the header is missing or means nothing.
 */
export function retryAfterMs(header: string | null, now = Date.now()): number | undefined {
	const text = header?.trim() ?? "";
	if (text === "") return undefined;
	// A time in the past, and the negative numbers that some servers compute from one, mean "now".
	const wait = /^[+-]?\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
	return Number.isNaN(wait) ? undefined : Math.max(wait, minWaitMs);
}
