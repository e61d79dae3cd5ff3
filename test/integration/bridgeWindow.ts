/**
 * A window that shares its servers, as a process of its own: `bridgeWindow.ts FOLDER WORKSPACE`. It has no servers,
 * allows every program, and writes a line once it shares.
 */
import { mkdirSync, realpathSync } from "node:fs";
import { Store } from "../../src/base/store/store.ts";
import { ResourceWatches } from "../../src/features/resources/subscriptions.ts";
import { Bridge } from "../../src/surfaces/bridge/bridge.ts";
import { ClientKeys } from "../../src/surfaces/bridge/clientKeys.ts";
import { ClientConsents } from "../../src/surfaces/bridge/consents.ts";
import { directoryOf, User } from "../unit/features/tools/toolSession.ts";

const [folder = "", workspace = ""] = process.argv.slice(2);
mkdirSync(workspace, { recursive: true });
const shared = new Store({ folder: undefined, onProblem: () => undefined });
const { policy, pins, approvals } = new User({ kind: "deny" });
const notes = { note: () => undefined };
const now = (): number => performance.now();
const home = "/home/nobody";
const secrets = {
	get: async () => undefined,
	store: async () => undefined,
	delete: async () => undefined,
	keys: async () => [],
};
const bridge = new Bridge({
	consents: new ClientConsents({ journal: shared.journal("agents"), notes, ask: async () => true, home, now }),
	keys: new ClientKeys({
		secrets,
		notes,
	}),
	secrets,
	version: "0.0.0",
	directory: directoryOf(),
	policy,
	pins,
	approvals,
	notes,
	refreshRules: async () => undefined,
	mostUnasked: () => 100,
	now,
	callerOf: ({ during }) => ({ during, list: () => undefined }),
	start: async () => ({ kind: "stopped" }),
	makeWatches: (listener) => new ResourceWatches(directoryOf(), listener),
	folder,
	workspaceFolders: async () => [realpathSync(workspace)],
	home,
	shared,
	log: { info: () => undefined, error: (message) => void process.stderr.write(`${message}\n`) },
});
await bridge.turn(true);
process.stdout.write("shares\n");
