import { messageOf } from "../../src/base/errors.ts";
import type { SessionState } from "../../src/servers/sessions/session.ts";
import type { CallOutcome } from "./calls.ts";
import { endAll } from "./census.ts";
import { expectationOf, type Expectation, type FaultCase, type Misbehaviour, type Phase } from "./fault.ts";
import { stretch } from "./pace.ts";
import { Stage } from "./stage.ts";
import { describe } from "./stateWords.ts";

/** The effects of one fault on the host. */
export interface TrialResult {
	readonly id: string;
	readonly row: string;
	/** The problems; empty when the host survived. */
	readonly complaints: readonly string[];
	/** Calls that never ended. */
	readonly lost: number;
	/** Calls that the server carried out twice. */
	readonly doubled: number;
	/** Processes that were left when the host had gone. */
	readonly processesLeft: number;
	/** Whether the server could not be restarted by a command. */
	readonly isWedged: boolean;
	/** The longest silence of the healthy server, in milliseconds. */
	readonly silenceMs: number;
	/** The largest growth of the host's memory, in bytes. */
	readonly grewBytes: number;
	readonly ms: number;
}

/** More than the host's memory may ever grow by, in bytes. */
const mayGrowBytes = 200 * 1024 * 1024;
/** How long processes may take to end after the host let go, in milliseconds. */
const processesEndMs = 5000;
/** Characters that a server must never send to a terminal or a reader of logs: all controls except the tab. */
const control = /[^\t\P{Cc}]|\p{Bidi_Control}/u;

/** Uncaught errors of the whole process; each trial takes its own. */
const uncaught: string[] = [];
process.on("unhandledRejection", (reason) => uncaught.push(`unhandled rejection: ${inspected(reason)}`));
process.on("uncaughtException", (error) => uncaught.push(`uncaught exception: ${inspected(error)}`));

/** Injects one fault into a new host and returns its effects. Never rejects. */
export async function tryFault(faultCase: FaultCase, mark: string): Promise<TrialResult> {
	const complaints: string[] = [];
	const start = performance.now();
	const memory = watchMemory();
	const stage = new Stage(faultCase, mark);
	let isWedged = false;
	const attempt = async (work: () => Promise<void>): Promise<boolean> => {
		try {
			await work();
			return true;
		} catch (error) {
			complaints.push(messageOf(error));
			return false;
		}
	};
	const { fault, phase, carrier } = faultCase;
	await attempt(async () => {
		await stage.serve(carrier);
		await stage.startSibling();
		if ("run" in fault) await fault.run(stage, phase, carrier);
		else await misbehave(stage, phase, fault);
	});
	await attempt(() => stage.heal());
	stage.bePatient();
	isWedged = !(await attempt(() => recover(stage)));
	await stage.dismissSibling();
	await attempt(async () => void complaints.push(...stage.callComplaints));
	const { complaint, longestSilence } = stage.siblingReport;
	complaints.push(...(complaint === undefined ? [] : [complaint]), ...faultsOfLog(stage.testHost.log));
	const { outcomes, counted } = stage;
	await attempt(() => stage[Symbol.asyncDispose]());
	const left = await whatIsLeft(stage);
	if (left.length > 0) complaints.push(`${left.length} processes are left`);
	endAll(left);
	const grewBytes = memory.stop();
	if (grewBytes > mayGrowBytes) complaints.push(`the memory grew by ${Math.round(grewBytes / 1024 / 1024)} MB`);
	if (Object.hasOwn({}, "polluted") || "polluted" in {}) complaints.push("the prototype of all objects was changed");
	complaints.push(...uncaught.splice(0));
	return {
		id: faultCase.id,
		row: fault.row,
		complaints,
		lost: outcomes.filter(({ kind }) => kind === "lost").length,
		doubled: counted.length - new Set(counted).size,
		processesLeft: left.length,
		isWedged,
		silenceMs: Math.round(longestSilence),
		grewBytes,
		ms: Math.round(performance.now() - start),
	};
}

