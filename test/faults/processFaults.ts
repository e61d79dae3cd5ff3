import assert from "node:assert/strict";
import { closeSync, readdirSync } from "node:fs";
import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "../../src/base/json.ts";
import {
	ends,
	everyCarrier,
	everyPhase,
	settles,
	type Fault,
	type Misbehaviour,
	type Phase,
	type Procedure,
} from "./fault.ts";
import { now } from "./pace.ts";
import { stubbornShapes, type Shape } from "./shapes.ts";
import type { Stage } from "./stage.ts";

/** How long processes may take from the order to the end, in milliseconds. */
const goneMs = 5000;
const goneAfterKillMs = 10_000;

/** A server of some shape that must end, with all that it started, after an action on it. */
function leaving(
	row: string,
	title: string,
	shape: Shape,
	order: (stage: Stage) => Promise<unknown>,
	phases: readonly Phase[] = everyPhase,
): Procedure {
	return {
		row,
		title: `${title}: ${shape}`,
		phases,
		carriers: ["stdio"],
		async run(stage, phase) {
			await stage.configure(stage.stdioConfig(shape));
			const calls = await stage.reach(phase);
			assert.ok(stage.processes.length > 0, "no process was started");
			const startedAt = now();
			await order(stage);
			await stage.allEnded(goneMs);
			const tookMs = now() - startedAt;
			assert.ok(tookMs <= goneMs + 300, `that took ${Math.round(tookMs)} ms`);
			for (const { kind } of await Promise.all(calls)) assert.equal(kind, "error", "a call came to no error");
			if (stage.testHost.host.registry.sessions.length < 2) await stage.configure(stage.stdioConfig());
		},
	};
}

const closeWindow = (stage: Stage): Promise<void> => stage.reopen(stage.stdioConfig());
const stop = (stage: Stage): Promise<void> => stage.session.stop();
const remove = (stage: Stage): Promise<void> => stage.configure(undefined);

function killHost(shape: Shape, phases: readonly Phase[] = everyPhase): Procedure {
	return {
		row: "PRC-03",
		title: `the host is killed: ${shape}`,
		phases,
		carriers: ["stdio"],
		async run(stage, phase) {
			using other = stage.openOther();
			await other.order("configure", stage.stdioConfig(shape));
			const started = other.order("start");
			if (phase !== "handshake") {
				assert.equal((await started)?.kind, "result", "the other window's server did not start");
			}
			if (phase === "call") void other.order("call");
			if (phase !== "idle") await stage.until(() => stage.strikes > 0, "the other window's server was asked");
			other.signal("SIGKILL");
			await stage.allEnded(goneAfterKillMs);
		},
	};
}

/** How many file descriptors this process has open (Linux). */
function openFiles(): number {
	return readdirSync("/proc/self/fd").length;
}

