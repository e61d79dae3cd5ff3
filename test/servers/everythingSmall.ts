/**
 * The small server over stdio: `node everythingSmall.ts [--era both|legacy|modern] [--page-size n] [--log path]`.
 * `legacy` is a server from before 2026-07-28, `modern` one that supports nothing older.
 */
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { parseArgs } from "node:util";
import { recorderFromProcess, recordStdio } from "./received.ts";
import { smallServer, SmallWorld, type SmallServer } from "./smallServer.ts";

const { values } = parseArgs({
	options: {
		era: { type: "string", default: "both" },
		"page-size": { type: "string", default: "100" },
		log: { type: "string" },
	},
});
const world = new SmallWorld(Number(values["page-size"]));
let connection: SmallServer | undefined;
world.onDidChange((change) => void connection?.announce(change));
const connect = (): SmallServer["server"] => {
	connection = smallServer(world);
	return connection.server;
};

recordStdio(recorderFromProcess());
if (values.era === "legacy") await connect().connect(new StdioServerTransport());
else serveStdio(connect, { legacy: values.era === "modern" ? "reject" : "serve" });
