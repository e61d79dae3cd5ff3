import { fork, spawnSync, type ChildProcess } from "node:child_process";
import { resolve } from "node:path";
import type { Sample } from "./doWork.ts";
import type { SideName } from "./side.ts";
import type { Order, Report } from "./worker.ts";
import type { WorkName } from "./workName.ts";

/** The process in which one side works. */
export class Worker {
	private readonly child: ChildProcess;
	private readonly isReady: Promise<Report>;

	/** @param isOnOneProcessor whether it and its servers run on one processor, where the system can bind them to it. */
	constructor(side: SideName, isOnOneProcessor = false) {
		const nodeArgs = ["--expose-gc", "--no-warnings"];
		const isBound = isOnOneProcessor && canBind();
		this.child = fork(resolve(import.meta.dirname, "worker.ts"), [side], {
			...(isBound && { execPath: "taskset" }),
			execArgv: isBound ? ["-c", "0", process.execPath, ...nodeArgs] : nodeArgs,
			stdio: ["ignore", "ignore", "inherit", "ipc"],
		});
		this.isReady = this.next();
		// It is awaited with the first work.
		this.isReady.catch(() => undefined);
	}

	/** Does one piece of work. @throws Error with the reason why it could not be done. */
	async run(run: WorkName, size: number): Promise<Sample> {
		await this.isReady;
		const answer = this.next();
		this.child.send({ run, size } satisfies Order);
		const report = await answer;
		if (report.kind === "done") return report.sample;
		throw new Error(report.kind === "failed" ? report.message : "The worker started anew.");
	}

	/** Ends the process; its servers see the end of their input. */
	end(): void {
		if (this.child.connected) this.child.disconnect();
	}

	private next(): Promise<Report> {
		return new Promise((answered, failed) => {
			const onExit = (code: number | null): void => failed(new Error(`The worker ended with code ${code}.`));
			this.child.once("exit", onExit);
			this.child.once("message", (report: Report) => {
				this.child.off("exit", onExit);
				answered(report);
			});
		});
	}
}

/** Whether the system can bind a process, and all that it starts, to a processor by `taskset`. */
function canBind(): boolean {
	return spawnSync("taskset", ["-c", "0", "true"]).status === 0;
}
