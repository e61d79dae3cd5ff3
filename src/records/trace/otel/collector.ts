import { DisposableStore, type Disposable } from "../../../base/lifecycle.ts";
import type { NetworkSettings } from "../../../protocol/limits.ts";
import { openNetwork } from "../../../protocol/http/network.ts";
import type { Recorder } from "../recorder.ts";
import { collectorAddress, SpanExporter, type SpanExporterOptions } from "./spanExporter.ts";
import { traceparentOf } from "./spans.ts";

/** How long a collector may take to answer, in milliseconds. */
const timeoutMs = 10_000;

interface CollectorServices extends Pick<SpanExporterOptions, "source" | "redactor" | "onTrouble" | "everyMs"> {
	readonly recorder: Recorder;
	/** The address of the collector, as the user wrote it. */
	readonly endpoint: string;
	readonly network: NetworkSettings;
}

/**
 * Sends the spans of a window to a collector over OTLP/HTTP, and adds `traceparent` to requests, until it is disposed.
 * @throws HostError `invalid` in words for users when the address cannot be used.
 */
export function sendSpans({ recorder, endpoint, network: settings, ...rest }: CollectorServices): Disposable {
	const address = collectorAddress(endpoint);
	const store = new DisposableStore();
	const network = openNetwork(settings);
	store.add({ dispose: () => void network.close() });
	store.add(
		new SpanExporter({
			...rest,
			reader: recorder,
			async post(body) {
				const signal = AbortSignal.timeout(timeoutMs);
				const headers = { "content-type": "application/json" };
				const response = await network.fetch(address, { method: "POST", headers, body, signal });
				await response.body?.cancel();
				return response.status;
			},
		}),
	);
	recorder.traceparentOf = traceparentOf;
	store.add({ dispose: () => (recorder.traceparentOf = undefined) });
	return store;
}
