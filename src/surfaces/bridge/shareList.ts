import { oneLine } from "../../base/text.ts";
import { type ListLine, type ListRow, section } from "../../questions/listRow.ts";
import type { ClientConsents } from "./consents.ts";
import { chainWords, type ClientProgram, nameOf } from "./program.ts";

/** The entry of a row in the list of *Share Servers with Other Agents…*. */
export type ShareChoice =
	| { readonly kind: "turn" }
	| { readonly kind: "copy" }
	| { readonly kind: "waiting"; readonly program: ClientProgram }
	| { readonly kind: "client"; readonly key: string };

/** The state of sharing. */
export interface ShareState {
	readonly isOn: boolean;
	/** How many clients are connected; undefined while nothing is shared. */
	readonly clients: number | undefined;
	/** Why nothing is shared although it is on. */
	readonly whyNot: string | undefined;
	readonly consents: Pick<ClientConsents, "all" | "waiting">;
	readonly home: string;
}

/** The lines of the list. */
export function shareLines({ isOn, clients, whyNot, consents, home }: ShareState): readonly ListLine<ShareChoice>[] {
	const connected = clients === 1 ? "1 agent is connected" : `${clients ?? 0} agents are connected`;
	const state = whyNot === undefined ? connected : `not shared: ${oneLine(whyNot, 200)}`;
	const waiting = consents.waiting.map((program): ListRow<ShareChoice> => ({
		kind: "row",
		icon: "question",
		label: nameOf(program),
		description: "waits for your answer",
		detail: chainWords(program, home),
		of: { kind: "waiting", program },
	}));
	const decided = consents.all.toReversed().map((client): ListRow<ShareChoice> => ({
		kind: "row",
		icon: client.isAllowed ? "check" : "circle-slash",
		label: nameOf(client),
		description: `${client.isAllowed ? "allowed" : "denied"} by you on ${new Date(client.at).toLocaleString()}`,
		detail: chainWords(client, home),
		of: { kind: "client", key: client.key },
		button: "revoke",
	}));
	return [
		{
			kind: "row",
			icon: isOn ? "circle-slash" : "broadcast",
			label: isOn ? "Stop Sharing" : "Share the Servers of This Window",
			description: isOn ? state : "Claude Code, Codex, Copilot and others can ask for them",
			of: { kind: "turn" },
		},
		{
			kind: "row",
			icon: "copy",
			label: "Copy Configuration for an Agent",
			description: "the command that an agent starts",
			of: { kind: "copy" },
		},
		...section("Waiting", waiting),
		...section("Agents", decided),
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

/** The entry that an agent starts the command by, in the form that most agents read. Runs with VS Code's own Node. */
export function entryFor(program: string, script: string): string {
	const entry = { command: program, args: [script, "serve"], env: { ELECTRON_RUN_AS_NODE: "1" } };
	return `${JSON.stringify({ mcpServers: { "mcp-host": entry } }, undefined, 2)}\n`;
}
