import { isJsonObject, type Json } from "../../base/json.ts";
import type { LoggedError } from "../../base/lastErrors.ts";
import { codeBlock } from "../../base/markdown.ts";
import { type Redactor, SafeWriter } from "../../base/secrets/writer.ts";
import { oneLine } from "../../base/text.ts";
import { stateWord } from "../../servers/sessions/describeState.ts";
import type { Session } from "../../servers/sessions/session.ts";

/** A setting that differs from its default. */
export interface ChangedSetting {
	readonly name: string;
	/** Where it is set, such as `user` or `workspace`. */
	readonly where: string;
	readonly value: Json;
}

/** The data that a report of a problem with the extension needs. */
export interface DiagnosticsFacts {
	/** Versions, and what kind of machine and window it is; no names of users or machines. */
	readonly place: readonly string[];
	readonly settings: readonly ChangedSetting[];
	readonly servers: readonly Pick<Session, "definition" | "state">[];
	readonly errors: readonly LoggedError[];
	/** The user's home folder. */
	readonly home: string;
}

/** Settings whose values are servers, or inputs for servers: only their size matters. */
const counted: ReadonlySet<string> = new Set(["mcpHost.servers", "mcpHost.inputs"]);

/** Markdown for an issue of the extension: no secrets, and of servers neither names, addresses nor arguments. */
export function diagnosticsOf(facts: DiagnosticsFacts, redactor: Redactor): string {
	const writer = new SafeWriter(redactor, { isDeep: true });
	const withoutHome = (text: string): string => (facts.home === "" ? text : text.replaceAll(facts.home, "~"));
	const errors = facts.errors.map(
		({ at, level, message }) => `${new Date(at).toISOString()} ${level}: ${withoutHome(writer.text(message))}`,
	);
	const servers = facts.servers.map(({ definition, state }) => `- ${kindOf(definition)}, ${standing(state)}`);
	const settings = facts.settings.map(({ name, where, value }) => {
		const shown = counted.has(name) ? amountOf(value) : withoutHome(JSON.stringify(writer.json(withoutHeaders(value))));
		return `- ${name} (${where}): ${oneLine(shown, 1000)}`;
	});
	return [
		"## MCP Host Diagnostics",
		facts.place.join(" · "),
		"### Servers",
		servers.join("\n") || "None.",
		"### Changed Settings",
		settings.length === 0 ? "None." : codeBlock(settings.join("\n")),
		"### Last Errors",
		errors.length === 0 ? "None." : codeBlock(errors.join("\n")),
		"",
	].join("\n\n");
}

function kindOf({ config, origin }: Session["definition"]): string {
	return `${config.kind} server of ${origin.kind}`;
}

/** The state, with the kind of a failure and the protocol of a running server. Texts of either are left out. */
function standing(state: Session["state"]): string {
	if (state.kind === "running") return `running (${state.facts.protocolVersion} over ${state.facts.transport})`;
	const cause = state.kind === "failed" ? state.cause?.kind : undefined;
	return cause === undefined ? stateWord(state) : `${stateWord(state)} (${cause})`;
}

function amountOf(value: Json): string {
	const count = Array.isArray(value) ? value.length : isJsonObject(value) ? Object.keys(value).length : 0;
	return count === 1 ? "1 entry" : `${count} entries`;
}

/** A value without the contents of headers at any depth: those of a gateway may be secrets under any name. */
function withoutHeaders(value: Json): Json {
	if (Array.isArray(value)) return value.map(withoutHeaders);
	if (!isJsonObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, member]) => [
			name,
			name === "headers" && isJsonObject(member) ? Object.keys(member) : withoutHeaders(member ?? null),
		]),
	);
}
