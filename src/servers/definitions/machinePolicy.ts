import { readConfigText, type ConfigText, type JsonPath } from "../../base/configText.ts";
import { isJson } from "../../base/guards.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { IdentityProviderConfig } from "../../protocol/authorization.ts";
import { readIdentityProvider } from "./readIdentityProvider.ts";
import { describeMatcher, fitOf, type MatchedServer, readMatcher, type ServerMatcher } from "./serverMatcher.ts";

/** The policy of an organization in the file of this machine. Without a fault all of it was read. */
export interface MachinePolicy {
	/** The path of the file. */
	readonly file: string;
	/** Why it cannot be read, in the words of the parser: nothing is allowed until it can. */
	readonly fault?: string;
	/** The only servers that are allowed; absent where all are. */
	readonly allowed?: readonly ServerMatcher[];
	readonly denied: readonly ServerMatcher[];
	/** Whether servers that a workspace configures may start. */
	readonly isWorkspaceAllowed: boolean;
	/** The only registries that are searched; absent where any is. */
	readonly registries?: readonly string[];
	/** The identity provider of the organization; absent where users choose theirs. */
	readonly identityProvider?: IdentityProviderConfig;
	/** The rules for calls of tools, as they are written. */
	readonly rules: readonly Json[];
}

/** Most matchers or registries of one list. */
const maxItems = 1000;

/** A policy that cannot be read, and allows nothing. */
export function faultyPolicy(file: string, fault: string): MachinePolicy {
	return { file, fault, denied: [], isWorkspaceAllowed: false, rules: [] };
}

/**
 * Reads the file of a machine: JSON with comments, described by `media/organization.schema.json`. Whatever cannot be
 * understood, be it one unknown key, is a fault of the whole file: a typing error must not allow what it was to deny
 * (REG-18). Never throws.
 */
export function parseMachinePolicy(source: string, file: string): MachinePolicy {
	try {
		return new PolicyReader(source, file).read();
	} catch (error) {
		if (error instanceof PolicyFault) return faultyPolicy(file, error.message);
		throw error;
	}
}

class PolicyFault extends Error {}

class PolicyReader {
	private readonly source: string;
	private readonly file: string;
	private readonly text: ConfigText;

	constructor(source: string, file: string) {
		this.source = source.replace(/^\uFEFF/, "");
		this.file = file;
		this.text = readConfigText(this.source);
	}

	read(): MachinePolicy {
		const { faults, repeated, value } = this.text;
		const [first] = faults;
		if (first !== undefined) throw new PolicyFault(`line ${this.lineAt(first.offset)}: ${first.message}`);
		const [twice] = repeated;
		if (twice !== undefined) this.fail(twice, `"${oneLine(String(twice.at(-1)), 60)}" is given twice`);
		const whole = this.object(value, [], ["$schema", "servers", "registries", "identityProvider", "rules"]);
		const servers = this.object(whole["servers"] ?? {}, ["servers"], ["allowed", "denied", "ofWorkspaces"]);
		const { ofWorkspaces = true } = servers;
		const allowed = this.list(servers["allowed"], ["servers", "allowed"]);
		const registries = this.list(whole["registries"], ["registries"]);
		return {
			file: this.file,
			...(allowed === undefined ? {} : { allowed: this.matchers(allowed, ["servers", "allowed"]) }),
			denied: this.matchers(this.list(servers["denied"], ["servers", "denied"]) ?? [], ["servers", "denied"]),
			isWorkspaceAllowed:
				typeof ofWorkspaces === "boolean"
					? ofWorkspaces
					: this.fail(["servers", "ofWorkspaces"], "it must be true or false"),
			...(registries === undefined ? {} : { registries: registries.map((one, index) => this.registry(one, index)) }),
			...this.identityProvider(whole["identityProvider"]),
			rules: this.list(whole["rules"], ["rules"]) ?? [],
		};
	}

	private matchers(items: readonly Json[], path: JsonPath): readonly ServerMatcher[] {
		return items.map((item, index) => {
			const matcher = readMatcher(item);
			return typeof matcher === "string" ? this.fail([...path, index], matcher) : matcher;
		});
	}

