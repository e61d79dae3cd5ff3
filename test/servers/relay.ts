/**
 * Any other server, with its received messages recorded: `node relay.ts --log path -- command [argument…]`. Passes
 * messages on unchanged in both directions, and ends with it.
 */
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { recorderFromProcess, recordStdio } from "./received.ts";

const { positionals } = parseArgs({ options: { log: { type: "string" } }, allowPositionals: true });
const [command, ...args] = positionals;
if (command === undefined) throw new Error("No command is given.");

recordStdio(recorderFromProcess());
const server = spawn(command, args, { stdio: ["pipe", "inherit", "inherit"] });
// Reported to nothing: its exit, which follows, ends this process too.
server.stdin.on("error", () => undefined);
process.stdin.pipe(server.stdin);
server.once("exit", (code) => process.exit(code ?? 1));
