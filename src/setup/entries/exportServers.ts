import { type Redactor, SafeWriter } from "../../base/secrets/writer.ts";
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { isSecret } from "../../base/secrets/judge.ts";
import { oneLine } from "../../base/text.ts";
import { readNamed } from "../../servers/formats/namedConfiguration.ts";
import type { WrittenServers } from "../../servers/formats/writeConfiguration.ts";
import type { ExportedServer } from "../../servers/formats/writeEntry.ts";
import type { InputDefinition, ServerDefinition } from "../../servers/definitions/config.ts";
import { withOwnInputs } from "../entryInputs.ts";
import type { NewServer } from "../newServer.ts";
import { extractSecrets } from "./secretValues.ts";
import { freeName } from "./serverName.ts";

/** A server as it is written here. */
export interface WrittenHere {
	readonly name: string;
	readonly entry: JsonObject;
	readonly inputs: readonly JsonObject[];
	readonly isOff: boolean;
	/** A note for its receiver, in a sentence. */
	readonly remark?: string;
}

/** Servers without their secrets, and notes about those. */
export interface SafeServers {
	readonly servers: readonly ExportedServer[];
	readonly changes: WrittenServers["changes"];
}

/** The most changes that a question lists. */
const mostListed = 20;

/**
 * Servers as they may leave this machine. Values that look secret are inputs without their values, defaults of hidden
 * inputs are left out, and secrets of this window are removed. Names and ids of inputs are unique.
 */
export function withoutSecrets(written: readonly WrittenHere[], redactor: Redactor): SafeServers {
	const writer = new SafeWriter(redactor, { context: "entry" });
	const servers: ExportedServer[] = [];
	const changes: { server: string; what: string }[] = [];
	const names = new Set<string>();
	const inputs: JsonObject[] = [];
	for (const { name: wanted, entry, inputs: own, isOff, remark } of written) {
		const [read] = readNamed("", { name: wanted, entry, inputs: own }).servers;
		const name = freeName(wanted, names);
		names.add(name);
		const tell = (what: string): void => void changes.push({ server: name, what });
		if (read === undefined) {
			tell("It was left out: its entry has errors.");
			continue;
		}
		if (remark !== undefined) tell(remark);
		if (name !== wanted)
			tell(`Another exported server has the same name, so it was renamed to “${oneLine(name, 80)}”.`);
		const plain: NewServer = { name, entry: read.entry, inputs: read.inputs.map(withoutHidden), values: new Map() };
		const safe = extractSecrets(plain);
		for (const label of safe.inputs.slice(read.inputs.length).map(({ description }) => description))
			tell(`The value of “${oneLine(typeof label === "string" ? label : "", 80)}” looks secret and was left out.`);
		const redacted = { ...safe, entry: writer.json(safe.entry), inputs: writer.json(safe.inputs) };
		if (JSON.stringify(redacted.entry) !== JSON.stringify(safe.entry))
			tell("A secret that was used in this window was removed from it.");
		const server = withOwnInputs(redacted, inputs);
		inputs.push(...server.inputs);
		servers.push({ name, entry: server.entry, inputs: server.inputs, isOff });
	}
	return { servers, changes };
}

/** A definition in the words of an `mcp.json`, for one that is not written in any. */
export function entryOf({
	config,
	inputs,
}: Pick<ServerDefinition, "config" | "inputs">): Pick<WrittenHere, "entry" | "inputs"> {
	const { kind, protocol, ...rest } = config;
	const isFilled = (value: unknown): boolean =>
		Array.isArray(value) ? value.length > 0 : !isJsonObject(value) || Object.keys(value).length > 0;
	const filled = Object.entries(rest).filter(([, value]) => value !== undefined && isFilled(value));
	const entry = { type: kind, ...Object.fromEntries(filled), ...(protocol === "auto" ? {} : { protocol }) };
	return { entry, inputs: inputs.map(inputOf) };
}

/** The notes for the user before servers leave: the maximum number of lines about lost parts and manual steps. */
export function changesText(changes: WrittenServers["changes"]): string {
	const servers = Map.groupBy(changes, ({ what }) => what);
	const all = [...servers].map(([what, of]) => {
		const names = of.slice(0, 3).map(({ server }) => oneLine(server, 60));
		return `• ${names.join(", ")}${of.length > 3 ? ` and ${of.length - 3} more` : ""}: ${what}`;
	});
	const lines = all.slice(0, mostListed);
	const rest = all.length - lines.length;
	return [...lines, ...(rest === 0 ? [] : [`• ${rest} more of this kind`])].join("\n");
}

function inputOf({ id, description, isPassword, defaultValue, options }: InputDefinition): JsonObject {
	return {
		type: options === undefined ? "promptString" : "pickString",
		id,
		description,
		...(isPassword ? { password: true } : {}),
		...(defaultValue === undefined ? {} : { default: defaultValue }),
		...(options === undefined ? {} : { options }),
	};
}

/** An input without a default that may be a secret. */
function withoutHidden(input: JsonObject): JsonObject {
	const { default: fallback, ...rest } = input;
	const isHidden = input["password"] === true || (typeof fallback === "string" && isSecret("", fallback, "entry"));
	return isHidden ? rest : input;
}
