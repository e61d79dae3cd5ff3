/**
 * Any other server, with what it receives written down: `node relay.ts --log path -- command [argument…]`. Passes on what comes
 * and goes as it is, and ends with it.
 */
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { recorderFromProcess, recordStdio } from "./received.ts";

const { positionals } = parseArgs({ options: { log: { type: "string" } }, allowPositionals: true });
const [command, ...args] = positionals;
if (command === undefined) throw new Error("No command is given.");

recordStdio(recorderFromProcess());
const server = spawn(command, args, { stdio: ["pipe", "inherit", "inherit"] });
// Tells nobody: its exit, which follows, ends this process too.
server.stdin.on("error", () => undefined);
process.stdin.pipe(server.stdin);
server.once("exit", (code) => process.exit(code ?? 1));
