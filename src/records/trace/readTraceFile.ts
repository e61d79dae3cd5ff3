import { isJsonObject, type Json, type JsonObject, parseJsonObject } from "../../base/json.ts";
import type { ExchangeBodies, ExchangeChild, ExchangeOutcome, TraceReader } from "./exchange.ts";
import { traceFileVersion, type SavedExchange } from "./traceFile.ts";

/** More exchanges than this are not read from one file. */
const mostExchanges = 100_000;

const askers = ["user", "model", "app", "server", "host"] as const;
const transports = ["stdio", "http", "sse"] as const;
const outcomes = [
	"waiting",
	"ok",
	"tool-error",
	"rpc-error",
	"http-error",
	"failed",
	"cancelled",
	"timed-out",
	"refused",
	"unanswered",
] as const;
const childKinds = [
	"progress",
	"log",
	"notification",
	"stderr",
	"serverRequest",
	"request",
	"round",
	"retry",
	"httpAttempt",
] as const;

/** A trace as a file has it. All of it is untrusted. */
export interface ReadTrace {
	readonly trace: FileTrace;
	/** Who wrote it, and when, in its own words. */
	readonly host: string;
	readonly saved: string;
	/** Lines that could not be read, or were too many. */
	readonly skipped: number;
}

/**
 * Reads an exported trace; lines that are not exchanges are counted and left out, because a report may be cut.
 * @throws Error in words for users when the file is not a trace, or of an unknown version.
 */
export function readTrace(text: string): ReadTrace {
	const [first = "", ...lines] = text.split("\n");
	const head = parseJsonObject(first);
	if (head === undefined || typeof head["mcpTrace"] !== "number")
		throw new Error("This file is not a trace of MCP Host.");
	if (head["mcpTrace"] !== traceFileVersion) {
		throw new Error(
			`This trace has version ${head["mcpTrace"]}, but MCP Host reads version ${traceFileVersion}. Update MCP Host.`,
		);
	}
	const saved: SavedExchange[] = [];
	let skipped = 0;
	for (const line of lines) {
		if (line.trim() === "") continue;
		const exchange = saved.length < mostExchanges ? readExchange(parseJsonObject(line), saved.length + 1) : undefined;
		if (exchange === undefined) skipped++;
		else saved.push(exchange);
	}
	return { trace: new FileTrace(saved), host: textOf(head["host"]), saved: textOf(head["saved"]), skipped };
}

/** A trace that was read from a file: it never changes. */
export class FileTrace implements TraceReader {
	/** In the order of the file; ids are renumbered from 1. */
	readonly exchanges: readonly SavedExchange[];

	constructor(exchanges: readonly SavedExchange[]) {
		this.exchanges = exchanges;
	}

	readonly onDidChange: TraceReader["onDidChange"] = () => ({ dispose: () => undefined });

	snapshot(since: number): ReturnType<TraceReader["snapshot"]> {
		return { revision: 1, exchanges: since < 1 ? this.exchanges : [], firstId: 1, gone: 0, dropped: 0 };
	}

	get(id: number): SavedExchange | undefined {
		return this.exchanges[id - 1];
	}

	nameOf(id: number): string {
		return String(id);
	}

	find(): undefined {
		// Links lead to the trace of a window.
	}

	body(id: number, child?: string): ExchangeBodies | undefined {
		const exchange = this.get(id);
		if (child === undefined) return exchange?.bodies;
		const bodies = exchange?.childBodies ?? {};
		return Object.hasOwn(bodies, child) ? bodies[child] : undefined;
	}

	level(): ReturnType<TraceReader["level"]> {
		return "off";
	}

	holdBodies(): ReturnType<TraceReader["holdBodies"]> {
		return { dispose: () => undefined };
	}

	clear(): void {
		// It is read-only.
	}
}

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const numberOf = (value: Json | undefined): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);

function oneOf<T extends string>(values: readonly T[], value: Json | undefined, fallback: T): T {
	return values.find((one) => one === value) ?? fallback;
}

