import { oneLine } from "../../base/text.ts";
import { authorizing } from "../authorization/authorizing.ts";
import type { Attempt } from "./attempts.ts";
import type { ConnectRequest } from "../connection.ts";
import { HttpTransport } from "../http/httpTransport.ts";
import { GatedTransport, type GateOptions } from "../messages/gatedTransport.ts";
import { TappedTransport } from "../messages/tappedTransport.ts";
import type { HubProcess } from "../shared/hub.ts";
import type { ConnectionLimits } from "../limits.ts";
import { StdioTransport, type StdioListener } from "../stdio/stdioTransport.ts";
import { type Elsewhere, WatchedProcess, WatchedTransport } from "./watchedTransport.ts";

/** How a connection ended, shared with its transport's listener. */
export interface ConnectionEnd {
	/** How the process ended, such as `exited with code 3`; undefined while it lives. */
	exit: string | undefined;
	/** Whether anything was written to the process. */
	wasAsked: boolean;
}

/** The reports of a transport beside its messages. */
export interface TransportListener {
	/** A piece of a process's standard error. */
	onStderr(text: string): void;
	/** Over HTTP: the event stream of the server's own messages opened, or ended. */
	onStream(isOpen: boolean): void;
}

/** Makes a transport to a process of a server, not started, in place of the usual one. */
export type OpenProcess = (listener: StdioListener, limits: ConnectionLimits) => HubProcess & Partial<Elsewhere>;

/** A new transport to the server of a request, not started. */
export function makeTransport(
	request: ConnectRequest,
	kind: Attempt["transport"],
	end: ConnectionEnd,
	listener: TransportListener,
	open?: OpenProcess,
): WatchedTransport {
	const { launch, handlers, limits } = request;
	const tap = request.tap?.open(kind);
	const gate: GateOptions = {
		onTrouble: (...trouble) => handlers.onTrouble(...trouble),
		logLevel: () => request.logLevel(),
		...(tap === undefined ? {} : { onDropped: (method) => tap.dropped(method) }),
	};
	if (launch.kind !== "stdio") {
		const onStream = (isOpen: boolean): void => listener.onStream(isOpen);
		const http = new HttpTransport(launch, kind === "sse" ? "sse" : "http", request, { authorizing, onStream, tap });
		return new WatchedTransport(new GatedTransport(tap === undefined ? http : new TappedTransport(http, tap), gate));
	}
	let isNoisy = false;
	const outside: StdioListener = {
		onStderr: (text) => listener.onStderr(text),
		onNoise(line) {
			if (isNoisy) return;
			isNoisy = true;
			handlers.onNoise?.(line);
			const what = `Standard output contains text that is not a message; it is skipped: ${oneLine(line)}`;
			handlers.onTrouble(what, [{ rule: "stdout", what }]);
		},
		onTrouble: (...trouble) => handlers.onTrouble(...trouble),
		onEnd(reason) {
			end.exit = reason;
		},
	};
	const process = open?.(outside, limits) ?? new StdioTransport(launch, outside, limits);
	const carried = tap === undefined ? process : new TappedTransport(process, tap);
	return new WatchedProcess(new GatedTransport(carried, gate), process, () => {
		end.wasAsked = true;
	});
}
