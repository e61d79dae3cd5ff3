import { SafeWriter } from "../../base/secrets/writer.ts";
import type { Exchange, ExchangeChild, KeptHeaders, TraceReader } from "./exchange.ts";
import type { TraceFileOptions } from "./traceFile.ts";

/**
 * Writes the HTTP requests of a trace as an HTTP archive (HAR 1.2): addresses, headers as far as they are kept,
 * redacted, statuses, sizes and times. Bodies are not included, and nothing of them is invented (TRC-10).
 */
export function writeHar(
	reader: TraceReader,
	{ host, home, redactor }: Pick<TraceFileOptions, "host" | "home" | "redactor">,
): { readonly text: string; readonly entries: number } {
	const entries = reader
		.snapshot(0)
		.exchanges.flatMap((exchange) =>
			exchange.children.flatMap((child) => (child.kind === "httpAttempt" ? [entryOf(reader, exchange, child)] : [])),
		)
		.toSorted((one, other) => one.startedDateTime.localeCompare(other.startedDateTime));
	const [name = host, version = "unknown"] = host.split(/ (?=\S+$)/);
	const log = { version: "1.2", creator: { name, version }, entries };
	const text = JSON.stringify(new SafeWriter(redactor).json({ log }), undefined, "\t");
	return {
		text: home.length < 2 ? text : text.replaceAll(JSON.stringify(home).slice(1, -1), "~"),
		entries: entries.length,
	};
}

function entryOf(reader: TraceReader, exchange: Exchange, child: ExchangeChild) {
	const [method = "GET", url = ""] = child.label.split(" ", 2);
	const { requestHeaders = {}, responseHeaders = {} } =
		(child.bodyId === undefined ? undefined : reader.body(exchange.id, child.bodyId)) ?? {};
	const time = Math.max(0, child.ms ?? 0);
	return {
		startedDateTime: new Date(exchange.startedAt + Math.max(0, child.at)).toISOString(),
		time,
		request: {
			method,
			url,
			httpVersion: "HTTP/1.1",
			cookies: [],
			headers: headersOf(requestHeaders),
			queryString: [],
			headersSize: -1,
			bodySize: child.bytesOut ?? 0,
		},
		response: {
			// Zero is the value in archives for a missing response.
			status: child.status ?? 0,
			statusText: "",
			httpVersion: "HTTP/1.1",
			cookies: [],
			headers: headersOf(responseHeaders),
			content: { size: child.bytesIn ?? 0, mimeType: responseHeaders["content-type"] ?? "" },
			redirectURL: responseHeaders["location"] ?? "",
			headersSize: -1,
			bodySize: child.bytesIn ?? -1,
		},
		cache: {},
		timings: { send: 0, wait: time, receive: 0 },
		comment: `${exchange.method}${exchange.target === undefined ? "" : ` ${exchange.target}`} of ${exchange.serverName}`,
	};
}

function headersOf(headers: KeptHeaders) {
	return Object.entries(headers).map(([name, value]) => ({ name, value }));
}
