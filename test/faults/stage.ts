import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { JsonObject } from "../../src/base/json.ts";
import type { ServerSession } from "../../src/servers/sessions/serverSession.ts";
import type { SessionState } from "../../src/servers/sessions/session.ts";
import { TestHost } from "../integration/testHost.ts";
import { complaintsOfCalls, complaintsOfLog, makeCall, type Call, type CallOutcome } from "./calls.ts";
import { markName, processesWith } from "./census.ts";
import { serverSideOf, type Carrier, type FaultCase, type Phase } from "./fault.ts";
import { startHttpFaultServer, type HttpFaultServer } from "./httpServer.ts";
import { OtherWindow } from "./otherWindow.ts";
import { now, stretch } from "./pace.ts";
import { ServerFiles } from "./serverFiles.ts";
import type { Shape } from "./shapes.ts";
import { Sibling } from "./sibling.ts";
import { describe } from "./stateWords.ts";
import { inTime, until } from "./waiting.ts";

/** Times of the host where a fault gives no shorter ones, in milliseconds: a busy machine must not look like a fault. */
const patientTimes = {
	handshakeMs: 20_000 * stretch,
	// The product's own: faults answer the era probe just before and after it.
	probeMs: 3000,
	requestMs: 20_000 * stretch,
	maxRequestMs: 25_000 * stretch,
};
/** Small caps, so that going over them costs little. */
const caps = {
	limits: { maxMessageBytes: 4 * 1024 * 1024, maxResponseBytes: 4 * 1024 * 1024, maxJsonDepth: 256 },
	listLimits: { pages: 60 },
};

/** The place of Node's compile cache, so that the many small servers start soon. Set for the lanes by `run.ts`. */
const { NODE_COMPILE_CACHE: cacheFolder } = process.env;
const compileCache = cacheFolder === undefined ? {} : { NODE_COMPILE_CACHE: cacheFolder };

/** A correct server, in a process of its own. */
const healthyConfig: JsonObject = {
	command: process.execPath,
	args: [resolve(import.meta.dirname, "../servers/faulty.ts"), "legacyOnly"],
	env: compileCache,
	protocol: "legacy",
};

/** A host with a healthy server and a faulty one, for one case. */
export class Stage implements AsyncDisposable {
	testHost = new TestHost({ ...patientTimes, ...caps });
	/** The states of the faulty server, oldest first. */
	readonly states: SessionState[] = [];
	readonly outcomes: CallOutcome[] = [];
	readonly files: ServerFiles;
	readonly healthyConfig = healthyConfig;
	/** When the case began, in milliseconds of the monotonic clock. */
	readonly openedAt = performance.now();
	/** The faulty server, when it is one over HTTP. */
	http: HttpFaultServer | undefined;
	private readonly faultCase: FaultCase;
	private readonly mark: string;
	private readonly serverFolder: string;
	private sibling: Sibling | undefined;
	private watched: ServerSession | undefined;
	/** The sessions that carried the calls, by nonce: a server that is configured again has another one. */
	private readonly carriers = new Map<string, ServerSession>();

	/** `mark` marks the processes of the faulty server; `folder` is the place of its records, its own by default. */
	constructor(faultCase: FaultCase, mark: string, folder = mkdtempSync(join(tmpdir(), "mcp-fault-"))) {
		this.faultCase = faultCase;
		this.mark = mark;
		this.serverFolder = folder;
		mkdirSync(folder, { recursive: true });
		this.files = new ServerFiles(this.serverFolder);
	}

	/** The session of the faulty server. */
	get session(): ServerSession {
		return this.testHost.session("faulty");
	}

	/** The living processes that the faulty server started, itself among them. */
	get processes(): readonly number[] {
		return processesWith(this.mark);
	}

	/** The nonces that the faulty server counted. */
	get counted(): readonly string[] {
		return this.http?.counted ?? this.files.notes("counted");
	}

	/** How often the fault struck. */
	get strikes(): number {
		return this.http?.strikes ?? this.files.notes("struck").length;
	}

	/** How often the host sent requests to the faulty server. */
	requests(method: string): number {
		if (this.http === undefined) return this.files.notes("request").filter((one) => one === method).length;
		return this.http.arrived.filter(({ message }) => message?.["method"] === method).length;
	}

	/** The problem of the healthy server, and its longest silence. */
	get siblingReport(): { readonly complaint: string | undefined; readonly longestSilence: number } {
		const { complaint, longestSilence = 0 } = this.sibling ?? {};
		return { complaint, longestSilence };
	}

	/** The configuration of the case's server over standard input and output. */
	stdioConfig(shape: Shape = "obedient"): JsonObject {
		return {
			command: process.execPath,
			args: [resolve(import.meta.dirname, "stdioServer.ts"), this.faultCase.id, this.serverFolder, shape],
			env: { [markName]: this.mark, ...compileCache },
			protocol: "legacy",
		};
	}

	/** Configures the healthy server and, if given, the faulty one, which is approved but not started. */
	async configure(faulty: JsonObject | undefined): Promise<void> {
		await this.testHost.configure(
			faulty === undefined ? { healthy: healthyConfig } : { healthy: healthyConfig, faulty },
		);
		if (faulty === undefined || this.watched === this.session) return;
		this.watched = this.session;
		this.watched.onDidChangeState((state) => this.states.push(state));
	}

