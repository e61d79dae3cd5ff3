import { Client as SdkClient } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { knowsNone } from "../../../src/base/secrets/writer.ts";
import { Store } from "../../../src/base/store/store.ts";
import { ResourceWatches } from "../../../src/features/resources/subscriptions.ts";
import { ToolApprovals } from "../../../src/features/tools/approval.ts";
import { PinnedDefinitions } from "../../../src/permissions/pinning/pinnedDefinitions.ts";
import { ActivityJournal } from "../../../src/records/activity/journal/activityJournal.ts";
import { Seal } from "../../../src/records/activity/journal/seal.ts";
import type { McpHost } from "../../../src/servers/host.ts";
import { Bridge } from "../../../src/surfaces/bridge/bridge.ts";
import { ClientConsents } from "../../../src/surfaces/bridge/consents.ts";
import { ClientKeys } from "../../../src/surfaces/bridge/clientKeys.ts";

const commandLine = resolve("dist/cli.js");
const ignore = (): undefined => undefined;

/** Another agent that reaches the servers of the host by `serve`, of a user whose rules allow every call. */
export class HostBridge {
	private readonly bridge: Bridge;
	private readonly client: SdkClient;
	private readonly folder: string;

	private constructor(bridge: Bridge, client: SdkClient, folder: string) {
		this.bridge = bridge;
		this.client = client;
		this.folder = folder;
	}

	static async open(core: McpHost): Promise<HostBridge> {
		const folder = mkdtempSync(join(tmpdir(), "mcp-host-bench-"));
		const data = join(folder, "data");
		const store = new Store({ folder: data, onProblem: ignore });
		const { registry, secrets } = core;
		const notes = new ActivityJournal({
			folder: data,
			window: "bench",
			isGone: () => false,
			bounds: () => ({ bytes: 20_000_000, days: 90 }),
			contents: () => "none",
			redactor: knowsNone,
			seal: async () => new Seal("key"),
			version: "1.0.0",
			onFault: ignore,
			now: Date.now,
		});
		const now = (): number => performance.now();
		const common = { notes, home: folder, now };
		const consents = new ClientConsents({ ...common, journal: store.journal("agents"), ask: async () => true });
		const bridge = new Bridge({
			...common,
			consents,
			keys: new ClientKeys({ secrets, notes }),
			secrets,
			version: "bench",
			directory: registry,
			policy: {
				decide: () => ({ decision: "allow", by: { kind: "rule", label: "a rule of the bench" } }),
				onDidChange: () => ({ dispose: ignore }),
			},
			pins: new PinnedDefinitions(registry, store),
			approvals: new ToolApprovals(core.pending, ignore),
			refreshRules: async () => undefined,
			mostUnasked: () => Number.POSITIVE_INFINITY,
			callerOf: ({ during }) => ({ during, list: ignore }),
			start: async (id) => registry.get(id)?.start({ isAutomatic: true }) ?? { kind: "stopped" },
			makeWatches: (listener) => new ResourceWatches(registry, listener),
			folder: join(folder, "meeting"),
			workspaceFolders: async () => [],
			shared: store,
			log: { info: ignore, error: ignore },
		});
		await bridge.turn(true);
		const client = new SdkClient({ name: "agent", version: "1" });
		const args = [commandLine, "serve", "--folder", join(folder, "meeting")];
		await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
		// The consent is given a moment after the first request.
		while ((await client.listTools()).tools.length === 0) await new Promise((wake) => setTimeout(wake, 20));
		return new HostBridge(bridge, client, folder);
	}

	call(name: string, args: Readonly<Record<string, number | string>>): Promise<unknown> {
		return this.client.callTool({ name, arguments: args });
	}

	async close(): Promise<void> {
		await this.client.close();
		this.bridge.dispose();
		rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
	}
}