	private identityProvider(value: Json | undefined): Pick<MachinePolicy, "identityProvider"> {
		if (value === undefined) return {};
		const read = readIdentityProvider(value);
		return typeof read === "string" ? this.fail(["identityProvider"], read) : { identityProvider: read };
	}

	private registry(value: Json, index: number): string {
		if (typeof value === "string" && URL.canParse(value)) return value;
		return this.fail(["registries", index], "it must be the address of a registry");
	}

	private list(value: unknown, path: JsonPath): readonly Json[] | undefined {
		if (value === undefined) return undefined;
		if (!Array.isArray(value)) return this.fail(path, "it must be a list");
		if (value.length > maxItems) return this.fail(path, `it has more than ${maxItems} entries`);
		return value.filter(isJson);
	}

	private object(value: unknown, path: JsonPath, keys: readonly string[]): JsonObject {
		if (!isJsonObject(value)) return this.fail(path, "it must be an object");
		const unknown = Object.keys(value).find((key) => !keys.includes(key));
		return unknown === undefined ? value : this.fail([...path, unknown], "it is not a known key");
	}

	private fail(path: JsonPath, message: string): never {
		const line = this.lineAt(this.text.rangeOf(path)?.offset ?? 0);
		const place = path.length === 0 ? "the file" : oneLine(path.join("."), 100);
		throw new PolicyFault(`line ${line}: ${place}: ${message}`);
	}

	private lineAt(offset: number): number {
		return this.source.slice(0, offset).split("\n").length;
	}
}

/** The problem with a policy that cannot be read; for the end of a message. */
export function machineFault({ file, fault }: MachinePolicy): string | undefined {
	return fault === undefined
		? undefined
		: `Your organization's policy ${file} cannot be read: ${fault}. No server is allowed.`;
}

/** The decisions of a policy about servers and registries, in parts, for users who want to know them. */
export function partsOf(policy: MachinePolicy): readonly { readonly setting: string; readonly value: string }[] {
	const { file, allowed, denied, isWorkspaceAllowed, registries, identityProvider } = policy;
	const fault = machineFault(policy);
	if (fault !== undefined) return [{ setting: file, value: fault }];
	const listed = (items: readonly string[]): string => (items.length === 0 ? "none" : items.join(", "));
	return [
		...(allowed === undefined ? [] : [{ setting: "Allowed servers", value: listed(allowed.map(describeMatcher)) }]),
		...(denied.length === 0 ? [] : [{ setting: "Denied servers", value: listed(denied.map(describeMatcher)) }]),
		...(isWorkspaceAllowed ? [] : [{ setting: "Servers of workspaces", value: "not started" }]),
		...(registries === undefined ? [] : [{ setting: "Registries", value: listed(registries) }]),
		...(identityProvider === undefined ? [] : [{ setting: "Identity provider", value: identityProvider.issuer }]),
		{ setting: "Policy file", value: file },
	];
}

/** Why the policy does not allow a server, in a sentence; undefined if it does. */
export function whyMachineDenies(
	policy: MachinePolicy,
	server: MatchedServer,
	isOfWorkspace: boolean,
): string | undefined {
	const fault = machineFault(policy);
	if (fault !== undefined) return fault;
	const { file, allowed, denied, isWorkspaceAllowed } = policy;
	const shown = `“${oneLine(server.name, 60)}”`;
	if (isOfWorkspace && !isWorkspaceAllowed)
		return `Your organization does not allow servers of workspaces (servers.ofWorkspaces in ${file}).`;
	if (denied.some((matcher) => fitOf(matcher, server, "deny") === true))
		return `Your organization does not allow the server ${shown} (servers.denied in ${file}).`;
	if (allowed === undefined) return undefined;
	const fits = allowed.map((matcher) => fitOf(matcher, server, "allow"));
	if (fits.includes(true)) return undefined;
	const why = fits.find((fit) => typeof fit === "string") ?? "is not in the list";
	return `Your organization allows only listed servers, and ${shown} ${why} (servers.allowed in ${file}).`;
}
