/** The process of one side: `node worker.ts <side>`. Does the work that comes by IPC, one piece after the other. */
import { resolve } from "node:path";
import { doWork, type Sample } from "./doWork.ts";
import type { Side, SideName } from "./side.ts";
import type { WorkName } from "./workName.ts";

/** The order for a worker. */
export interface Order {
	readonly run: WorkName;
	readonly size: number;
}

/** The message of a worker: that it is ready, its measurement, or why it failed. */
export type Report =
	| { readonly kind: "ready" }
	| { readonly kind: "done"; readonly sample: Sample }
	| { readonly kind: "failed"; readonly message: string };

/** Where `run.ts` leaves the product's side, bundled and minified as it is shipped. */
export const bundlePath = resolve(import.meta.dirname, "../../test-output/bench/host.cjs");

/** The side in that bundle. */
interface HostSides {
	readonly host: Side;
}

const load: Readonly<Record<SideName, () => Promise<Side>>> = {
	raw: async () => (await import("./sides/raw.ts")).raw,
	"SDK v1": async () => (await import("./sides/sdkV1.ts")).sdkV1,
	"SDK v2": async () => (await import("./sides/sdkV2.ts")).sdkV2,
	"MCP Host": async () => ((await import(bundlePath)) as HostSides).host,
};

if (process.send !== undefined) await serve(process.argv[2] as SideName);

async function serve(name: SideName): Promise<void> {
	const side = await load[name]();
	const report = (message: Report): void => void process.send?.(message);
	process.on("message", ({ run, size }: Order) => {
		doWork[run](side, size).then(
			(sample) => report({ kind: "done", sample }),
			(error: unknown) => report({ kind: "failed", message: error instanceof Error ? error.message : String(error) }),
		);
	});
	process.on("disconnect", () => process.exit());
	report({ kind: "ready" });
}
