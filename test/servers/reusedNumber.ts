/**
 * A stranger that gets the process id of a server that ended: `unshare … node reusedNumber.ts`, in a namespace of
 * process ids of its own, since it sets which id comes next. Prints one line of JSON: the server's id, the stranger's,
 * and whether the stranger lives after the watchdog of that server noticed its host's end.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { readProcess } from "../../src/protocol/stdio/processTable.ts";
import { watchdogScript } from "../../src/protocol/stdio/watchdogPrograms.ts";

const sleeper = (): ChildProcess => spawn("sleep", ["60"], { detached: true, stdio: "ignore" });

const server = sleeper();
const number = server.pid ?? -1;
const startedAt = readProcess(number)?.startedAt;
// With its steps on standard error: it must have found the server before that one ends.
const watchdog = spawn("/bin/sh", ["-xc", watchdogScript], { stdio: ["pipe", "ignore", "pipe"], detached: true });
let steps = "";
await new Promise<void>((known) => {
	watchdog.stderr.on("data", (chunk: Buffer) => {
		steps += chunk.toString();
		if (new RegExp(`groups='? ${number}:\\d+`).test(steps)) known();
	});
	watchdog.stdin.write(`+ ${number}\n`);
});
server.kill("SIGKILL");
await once(server, "exit");
const successor = (): ChildProcess => {
	writeFileSync("/proc/sys/kernel/ns_last_pid", String(number - 1));
	return sleeper();
};
let stranger = successor();
// The system reports starts in hundredths of a second: one of the same hundredth cannot be distinguished from the server.
while (readProcess(number)?.startedAt === startedAt) {
	stranger.kill("SIGKILL");
	await once(stranger, "exit");
	stranger = successor();
}
watchdog.stdin.end();
await once(watchdog, "exit");
const lives = readProcess(number)?.isZombie === false;
process.stdout.write(`${JSON.stringify({ server: number, stranger: stranger.pid, lives })}\n`);
stranger.kill("SIGKILL");
process.exit();
