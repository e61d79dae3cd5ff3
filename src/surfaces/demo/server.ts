/**
 * The demo travel server over stdio, in both eras of the protocol. Run by VS Code's own Node, so that it needs no
 * installation: `node demoServer.js [--step <ms>] [--board <ms>]`. It ends when its standard input does.
 */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { parseArgs } from "node:util";
import { createTravelServer } from "./serving/travelServer.ts";
import { createWorld } from "./serving/world.ts";

const { values } = parseArgs({
	options: {
		/** Milliseconds that each step of a tool's pretended work takes. */
		step: { type: "string", default: "300" },
		/** Milliseconds between two updates of the flight board. */
		board: { type: "string", default: "20000" },
	},
});
const world = createWorld(new Date(), { step: Number(values.step), board: Number(values.board) });

serveStdio(({ era }) => createTravelServer(world, era), {
	onerror: (error) => process.stderr.write(`${error.message}\n`),
});