/** Faults of processes and of the windows that they belong to. */
export const processFaults: readonly Fault[] = [
	...(["obedient", ...stubbornShapes] as const).map((shape) =>
		leaving("PRC-01", "the window is closed", shape, closeWindow),
	),
	...(["wrapper", "shell", "forkTree", "deafTree"] as const).map((shape) =>
		leaving("PRC-02", "a stop of what was started deep down", shape, stop),
	),
	...(["obedient", ...stubbornShapes] as const).map((shape) =>
		killHost(shape, shape === "obedient" || shape === "deafTree" ? everyPhase : ["idle"]),
	),
	leaving("PRC-04", "a server that ignores SIGTERM", "deaf", stop),
	{
		row: "PRC-05",
		title: "the server ends in every handshake",
		phases: ["handshake"],
		carriers: ["stdio"],
		act: () => process.exit(1),
		async run(stage) {
			void stage.session.start({ isAutomatic: true });
			const isGivenUp = (): boolean => {
				const { state } = stage.session;
				return state.kind === "failed" && state.retryAt === undefined && stage.files.notes("start").length >= 5;
			};
			await stage.until(isGivenUp, "it was given up", 30_000);
			const starts = stage.files.notes("start").length;
			assert.ok(starts <= 6, `it was started ${starts} times`);
			const { state } = stage.session;
			assert.match(state.kind === "failed" ? state.message : "", /code 1|5 times/);
		},
	},
	{
		row: "PRC-05",
		title: "the server ends soon after every handshake",
		phases: ["idle"],
		carriers: ["stdio"],
		strikes: "tools/list",
		later: () => true,
		act: () => undefined,
		async run(stage) {
			await stage.run();
			for (let round = 0; round < 2; round++) {
				const [pid] = stage.processes;
				assert.ok(pid !== undefined);
				process.kill(pid, "SIGKILL");
				await stage.until(() => stage.session.state.kind === "failed", "the end was shown");
				const { state } = stage.session;
				assert.ok(state.kind === "failed" && state.retryAt !== undefined, "nothing says when it is started again");
				await stage.until(() => stage.session.state.kind === "running", "it was started again by itself", 8000);
			}
			assert.equal(stage.files.notes("start").length, 3);
		},
	},
	{
		row: "PRC-06",
		title: "the server exits with 0 after the handshake",
		phases: ["handshake"],
		carriers: ["stdio"],
		strikes: "tools/list",
		act: () => process.exit(0),
		host: ends(/exited with code 0/),
	},
	{
		row: "PRC-06",
		title: "the server closes its output and lives on",
		phases: everyPhase,
		carriers: ["stdio"],
		act(turn) {
			turn.work();
			if (turn.nth > 1) return;
			closeSync(1);
			setTimeout(() => undefined, 60_000);
		},
		host: ends(/closed its standard output/),
	},
	{
		row: "PRC-06",
		title: "the server leaves a daemon behind and exits",
		phases: everyPhase,
		carriers: ["stdio"],
		act(turn) {
			turn.work();
			spawn("sleep", ["2"], { detached: true, stdio: "inherit" });
			process.exit(0);
		},
		host: ends(/exited with code 0/),
	},
	...(["exit", "SIGKILL", "SIGSEGV"] as const).map((way): Misbehaviour => ({
		row: "PRC-07",
		title: `the server ends by ${way}`,
		phases: everyPhase,
		carriers: ["stdio"],
		act(turn) {
			turn.work();
			if (way === "exit") process.exit(7);
			process.kill(process.pid, way);
		},
		host: ends(way === "exit" ? /exited with code 7/ : new RegExp(way)),
		async check(stage, phase) {
			if (phase === "handshake") return;
			await stage.until(() => stage.session.state.kind === "running", "it was started again by itself", 8000);
		},
	})),
	{
		row: "PRC-07",
		title: "the server goes away",
		phases: ["idle", "call"],
		carriers: ["http", "sse"],
		act: (turn) => void turn.work(),
		times: { requestMs: 1500 },
		async run(stage, phase) {
			const calls = await stage.reach(phase);
			await stage.http?.goAway();
			for (const { kind, code } of await Promise.all(calls)) {
				assert.equal(kind === "error" ? code : kind, "outcome-unknown");
			}
			Object.assign(stage.testHost.timeouts, { requestMs: 1500 });
			const { kind, text } = await stage.call();
			assert.equal(kind, "error", text);
			assert.match(text, /\w+ \w+ \w+/);
			await stage.http?.comeBack();
		},
	},
	{
		row: "PRC-08",
		title: "eighty starts, stops and restarts in any order",
		phases: ["idle"],
		carriers: ["stdio"],
		act: (turn) => turn.answer(),
		async run(stage) {
			const { session } = stage;
			let seed = 20_261_121;
			for (let step = 0; step < 80; step++) {
				// A fixed sequence that looks random, so that a failure can be repeated.
				seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
				const orders = [() => session.start(), () => session.stop(), () => session.restart()];
				const done = orders[(seed >> 8) % 3]?.();
				if ((seed >> 12) % 4 === 0) await done;
				assert.ok(stage.processes.length <= 1, `${stage.processes.length} processes at once`);
			}
			await session.stop();
			assert.deepEqual(stage.processes, []);
		},
	},
	{
		row: "PRC-09",
		title: "twenty reconnects",
		phases: ["idle"],
		carriers: everyCarrier,
		act: (turn) => turn.answer(),
		async run(stage) {
			await stage.run();
			await stage.run(true);
			const before = { files: openFiles(), resources: process.getActiveResourcesInfo().length };
			for (let round = 0; round < 20; round++) {
				await stage.run(true);
				if (round % 5 === 0) await stage.callsWork();
			}
			// A closed descriptor may take a moment to disappear.
			const isStable = (): boolean =>
				openFiles() <= before.files + 5 && process.getActiveResourcesInfo().length <= before.resources + 10;
			await stage.until(isStable, "open files and timers came back to what they were");
		},
	},
	{
		row: "PRC-10",
		title: "a server that uses a whole core",
		phases: ["idle"],
		carriers: ["stdio"],
		act: (turn) => turn.answer(),
		async run(stage) {
			await stage.configure(stage.stdioConfig("spinning"));
			await stage.run();
			await stage.callsWork();
			await sleep(1000);
			await stage.session.stop();
			assert.deepEqual(stage.processes, []);
			await stage.configure(stage.stdioConfig());
		},
	},
	{
		row: "PRC-10",
		title: "a server that never yields",
		phases: everyPhase,
		carriers: ["stdio"],
		act(turn) {
			turn.work();
			const end = performance.now() + 60_000;
			while (performance.now() < end);
		},
		times: { handshakeMs: 2500, requestMs: 500 },
		host: { handshake: ends(/did not answer the handshake/), idle: settles, call: settles },
		async check(stage, phase) {
			if (phase !== "handshake") assert.equal((await stage.call()).code, "timeout");
		},
	},
	{
		row: "PRC-11",
		title: "ten servers at once, and one hangs, one is missing, one ends",
		phases: ["handshake"],
		carriers: ["stdio"],
		async run(stage) {
			const { command, args, env } = stage.stdioConfig() as {
				command: string;
				args: readonly string[];
				env: JsonObject;
			};
			const odd: Readonly<Record<string, JsonObject>> = {
				hangs: stage.stdioConfig(),
				missing: { command: "no-such-command-here" },
				ends: { command, args: ["-e", "process.exit(3)"], env },
			};
			const good = Array.from({ length: 10 }, (_, index): readonly [string, JsonObject] => [
				`good-${index}`,
				{ command, args: goodServer(args), env },
			]);
			await stage.testHost.configure({ healthy: stage.healthyConfig, ...odd, ...Object.fromEntries(good) });
			void stage.testHost.host.startApproved();
			const states = (): readonly string[] => good.map(([name]) => stage.testHost.session(name).state.kind);
			await stage.until(() => states().every((kind) => kind === "running"), "all good servers run", 12_000);
			assert.equal(stage.testHost.session("missing").state.kind, "failed");
			await stage.configure(stage.stdioConfig());
		},
	},
	...(["obedient", "deafTree"] as const).map((shape) =>
		leaving("PRC-12", "the server is configured no more", shape, remove),
	),
];

/** The arguments of a correct server, in place of those of the faulty one. */
function goodServer([script = ""]: readonly string[]): readonly string[] {
	return [script.replace("faults/stdioServer.ts", "servers/faulty.ts"), "legacyOnly"];
}