	/** Starts the case's server, if it is not a process of the host, and configures it. */
	async serve(carrier: Carrier): Promise<void> {
		const { fault, phase } = this.faultCase;
		const side = serverSideOf(fault);
		const { protocol = "legacy", headers = {} } = side;
		if (carrier === "stdio") {
			await this.configure({ ...this.stdioConfig(), protocol });
			return;
		}
		this.http = await startHttpFaultServer(side, phase, carrier);
		const url = side.url?.(this.http.url) ?? this.http.url;
		await this.configure({ type: carrier, url, headers: { ...headers }, protocol });
	}

	/** Starts the healthy server and calls it from now on. */
	async startSibling(): Promise<void> {
		const healthy = this.testHost.session("healthy");
		const state = await this.testHost.host.start(healthy.definition.id);
		if (state.kind !== "running") throw new Error(`The healthy server is ${describe(state)}`);
		this.sibling = new Sibling(healthy);
	}

	/** Starts, or starts again, the faulty server as a user does by a command. */
	start(isRestart = false): Promise<SessionState> {
		return inTime(this.testHost.host.start(this.session.definition.id, isRestart), "the start came to an end");
	}

	/** Starts the faulty server and throws when it does not run. */
	async run(isRestart = false): Promise<void> {
		const state = await this.start(isRestart);
		if (state.kind !== "running") throw new Error(`It should run but is ${describe(state)}`);
	}

	/** Calls the faulty server and records the outcome; never rejects. */
	async call(wanted: Call = {}): Promise<CallOutcome> {
		const { method = "tools/call", tool = "count" } = wanted;
		const nonce = `${method === "tools/call" ? tool : method}-${this.outcomes.length}-${Math.random().toString(36).slice(2)}`;
		const index = this.outcomes.push({ nonce, kind: "lost", text: "" }) - 1;
		this.carriers.set(nonce, this.session);
		const outcome = await makeCall(this.session, nonce, wanted);
		this.outcomes[index] = outcome;
		return outcome;
	}

	/** Throws unless a call of a tool returns its input. */
	async callsWork(tool = "count"): Promise<void> {
		const { kind, text, nonce, code } = await this.call({ tool });
		if (kind !== "result" || text !== nonce) throw new Error(`A call of ${tool} ended with ${kind} ${code}: ${text}`);
	}

	/** Lets the fault strike an idle server. */
	async strikeIdle(): Promise<void> {
		await this.callsWork("arm");
		await this.until(() => this.strikes > 0, "the fault struck");
	}

	/** The problems of the calls: by the server's count, and by the host's log of requests. */
	get callComplaints(): readonly string[] {
		const { session } = this;
		const own = this.outcomes.filter(({ nonce }) => nonce.startsWith("count") && this.carriers.get(nonce) === session);
		return [...complaintsOfCalls(this.outcomes, this.counted), ...complaintsOfLog(session.requestLog, own)];
	}

	/** Restores the host's times that the fault had shortened. */
	bePatient(): void {
		Object.assign(this.testHost.timeouts, patientTimes);
	}

	/** Switches the fault off, and lets the configuration name the server's address. */
	async heal(): Promise<void> {
		this.files.heal();
		this.http?.heal();
		const { carrier, fault } = this.faultCase;
		if (this.http !== undefined && fault.url !== undefined) {
			await this.configure({ type: carrier, url: this.http.url, protocol: "legacy" });
		}
	}

	/** Waits for a condition; throws when it does not come true. */
	until(condition: () => boolean, what: string, withinMs?: number): Promise<void> {
		return until(condition, what, withinMs);
	}

	/** Waits until no process of the faulty server is left; throws when some remain. */
	async allEnded(withinMs: number): Promise<void> {
		const end = now() + withinMs;
		for (let left = this.processes.length; left > 0; left = this.processes.length) {
			if (now() > end) throw new Error(`${left} processes live on after ${withinMs} ms`);
			await setTimeout(60);
		}
	}

	/** Ends the calls of the healthy server, before it is stopped on purpose. */
	async dismissSibling(): Promise<void> {
		await this.sibling?.stop();
	}

	/** Closes the window and opens another with the same configuration; the healthy server is not started again. */
	async reopen(config: JsonObject): Promise<void> {
		await this.dismissSibling();
		await this.testHost[Symbol.asyncDispose]();
		this.testHost = new TestHost({ ...patientTimes, ...caps });
		await this.configure(config);
	}

	/** Another window, whose faulty server is this one. */
	openOther(): OtherWindow {
		return new OtherWindow(this.faultCase.id, this.mark, this.serverFolder);
	}

	/** Brings the faulty server into the phase; in a call, returns the pending calls. */
	async reach(phase: Phase): Promise<readonly Promise<CallOutcome>[]> {
		if (phase === "handshake") {
			void this.start();
			await this.until(() => this.strikes > 0, "the handshake began");
			return [];
		}
		await this.run();
		if (phase === "idle") return [];
		const calls = [this.call(), this.call()];
		await this.until(() => this.strikes === 2, "the calls arrived");
		return calls;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.dismissSibling();
		await this.testHost[Symbol.asyncDispose]();
		await this.http?.[Symbol.asyncDispose]();
		rmSync(this.serverFolder, { recursive: true, force: true });
	}
}
