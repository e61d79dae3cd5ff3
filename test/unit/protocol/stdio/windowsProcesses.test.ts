import { PassThrough } from "node:stream";
import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import type { ServerProcess } from "../../../../src/protocol/stdio/childProcess.ts";
import { endWindowsProcess } from "../../../../src/protocol/stdio/endWindowsProcess.ts";
import {
	parseWindowsProcesses,
	type WindowsProcess,
	windowsTree,
} from "../../../../src/protocol/stdio/windowsProcesses.ts";

/** As PowerShell prints them: a server behind `npx.cmd`, and others. */
const answer = [
	"0 0 -11644473600000",
	"4 0 1000",
	"900 4 2000",
	"1000 900 5000",
	"1004 1000 5100",
	"1008 1004 5200",
	"1012 1008 5300",
	"2000 1 5000",
	"",
].join("\r\n");
const byNumber = (one: number, other: number): number => one - other;
const processes = parseWindowsProcesses(answer);
const pids = (found: readonly WindowsProcess[]): readonly number[] => found.map(({ pid }) => pid).toSorted(byNumber);

describe("The processes below one of Windows", () => {
	it("are all that descend from it", () => {
		expect(processes).toHaveLength(7);
		expect(pids(windowsTree([{ pid: 1000, knownAt: 5050, endedAt: undefined }], processes))).toEqual([
			1000, 1004, 1008, 1012,
		]);
	});

	it("are found when it is gone, as Windows ends it with the host (PRC-03)", () => {
		const left = processes.filter(({ pid }) => pid !== 1000);
		expect(pids(windowsTree([{ pid: 1000, knownAt: 5050, endedAt: 9000 }], left))).toEqual([1004, 1008, 1012]);
	});

	it("are not those of another process that has its number by now (PRC-14)", () => {
		const reused = [
			{ pid: 1000, parent: 900, madeAt: 9500 },
			{ pid: 3000, parent: 1000, madeAt: 9600 },
		];
		expect(windowsTree([{ pid: 1000, knownAt: 5050, endedAt: 9000 }], reused)).toEqual([]);
		// A child that is older than its parent has a parent whose number was given out again.
		const older = [
			{ pid: 1000, parent: 900, madeAt: 5000 },
			{ pid: 3000, parent: 1000, madeAt: 4000 },
		];
		expect(pids(windowsTree([{ pid: 1000, knownAt: 5050, endedAt: undefined }], older))).toEqual([1000]);
	});

	it("are each there once, even in a circle of numbers", () => {
		const circle = [
			{ pid: 1, parent: 2, madeAt: 10 },
			{ pid: 2, parent: 1, madeAt: 10 },
		];
		expect(pids(windowsTree([{ pid: 1, knownAt: 20, endedAt: undefined }], circle))).toEqual([1, 2]);
	});
});

/** A Windows with processes that end when they are ended, and a server whose end the test decides. */
class Windows {
	living: WindowsProcess[];
	readonly ended: (readonly number[])[] = [];
	/** Whether its own programs end nothing, as where a policy forbids them. */
	refuses = false;
	readonly server: ServerProcess;
	private readonly state = Object.assign(new EventEmitter(), {
		exitCode: null as number | null,
		signalCode: null,
		stdin: new PassThrough(),
		kill: (): void => this.exit(1000),
	});

	constructor(living: readonly WindowsProcess[], onInputEnd: (windows: Windows) => void) {
		this.living = [...living];
		this.server = this.state as unknown as ServerProcess;
		this.state.stdin.on("finish", () => onInputEnd(this));
	}

	exit(pid: number): void {
		this.living = this.living.filter((one) => one.pid !== pid);
		if (pid !== 1000) return;
		this.state.exitCode = 0;
		this.state.emit("exit");
	}

	async end(): Promise<boolean> {
		return endWindowsProcess(this.server, 1000, {
			read: async () => this.living,
			kill: async (targets, withTree) => {
				this.ended.push(targets);
				if (this.refuses) return;
				const all = withTree ? [...targets, 1004] : targets;
				for (const pid of all) this.exit(pid);
			},
		});
	}
}

describe("A server of Windows that is stopped (PRC-02)", () => {
	it("ends on its own when its input ends, and nothing else is ended", async () => {
		const windows = new Windows(processes, (one) => {
			for (const pid of [1012, 1008, 1004, 1000]) one.exit(pid);
		});
		expect(await windows.end()).toBe(true);
		expect(windows.ended).toEqual([]);
	});

	it("leaves no process behind whose parents obeyed, as a server behind npx", async () => {
		const windows = new Windows(processes, (one) => {
			for (const pid of [1004, 1008, 1000]) one.exit(pid);
		});
		expect(await windows.end()).toBe(true);
		expect(windows.ended).toEqual([[1012]]);
		expect(pids(windows.living)).toEqual([4, 900, 2000]);
	});

	it("is ended with all below it when it does not obey", async () => {
		const windows = new Windows(processes, () => undefined);
		expect(await windows.end()).toBe(true);
		expect(windows.ended[0]?.toSorted(byNumber)).toEqual([1000, 1004, 1008, 1012]);
	});

	it("is ended where the programs of Windows are forbidden", async () => {
		const windows = new Windows([], () => undefined);
		windows.refuses = true;
		expect(await windows.end()).toBe(true);
	});

	it("is ended as a tree where the system lists no processes", async () => {
		const windows = new Windows([], () => undefined);
		expect(await windows.end()).toBe(true);
		expect(windows.ended).toEqual([[1000]]);
	});
});
