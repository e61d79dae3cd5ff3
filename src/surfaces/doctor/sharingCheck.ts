import { oneLine } from "../../base/text.ts";
import { momentWords, starterNames, starters, startPlaces, type PlaceId } from "../../servers/otherHosts/startFacts.ts";
import { whoStartsWhat } from "../../servers/otherHosts/remarks.ts";
import { isSameServer, type PlacedServer, type PlaceFile } from "../../setup/entries/whoStarts.ts";
import type { DoctorFacts } from "./facts.ts";
import type { Finding, Fix } from "./finding.ts";

const show: readonly Fix[] = [{ kind: "command", title: "Show Who Starts What", command: whoStartsWhat.id }];

/** Most processes that a finding names. */
const mostNamed = 10;

/** The other hosts of the same server: those that run it now, and those that start it with a window. */
export function checkStarts({ state, elsewhere, startedWithWindow }: StartingFacts): readonly Finding[] {
	const findings: Finding[] = [];
	const others = elsewhere.slice(0, mostNamed).map(({ by, pid }) => `${oneLine(by, 60)} (pid ${pid})`);
	if (others.length > 0) {
		const all = state.kind === "running" ? ["MCP Host", ...others] : others;
		const times = all.length === 1 ? "outside of MCP Host" : all.length === 2 ? "twice" : `${all.length} times`;
		findings.push({
			layer: "sharing",
			weight: all.length === 1 ? "note" : "warning",
			what: `The server runs ${times}: by ${all.join(", ")}.`,
			why: "Each process is a separate server. Rules and confirmations of MCP Host apply only to the process that MCP Host runs.",
			fixes: show,
		});
	}
	if (startedWithWindow !== undefined) {
		const { hosts, file } = startedWithWindow;
		findings.push({
			layer: "sharing",
			weight: "note",
			what: `The same server is in ${oneLine(file, 200)}: ${hosts} starts it ${momentWords.window}, without asking.`,
			why: "VS Code starts that program for an account check, even if no chat is open. Remove the entry there to avoid this.",
			fixes: show,
		});
	}
	return findings;
}

/** The facts that it is about. */
export type StartingFacts = Pick<DoctorFacts, "elsewhere" | "startedWithWindow"> & {
	readonly state: Pick<DoctorFacts["state"], "kind">;
};

/** The file by which a host starts a server when a window opens, if one has it. */
export function startedWithWindow(
	files: readonly PlaceFile[],
	server: Omit<PlacedServer, "name">,
): DoctorFacts["startedWithWindow"] {
	const found = files.find(
		({ place, servers }) => hostsOf(place).length > 0 && servers.some((one) => isSameServer(one, server)),
	);
	return found && { file: found.path, hosts: hostsOf(found.place).join(", ") };
}

/** The hosts that start the servers of a place when a window opens. */
function hostsOf(place: PlaceId): readonly string[] {
	const facts = startPlaces.find(({ id }) => id === place)?.facts ?? {};
	return starters.filter((host) => facts[host]?.when === "window").map((host) => starterNames[host]);
}
