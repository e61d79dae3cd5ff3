import { oneLine } from "../../base/text.ts";
import { counted } from "../../base/words.ts";
import type { BridgeCommand } from "../handover/launcher.ts";
import type { ClientConsents } from "./consents.ts";
import { chainWords, type ClientProgram, nameOf } from "./program.ts";

/** A row of the list of *Share Servers with Other Agents…*. */
export interface ShareRow {
	/** A codicon of ours. */
	readonly icon: string;
	readonly label: string;
	readonly description: string;
	readonly action: ShareAction;
}

/** The action of a row. */
export type ShareAction =
	| { readonly kind: "turn" | "copy" | "show" | "handOver" | "undo" }
	| { readonly kind: "http"; readonly what: "add" | "stop" }
	| { readonly kind: "answer"; readonly program: ClientProgram };

/** The state of sharing. */
export interface ShareState {
	readonly isOn: boolean;
	/** How many clients are connected; undefined while nothing is shared. */
	readonly clients: number | undefined;
	/** Why nothing is shared although it is on. */
	readonly whyNot: string | undefined;
	readonly consents: Pick<ClientConsents, "all" | "waiting">;
	readonly home: string;
	/** How many files of other agents were written. */
	readonly handOvers: number;
}

/** The rows of the list. */
export function shareRows({ isOn, clients, whyNot, consents, home, handOvers }: ShareState): readonly ShareRow[] {
	const connected = clients === 1 ? "1 agent is connected" : `${clients ?? 0} agents are connected`;
	const state = whyNot === undefined ? connected : `not shared: ${oneLine(whyNot, 200)}`;
	const { all, waiting } = consents;
	const allowed = all.filter(({ isAllowed }) => isAllowed).length;
	return [
		isOn
			? { icon: "circle-slash", label: "Stop Sharing", description: state, action: { kind: "turn" } }
			: {
					icon: "broadcast",
					label: "Share the Servers of This Window",
					description: "Claude Code, Codex, Copilot and others can ask for them",
					action: { kind: "turn" },
				},
		...waiting.map((program): ShareRow => ({
			icon: "question",
			label: `Answer ${nameOf(program)}…`,
			description: chainWords(program, home),
			action: { kind: "answer", program },
		})),
		{
			icon: "rocket",
			label: "Hand Over to Agents…",
			description: "writes the entry of Copilot, Claude Code, Codex, Cursor or VS Code",
			action: { kind: "handOver" },
		},
		...(handOvers === 0
			? []
			: [
					{
						icon: "discard",
						label: "Undo Hand-Over…",
						description: `restores ${counted(handOvers, "file")}`,
						action: { kind: "undo" },
					} as const,
				]),
		{
			icon: "copy",
			label: "Copy Configuration for an Agent",
			description: "for any other agent: the command that it starts",
			action: { kind: "copy" },
		},
		{
			icon: "list-flat",
			label: "Show What May Run",
			description: `${allowed} allowed, ${all.length - allowed} denied`,
			action: { kind: "show" },
		},
	];
}

/** The question about a program, in plain text: its claimed name, and where it really comes from. */
export function questionAbout(program: ClientProgram, home: string): string {
	const from =
		program.chain.length === 0
			? "Its parents are unknown on this system, so the name is only a claim."
			: `It was started by: ${chainWords(program, home)}.`;
	return `A program that calls itself “${nameOf(program)}” wants to use your MCP servers. ${from} Its calls follow your rules, and you are asked about the others.`;
}

/** The entry that an agent starts the bridge by, in the form that most agents read. */
export function entryFor({ command, args, env }: BridgeCommand): string {
	const entry = { command, args, ...(Object.keys(env).length === 0 ? {} : { env }) };
	return `${JSON.stringify({ mcpServers: { "mcp-host": entry } }, undefined, 2)}\n`;
}
