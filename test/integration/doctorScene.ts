import { machineProbes } from "../../src/surfaces/doctor/machineProbes.ts";
import { Examination } from "../../src/surfaces/doctor/examination.ts";
import { gatherFacts } from "../../src/surfaces/doctor/gatherFacts.ts";
import type { ServerView } from "../../src/surfaces/doctor/doctorProtocol.ts";
import { reportOf } from "../../src/surfaces/doctor/report.ts";
import type { JsonObject } from "../../src/base/json.ts";
import type { ShellOptions } from "../../src/surfaces/doctor/shellPath.ts";
import type { TestHost } from "./testHost.ts";

/** The doctor's findings for a server, and the report to paste. */
export interface Diagnosis {
	readonly server: ServerView;
	readonly report: string;
	readonly examination: Examination;
}

/** Has the doctor examine one server of a host as the product does. */
export async function diagnose(
	host: TestHost,
	name: string,
	servers: JsonObject,
	{ environment = process.env, ...shell }: Partial<ShellOptions> = {},
): Promise<Diagnosis> {
	const core = host.host;
	const examination = new Examination(
		{
			factsOf: (id) =>
				gatherFacts(
					{
						directory: core.registry,
						problems: () => [],
						whyNot: (definition) => core.whyNot(definition),
						resolve: (definition) => core.resolve(definition, () => false),
						textOf: async () => JSON.stringify({ "mcpHost.servers": servers }, undefined, "\t"),
						isWorkspaceTrusted: () => host.isWorkspaceTrusted,
						environment,
						costs: { of: () => undefined, isLazy: () => false, whyHidden: () => undefined },
						trace: host.trace,
						otherHost: () => undefined,
						// Tests that run at the same time have the same servers.
						elsewhere: async () => [],
						placeFiles: async () => [],
					},
					id,
				),
			entryFaults: () => [],
			probes: machineProbes({ environment, network: { environment }, ...shell }),
			redactor: core.secretsInUse,
		},
		[host.session(name).definition.id],
	);
	await examination.run();
	const [server] = examination.view.servers;
	if (server === undefined) throw new Error("The doctor looked at nothing.");
	const place = { extension: "0", editor: "1", system: "test", node: process.version };
	return { server, report: reportOf(examination.view, place), examination };
}