function readExchange(line: JsonObject | undefined, id: number): SavedExchange | undefined {
	if (line === undefined || typeof line["method"] !== "string" || typeof line["server"] !== "string") return undefined;
	const spent = isJsonObject(line["durations"]) ? line["durations"] : {};
	const { target, client, era, protocolVersion, rpcId, bodies, childBodies, children } = line;
	return {
		id,
		server: line["server"],
		serverName: textOf(line["serverName"]),
		generation: numberOf(line["generation"]),
		transport: oneOf(transports, line["transport"], "stdio"),
		...(era === "legacy" || era === "modern" ? { era } : {}),
		...(typeof protocolVersion === "string" ? { protocolVersion } : {}),
		kind: oneOf(["request", "notification"], line["kind"], "request"),
		direction: oneOf(["out", "in"], line["direction"], "out"),
		method: line["method"],
		...(typeof target === "string" ? { target } : {}),
		origin: oneOf(askers, line["origin"], "host"),
		...(typeof client === "string" ? { client } : {}),
		startedAt: numberOf(line["startedAt"]),
		durations: {
			total: numberOf(spent["total"]),
			user: numberOf(spent["user"]),
			server: numberOf(spent["server"]),
			own: numberOf(spent["own"]),
		},
		bytesOut: numberOf(line["bytesOut"]),
		bytesIn: numberOf(line["bytesIn"]),
		outcome: readOutcome(line["outcome"]) ?? { kind: "unanswered" },
		children: (Array.isArray(children) ? (children as readonly Json[]) : []).flatMap(readChild),
		childrenDropped: numberOf(line["childrenDropped"]),
		count: Math.max(1, numberOf(line["count"])),
		hasBodies: isJsonObject(bodies),
		...(typeof rpcId === "string" || typeof rpcId === "number" ? { rpcId } : {}),
		...(isJsonObject(bodies) ? { bodies: readBodies(bodies) } : {}),
		...(isJsonObject(childBodies)
			? {
					childBodies: Object.fromEntries(
						Object.entries(childBodies).flatMap(([key, value]) =>
							isJsonObject(value) ? [[key, readBodies(value)]] : [],
						),
					),
				}
			: {}),
	};
}

function readOutcome(value: Json | undefined): ExchangeOutcome | undefined {
	if (!isJsonObject(value)) return undefined;
	const kind = outcomes.find((one) => one === value["kind"]);
	switch (kind) {
		case undefined:
			return undefined;
		case "rpc-error":
			return { kind, code: numberOf(value["code"]), message: textOf(value["message"]) };
		case "http-error":
			return { kind, status: numberOf(value["status"]) };
		case "failed":
			return { kind, message: textOf(value["message"]) };
		case "refused":
			return { kind, by: textOf(value["by"]) };
		case "waiting":
			// Nobody waits any more.
			return { kind: "unanswered" };
		case "ok":
			return { kind, ...(value["isUnfit"] === true ? { isUnfit: true } : {}) };
		case "tool-error":
		case "cancelled":
		case "timed-out":
		case "unanswered":
			return { kind };
	}
}

function readChild(value: Json): readonly ExchangeChild[] {
	if (!isJsonObject(value)) return [];
	const { ms, bytesOut, bytesIn, status, isSignIn, bodyId } = value;
	const kind = childKinds.find((one) => one === value["kind"]);
	if (kind === undefined) return [];
	const outcome = readOutcome(value["outcome"]);
	return [
		{
			kind,
			at: numberOf(value["at"]),
			label: textOf(value["label"]),
			count: Math.max(1, numberOf(value["count"])),
			...(typeof ms === "number" ? { ms } : {}),
			...(typeof bytesOut === "number" ? { bytesOut } : {}),
			...(typeof bytesIn === "number" ? { bytesIn } : {}),
			...(typeof status === "number" ? { status } : {}),
			...(isSignIn === true ? { isSignIn } : {}),
			...(outcome === undefined ? {} : { outcome }),
			...(typeof bodyId === "string" ? { bodyId } : {}),
		},
	];
}

function readBodies(value: JsonObject): ExchangeBodies {
	const request = readBody(value["request"]);
	const response = readBody(value["response"]);
	const told = readBody(value["told"]);
	const requestHeaders = readHeaders(value["requestHeaders"]);
	const responseHeaders = readHeaders(value["responseHeaders"]);
	return {
		...(request === undefined ? {} : { request }),
		...(response === undefined ? {} : { response }),
		...(told === undefined ? {} : { told }),
		...(requestHeaders === undefined ? {} : { requestHeaders }),
		...(responseHeaders === undefined ? {} : { responseHeaders }),
		hidden: numberOf(value["hidden"]),
	};
}

function readBody(value: Json | undefined): ExchangeBodies["request"] {
	if (!isJsonObject(value)) return undefined;
	if (value["kind"] === "whole" && value["value"] !== undefined) return { kind: "whole", value: value["value"] };
	if (value["kind"] !== "head") return undefined;
	const { text, length, sha256 } = value;
	return {
		kind: "head",
		text: textOf(text),
		length: numberOf(length),
		...(typeof sha256 === "string" ? { sha256 } : {}),
	};
}

function readHeaders(value: Json | undefined): ExchangeBodies["requestHeaders"] {
	if (!isJsonObject(value)) return undefined;
	return Object.fromEntries(
		Object.entries(value).flatMap(([name, text]) => (typeof text === "string" ? [[name, text]] : [])),
	);
}
