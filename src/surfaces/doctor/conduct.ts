import type { Exchange, TraceReader } from "../../records/trace/exchange.ts";
import type { Session } from "../../servers/sessions/session.ts";
import { checkProtocol } from "../trace/protocolCheck.ts";
import { checkActively } from "./activeChecks.ts";
import type { Conduct } from "./facts.ts";

/** How many of the latest exchanges are looked at. */
const mostExchanges = 200;
const mostMisfits = 200;
/** How long all questions may take, in milliseconds. */
const longestMs = 60_000;
/** The messages of a server during a call. */
const said: ReadonlySet<string> = new Set(["progress", "log", "notification", "serverRequest"]);

/** How a server has kept to the protocol since its last start, and how it answers now. */
export async function conductOf(session: Session, trace: Pick<TraceReader, "snapshot" | "body">): Promise<Conduct> {
	const answers = await checkActively(session, AbortSignal.timeout(longestMs));
	const { departures = [], definition, state } = session;
	const own = trace.snapshot(0).exchanges.filter(({ server }) => server === definition.id);
	const latest = Math.max(...own.map(({ generation }) => generation));
	const misfits: Conduct["misfits"][number][] = [];
	for (const exchange of own.filter(({ generation }) => generation === latest).slice(-mostExchanges)) {
		for (const one of await misfitsOf(exchange, trace)) if (misfits.length < mostMisfits) misfits.push(one);
	}
	const lists = [
		{ method: "tools/list", status: session.tools.status },
		{ method: "prompts/list", status: session.prompts.status },
		{ method: "resources/list", status: session.resources.status },
		{ method: "resources/templates/list", status: session.resourceTemplates.status },
	];
	return { departures: [...departures], answers, misfits, lists: state.kind === "running" ? lists : [] };
}

/** The mismatches in the messages of an exchange that the server sent. */
async function misfitsOf(exchange: Exchange, trace: Pick<TraceReader, "body">): Promise<Conduct["misfits"]> {
	const { request, response } = trace.body(exchange.id) ?? {};
	const own = exchange.direction === "out" ? response && { response } : request && { request };
	const verdict = own && (await checkProtocol({ ...own, hidden: 0 }, { exchange, child: undefined }));
	const { method: message } = exchange;
	const found = verdict?.found.map((one) => Object.assign({ message }, one)) ?? [];
	const below = await Promise.all(
		exchange.children.map(async ({ kind, bodyId, label }, child) => {
			if (bodyId === undefined || !said.has(kind)) return [];
			const { request: told } = trace.body(exchange.id, bodyId) ?? {};
			const inner = told && (await checkProtocol({ request: told, hidden: 0 }, { exchange, child }));
			return inner?.found.map((one) => Object.assign({ message: label }, one)) ?? [];
		}),
	);
	return [...found, ...below.flat()];
}
