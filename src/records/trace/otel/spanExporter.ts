import { HostError, messageOf } from "../../../base/errors.ts";
import type { JsonObject } from "../../../base/json.ts";
import { DisposableStore, type Disposable } from "../../../base/lifecycle.ts";
import { type Redactor, SafeWriter } from "../../../base/secrets/writer.ts";
import { throttle } from "../../../base/throttle.ts";
import type { Exchange, TraceReader } from "../exchange.ts";
import { exportRequest, spansOf, type SpanSource } from "./spans.ts";

/** The services that an exporter uses. */
export interface SpanExporterOptions {
	readonly reader: Pick<TraceReader, "snapshot" | "onDidChange" | "nameOf">;
	readonly source: SpanSource;
	readonly redactor: Redactor;
	/** Sends a request to the collector; resolves with the status of its answer, rejects without one. */
	readonly post: (body: string) => Promise<number>;
	/** Called for the first failure, with a sentence that can be shown. */
	readonly onTrouble: (message: string) => void;
	/** How often spans are sent, at most, in milliseconds. */
	readonly everyMs?: number;
}

/** Exchanges that wait to be sent; if there are more, the oldest are not sent. */
const mostQueued = 2048;
/** Exchanges of one request. */
const mostAtOnce = 512;
/** The waits after failures, in milliseconds; the last one stays. */
const pauses = [5000, 15_000, 60_000];
/** The statuses after which a request may be sent again later (OTLP, "Retryable Response Codes"). */
const isRetryable: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Reads the address of a collector for OTLP/HTTP: the path `/v1/traces` is added if it is missing.
 * @throws HostError `invalid` in words for users.
 */
export function collectorAddress(text: string): URL {
	const url = URL.parse(text.trim());
	if (url === null || !["http:", "https:"].includes(url.protocol))
		throw new HostError("invalid", "the address must begin with http:// or https://");
	if (url.username !== "" || url.password !== "")
		throw new HostError("invalid", "the address must not contain a user name or password");
	if (!url.pathname.endsWith("/v1/traces")) url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/traces`;
	return url;
}

/**
 * Sends the spans of exchanges that end from now on to a collector. Nothing waits for it: failed sends are repeated for
 * as long as there is room, and then dropped (TRC-12).
 */
export class SpanExporter implements Disposable {
	private readonly options: SpanExporterOptions;
	private readonly store = new DisposableStore();
	/** Ended exchanges that were not sent, by id. */
	private readonly queue = new Map<number, Exchange>();
	/** Sent exchanges that are still in the trace: they may change after their end. */
	private readonly sent = new Set<number>();
	private readonly sending;
	private seen: number;
	private failures = 0;
	private pause: NodeJS.Timeout | undefined;
	private isBusy = false;
	private isTold = false;
	private isDisposed = false;

	constructor(options: SpanExporterOptions) {
		this.options = options;
		this.seen = options.reader.snapshot(0).revision;
		this.sending = this.store.add(throttle(() => void this.send(), options.everyMs ?? 2000));
		this.store.add(options.reader.onDidChange(() => this.take()));
	}

	dispose(): void {
		this.isDisposed = true;
		clearTimeout(this.pause);
		this.store.dispose();
	}

	private take(): void {
		const { revision, exchanges, firstId } = this.options.reader.snapshot(this.seen);
		this.seen = revision;
		for (const id of this.sent) if (id < firstId) this.sent.delete(id);
		for (const exchange of exchanges) {
			const { id, kind, outcome } = exchange;
			if (kind !== "request" || outcome.kind === "waiting" || this.sent.has(id)) continue;
			this.queue.set(id, exchange);
			const [oldest] = this.queue.keys();
			if (this.queue.size > mostQueued && oldest !== undefined) this.queue.delete(oldest);
		}
		if (this.queue.size > 0) this.sending.run();
	}

	private async send(): Promise<void> {
		if (this.isBusy || this.pause !== undefined || this.isDisposed) return;
		const taken = [...this.queue.values()].slice(0, mostAtOnce);
		for (const { id } of taken) {
			this.queue.delete(id);
			this.sent.add(id);
		}
		const { reader, source, redactor, post } = this.options;
		const spans = taken.flatMap((exchange): readonly JsonObject[] => spansOf(exchange, reader.nameOf(exchange.id)));
		if (spans.length === 0) return;
		this.isBusy = true;
		try {
			const status = await post(JSON.stringify(new SafeWriter(redactor).json(exportRequest(spans, source))));
			if (status < 300) this.failures = 0;
			else this.fail(`it answered ${status}`, isRetryable.has(status) ? taken : []);
		} catch (error) {
			this.fail(messageOf(error), taken);
		} finally {
			this.isBusy = false;
			if (this.queue.size > 0 && !this.isDisposed) this.sending.run();
		}
	}

	/** Reports it once, and waits longer each time before more is sent; `again` precedes the later ones. */
	private fail(why: string, again: readonly Exchange[]): void {
		if (this.isDisposed) return;
		const since = [...this.queue.values()];
		this.queue.clear();
		for (const exchange of [...again, ...since].slice(-mostQueued)) this.queue.set(exchange.id, exchange);
		const wait = pauses[Math.min(this.failures++, pauses.length - 1)];
		this.pause = setTimeout(() => {
			this.pause = undefined;
			this.sending.run();
		}, wait);
		if (this.isTold) return;
		this.isTold = true;
		this.options.onTrouble(why);
	}
}
