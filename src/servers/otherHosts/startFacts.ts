/**
 * Which of the editor's other hosts start the servers of which place, as it was measured (docs/who-starts-what.md). All texts
 * about it are made of this table: those of the question, the rows and the page, and those that docs/other-agents.md and
 * SECURITY repeat.
 */

/** A host that starts servers beside MCP Host: VS Code's own one, and the runtimes of agent sessions. */
export type Starter = "local" | "copilot" | "claude" | "codex";

/** The hosts in the order in which they are named. */
export const starters: readonly Starter[] = ["local", "copilot", "claude", "codex"];

/** The name of each host. */
export const starterNames: Readonly<Record<Starter, string>> = {
	local: "VS Code",
	copilot: "Copilot",
	claude: "Claude",
	codex: "Codex",
};

/** When a host starts the servers of a place, without a question. */
export type StartMoment = "message" | "chosen" | "window";

/** When in words, as a cell of the table. */
export const momentWords: Readonly<Record<StartMoment, string>> = {
	message: "first message",
	chosen: "when chosen, or first message",
	window: "when a window opens",
};

/** How a host starts the servers of a place. */
export interface StartFact {
	readonly when: StartMoment;
	/** `chat.mcp.access: none` keeps it from that: the servers reach the host through VS Code. */
	readonly isTurnedOff: boolean;
	/** It was not seen to start them in a remote window, and could not be looked at on a desktop. */
	readonly isUnproven?: true;
}

/** A place where servers are configured, for any reader. */
export interface StartPlace {
	readonly id: PlaceId;
	/** Its name in texts. */
	readonly name: string;
	readonly facts: Readonly<Partial<Record<Starter, StartFact>>>;
}

/** The places, by what they are. */
export type PlaceId = "vscode" | "root" | "user" | "extension" | "copilot" | "claude" | "codex" | "github";

/** The versions that the table was measured with. */
export const measuredWith =
	"VS Code 1.139.1 in a remote window on Linux, with Copilot runtime 1.0.85, Claude Code 2.1.332 and Codex 0.171.0";

const through = (when: StartMoment): StartFact => ({ when, isTurnedOff: true });
const directly = (when: StartMoment): StartFact => ({ when, isTurnedOff: false });
const unproven: StartFact = { when: "message", isTurnedOff: true, isUnproven: true };
const forwarded: StartPlace["facts"] = {
	local: through("message"),
	copilot: through("message"),
	claude: through("message"),
	codex: through("chosen"),
};

/** The table. */
export const startPlaces: readonly StartPlace[] = [
	{ id: "vscode", name: ".vscode/mcp.json", facts: { ...forwarded, copilot: unproven, claude: unproven } },
	{
		id: "root",
		name: ".mcp.json",
		facts: {
			local: through("message"),
			copilot: directly("message"),
			claude: directly("message"),
			codex: directly("chosen"),
		},
	},
	{ id: "user", name: "your user mcp.json", facts: forwarded },
	{ id: "extension", name: "other extensions", facts: forwarded },
	{ id: "copilot", name: "~/.copilot/mcp-config.json", facts: { copilot: directly("message") } },
	{ id: "claude", name: "~/.claude.json", facts: { claude: directly("window") } },
	{ id: "codex", name: "~/.codex/config.toml", facts: { codex: directly("chosen") } },
	{ id: "github", name: ".github/mcp.json", facts: {} },
];

/** The hosts that may start the servers of a place while VS Code's own host is on or off, in the order of their names. */
export function startersOf(place: PlaceId, isEditorOn: boolean): readonly Starter[] {
	const facts = startPlaces.find(({ id }) => id === place)?.facts ?? {};
	return starters.filter((starter) => facts[starter] !== undefined && (isEditorOn || !facts[starter].isTurnedOff));
}

/** The effect of `chat.mcp.access` on VS Code's own host: start all servers, those of a registry, or none. */
export type EditorAccess = "all" | "registry" | "none";

/** When a host starts the servers of a place, as a cell of the table; `off` where that access keeps it from it. */
export function cellOf({ id, facts }: StartPlace, host: Starter, access: EditorAccess): string {
	const fact = facts[host];
	if (fact === undefined) return "–";
	if (access !== "all" && fact.isTurnedOff) {
		const limited = access === "none" ? "off" : underRegistry(id, host);
		if (limited !== undefined) return limited;
	}
	return fact.isUnproven === true ? "not seen" : momentWords[fact.when];
}

/**
 * Which of VS Code's servers remain if only a registry is allowed; undefined for all. Extensions' servers still reach
 * agent sessions.
 */
function underRegistry(place: PlaceId, host: Starter): string | undefined {
	if (place === "vscode" || place === "user") return "only of the registry";
	return host === "local" ? "off" : undefined;
}

/** Hosts as a sentence names them: `sessions of Copilot, Claude and Codex`. Only for hosts of agent sessions. */
export function sessionsOf(hosts: readonly Starter[]): string {
	return `sessions of ${listed(hosts.map((host) => starterNames[host]))}`;
}

/** The sources that *Run Here Only* turns off, as a sentence. */
export function turnedOff(): string {
	const places = startPlaces.filter(({ id }) => startersOf(id, true).length > 0 && startersOf(id, false).length === 0);
	return `VS Code's own MCP host is off, and forwards no servers to agent sessions: neither those of ${listed(
		places.map(({ name }) => name),
		"nor",
	)}.`;
}

/**
 * The sources that *Run Here Only* does not turn off, as a sentence: the servers that agent sessions read from files
 * without VS Code.
 */
export function stillStarted(): string {
	const places = startPlaces.flatMap(({ id, name, facts }) => {
		const hosts = startersOf(id, false);
		if (hosts.length === 0) return [];
		const when = hosts.some((host) => facts[host]?.when === "window") ? ", when a window opens" : "";
		return [`${name} (${hosts.map((host) => starterNames[host]).join(", ")}${when})`];
	});
	return `Agent sessions still start the servers of ${listed(places)}.`;
}

/** The same in fewer words, where there is little room. */
export function stillStartedBriefly(): string {
	return `Agent ${sessionsOf(startersOf("root", false))} still start the servers of .mcp.json and of their own files.`;
}

function listed(words: readonly string[], and = "and"): string {
	return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${and} ${words.at(-1) ?? ""}`;
}
