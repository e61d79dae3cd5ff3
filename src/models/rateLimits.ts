/**
 * How long an endpoint asks to wait, in milliseconds; undefined where it does not say. In this order: `retry-after-ms`,
 * `retry-after` in seconds or as a date (RFC 9110, 10.2.3), and the `x-ratelimit-reset` headers of OpenAI, Azure and
 * OpenRouter, of which the longest of those counts whose allowance is used up.
 */
export function requestedPause(headers: Headers | undefined, now: number = Date.now()): number | undefined {
	if (headers === undefined) return undefined;
	const milliseconds = Number.parseFloat(headers.get("retry-after-ms") ?? "");
	if (milliseconds >= 0) return milliseconds;
	const text = headers.get("retry-after")?.trim() ?? "";
	if (/^[+-]?\d+(\.\d+)?$/.test(text)) return Math.max(0, Number(text) * 1000);
	const date = Date.parse(text);
	if (!Number.isNaN(date)) return Math.max(0, date - now);
	const resets = ["", "-requests", "-tokens"].flatMap((what) => {
		const isLeft = Number.parseFloat(headers.get(`x-ratelimit-remaining${what}`) ?? "") > 0;
		const reset = readReset(headers.get(`x-ratelimit-reset${what}`), now);
		return isLeft || reset === undefined ? [] : [reset];
	});
	return resets.length === 0 ? undefined : Math.max(...resets);
}

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A span such as `6m0s` or `850ms`, a number of seconds, or a moment in seconds or milliseconds since 1970. */
function readReset(header: string | null, now: number): number | undefined {
	const text = header?.trim() ?? "";
	if (/^\d+(\.\d+)?$/.test(text)) {
		const number = Number(text);
		if (number > 1e12) return Math.max(0, number - now);
		return number > 1e9 ? Math.max(0, number * 1000 - now) : number * 1000;
	}
	if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return undefined;
	const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
	return parts.reduce((sum, [, number, unit]) => sum + Number(number) * (unitsMs[unit ?? ""] ?? 0), 0);
}
