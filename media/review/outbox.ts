/** How long edits are gathered after one went to the host, in milliseconds: a long text costs more to hand over. */
const gatheringMs = { short: 150, long: 1000 };
const longDraft = 100_000;

/** A draft on its way to the host, which keeps it when this view is hidden. */
export interface Outbox<Draft> {
	/** Sends a draft now, or, when it is long or one has just been sent, soon, unless another one takes its place. */
	put(draft: Draft): void;
	/** Sends now what waits, before a decision or before the view may be gone. */
	flush(): void;
	/** Whether the host has everything: only then is what it says newer than what stands here. */
	readonly isSettled: boolean;
}

/** Makes an outbox. `send` ends when the host has the draft; one that fails counts as ended. */
export function outbox<Draft extends { readonly changes: Readonly<Record<string, string>> }>(
	send: (draft: Draft) => Promise<unknown>,
): Outbox<Draft> {
	let waiting: Draft | undefined;
	let timer: ReturnType<typeof setTimeout> | undefined;
	let underWay = 0;
	const arrived = (): void => void underWay--;
	const flush = (): void => {
		const draft = waiting;
		waiting = undefined;
		if (draft === undefined) return;
		rest(sizeOf(draft) > longDraft ? gatheringMs.long : gatheringMs.short);
		underWay++;
		send(draft).then(arrived, arrived);
	};
	const rest = (milliseconds: number): void => {
		clearTimeout(timer);
		timer = setTimeout(() => {
			timer = undefined;
			flush();
		}, milliseconds);
	};
	return {
		put: (draft) => {
			waiting = draft;
			if (timer !== undefined) return;
			if (sizeOf(draft) > longDraft) rest(gatheringMs.long);
			else flush();
		},
		flush,
		get isSettled() {
			return waiting === undefined && underWay === 0;
		},
	};
}

function sizeOf({ changes }: { readonly changes: Readonly<Record<string, string>> }): number {
	return Object.values(changes).reduce((size, text) => size + text.length, 0);
}
