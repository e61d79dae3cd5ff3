/** What one server, or all together, may take of the person's models. Infinity where there is no limit, 0 for nothing. */
export interface Limits {
	/** Requests that are taken in within a minute. */
	readonly requestsPerMinute: number;
	/** Requests that are before the person, wait for that, or are answered, at a time. */
	readonly waiting: number;
	/** Tokens of requests and answers in a day. */
	readonly tokensPerDay: number;
	/** US dollars in a day. */
	readonly costPerDay: number;
	/** The most tokens of one answer. */
	readonly maxTokens: number;
	/** Characters of the texts of one request. */
	readonly requestLength: number;
}

/** The limits of sampling as the person set them. */
export interface SamplingLimits {
	/** Of all servers together. */
	readonly total: Limits;
	/** Of one server, by its configured name. */
	of(server: string): Limits;
	/** What cannot be read, a sentence each. It counts as the strictest. */
	readonly problems: readonly string[];
	/** Whether a limit may be missing, so that nothing is sent unasked. */
	readonly isIncomplete: boolean;
}

/** The limits, kept current. */
export interface ObservedLimits {
	readonly current: SamplingLimits;
	readonly onDidChange: (listener: () => void) => { dispose(): void };
}

export const limitKeys = [
	"requestsPerMinute",
	"waiting",
	"tokensPerDay",
	"costPerDay",
	"maxTokens",
	"requestLength",
] as const satisfies readonly (keyof Limits)[];

const unlimited: Limits = {
	requestsPerMinute: Infinity,
	waiting: Infinity,
	tokensPerDay: Infinity,
	costPerDay: Infinity,
	maxTokens: Infinity,
	requestLength: Infinity,
};

/**
 * What holds for one server unless a setting says otherwise: as many at once as wait for the person at most (see
 * `DecisionQueue`), and no more in a minute, which nobody could review. Tokens and money are not limited, since the
 * person sees each request and its cost; what goes unasked has the budget of its rule.
 */
export const serverDefaults: Limits = { ...unlimited, requestsPerMinute: 20, waiting: 20 };

/** The same for all servers together: three of them at their limit. */
export const totalDefaults: Limits = { ...unlimited, requestsPerMinute: 60, waiting: 60, requestLength: 2_000_000 };

/** The stricter of both in everything. */
export function stricter(a: Limits, b: Limits): Limits {
	const entries = limitKeys.map((key) => [key, Math.min(a[key], b[key])] as const);
	return { ...a, ...(Object.fromEntries(entries) as Partial<Limits>) };
}