/** Has a server misbehave in the phase of the case, and checks the host's view. */
async function misbehave(stage: Stage, phase: Phase, fault: Misbehaviour): Promise<void> {
	const expectation = expectationOf(fault, phase);
	const { handshakeMs, ...times } = fault.times ?? {};
	// A handshake may have a process to start first.
	const slow = handshakeMs === undefined ? {} : { handshakeMs: handshakeMs * stretch };
	const shorten = (): void => void Object.assign(stage.testHost.timeouts, times, slow);
	let struck: readonly CallOutcome[] = [];
	if (phase === "handshake") {
		shorten();
		await stage.start();
	} else {
		await stage.run();
		await stage.until(() => stage.session.tools.status.kind === "ready", "the tools were listed");
		shorten();
		if (phase === "idle") await stage.strikeIdle();
		else {
			const call = fault.calls === undefined ? {} : { method: fault.calls };
			struck = await Promise.all([stage.call(call), stage.call(call)]);
		}
	}
	await compare(stage, phase, expectation, struck);
	await fault.check?.(stage, phase);
	if (stage.strikes === 0 && fault.url === undefined) throw new Error("The fault never struck: nothing was tested");
}

async function compare(
	stage: Stage,
	phase: Phase,
	expectation: Expectation,
	struck: readonly CallOutcome[],
): Promise<void> {
	const isDown = ({ kind }: SessionState): boolean => kind === "failed" || kind === "needs-sign-in";
	switch (expectation.kind) {
		case "settles": {
			const { state } = stage.session;
			if (state.kind !== "running" && !stage.states.some(isReadable)) {
				throw new Error(`It should run or say why not, but is ${describe(state)}`);
			}
			return;
		}
		case "works": {
			const wrong = struck.find(({ kind }) => kind !== "result");
			if (wrong !== undefined) throw new Error(`A call should have a result, but: ${wrong.code} ${wrong.text}`);
			const { state } = stage.session;
			if (state.kind !== "running") throw new Error(`It should run but is ${describe(state)}`);
			await stage.callsWork("echo");
			const ended = stage.states.find(isDown);
			if (ended !== undefined) throw new Error(`It should have run all along but was ${describe(ended)}`);
			return;
		}
		case "refuses": {
			if (phase === "handshake") {
				await stage.until(() => stage.session.tools.status.kind === "failed", "the list of tools failed");
				const { status } = stage.session.tools;
				if (status.kind === "failed") mustSay(expectation.words, status.message);
				return;
			}
			const calls = phase === "idle" ? [await stage.call()] : struck;
			for (const call of calls) mustFail(call, expectation);
			stage.bePatient();
			await stage.callsWork("echo");
			return;
		}
		case "ends": {
			await stage.until(() => stage.states.some(isDown), "the server was shown as failed");
			const said = stage.states.filter(isDown).map(describe);
			if (!said.some((words) => expectation.words.test(words))) mustSay(expectation.words, said.join(" | "));
			const codes = expectation.codes ?? ["outcome-unknown"];
			for (const call of struck) mustFail(call, { words: /./, codes });
		}
	}
}

function mustFail(
	{ kind, code, text }: CallOutcome,
	{ words, codes }: Pick<Extract<Expectation, { kind: "refuses" }>, "words" | "codes">,
): void {
	if (kind === "result") throw new Error("A call should have failed, but it has a result");
	if (kind === "lost" || code === undefined)
		throw new Error(`A call ended with ${kind}, which is no HostError: ${text}`);
	if (codes !== undefined && !codes.includes(code)) {
		throw new Error(`A call should fail as ${codes.join(" or ")}, but did as ${code}: ${text}`);
	}
	mustSay(words, text);
}

function mustSay(words: RegExp, text: string): void {
	if (!words.test(text)) throw new Error(`The reason should say ${words}, but says: ${text.slice(0, 300)}`);
}

function isReadable(state: SessionState): boolean {
	return (state.kind === "failed" || state.kind === "needs-sign-in") && /\w+ \w+/.test(state.message);
}

/** One command restarts the server. */
async function recover(stage: Stage): Promise<void> {
	try {
		await stage.run(true);
		await stage.callsWork();
	} catch (error) {
		throw new Error(`No recovery by a restart: ${messageOf(error)}`, { cause: error });
	}
}

function faultsOfLog(lines: readonly string[]): readonly string[] {
	// A further line of one entry is marked as such.
	const bad = lines.find((line) => control.test(line.replaceAll("\n  | ", " ")));
	return bad === undefined ? [] : [`the log holds control characters: ${JSON.stringify(bad.slice(0, 200))}`];
}

async function whatIsLeft(stage: Stage): Promise<readonly number[]> {
	await stage.allEnded(processesEndMs).catch(() => undefined);
	return stage.processes;
}

function watchMemory(): { stop(): number } {
	const before = process.memoryUsage.rss();
	let most = before;
	const look = (): void => void (most = Math.max(most, process.memoryUsage.rss()));
	const timer = setInterval(look, 20);
	return {
		stop() {
			clearInterval(timer);
			look();
			return most - before;
		},
	};
}

function inspected(error: unknown): string {
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
