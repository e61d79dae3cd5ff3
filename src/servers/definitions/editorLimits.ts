import { canonicalJson, isJsonObject, type Json } from "../../base/json.ts";
import { jsonOf } from "../../base/guards.ts";
import { oneLine } from "../../base/text.ts";
import { machineFault, type MachinePolicy, partsOf, whyMachineDenies } from "./machinePolicy.ts";
import { hasForm, type MatchedServer } from "./serverMatcher.ts";

/** VS Code's data about a setting: where it was set, and its default. */
export type InspectedSetting =
	| {
			readonly defaultValue?: unknown;
			readonly globalValue?: unknown;
			readonly workspaceValue?: unknown;
			readonly workspaceFolderValue?: unknown;
	  }
	| undefined;

/** How a setting of VS Code is read, and the policy of the machine: all that an organization decides by. */
export interface EditorSettings {
	readonly inspect: (name: string) => InspectedSetting;
	/** The value that counts. */
	readonly get: (name: string) => unknown;
	/** The policy of the machine's file; absent where there is none. */
	readonly machine?: MachinePolicy | undefined;
}

/** No settings: outside of an editor only the policy of the machine decides. */
export function machineAlone(machine: MachinePolicy | undefined): EditorSettings {
	return { inspect: () => undefined, get: () => undefined, machine };
}

/**
 * The settings by which an organization limits VS Code's own MCP host:
 * https://code.visualstudio.com/docs/setup/enterprise.
 */
export const access = "chat.mcp.access";
const allowed = "chat.mcp.allowedServers";
const denied = "chat.mcp.deniedServers";

/** The setting in which an organization names VS Code's registry. */
export const gallery = "chat.mcp.gallery.serviceUrl";

/** The policies of an organization about MCP servers, by file or setting; empty if there are none. */
export function policiesIn(settings: EditorSettings): readonly { readonly setting: string; readonly value: string }[] {
	const { machine } = settings;
	return [
		...(machine === undefined ? [] : partsOf(machine)),
		...[access, allowed, denied, gallery]
			.filter((name) => isPolicy(settings, name))
			.map((setting) => ({ setting, value: canonicalJson(jsonOf(settings.get(setting))) })),
	];
}

/**
 * Why a server is not added, in a sentence: an organization has turned MCP servers off, or allows only those in its
 * registry; undefined if it may be added. Settings of a user or a workspace concern only VS Code's own host, and *Run
 * Here Only* sets the same ones. So only an effective value that nobody set counts as a policy (REG-02).
 */
export function whyNotAdded(settings: EditorSettings, isListed: boolean): string | undefined {
	const fault = settings.machine && machineFault(settings.machine);
	if (fault !== undefined) return fault;
	if (!isPolicy(settings, access)) return undefined;
	const allowed = settings.get(access);
	if (allowed === "none" || allowed === false) return "Your organization has turned off MCP servers (chat.mcp.access).";
	if (allowed === "registry" && !isListed)
		return "Your organization allows only servers from its registry (chat.mcp.access). Choose Find Servers… to add one.";
	return knownAccess.has(allowed) ? undefined : `${cannotRead(access, allowed)} No server is allowed.`;
}

/** The known values of `chat.mcp.access` that allow servers; `true` is an older one. */
const knownAccess: ReadonlySet<unknown> = new Set(["registry", "all", true, undefined, null, ""]);

/** The problem with a policy that is not understood: it denies all that it can mean until it is corrected. */
function cannotRead(setting: string, value: unknown): string {
	return `Your organization's policy ${setting} cannot be read: ${oneLine(canonicalJson(jsonOf(value)), 100)}.`;
}

/** Why a followed server is left out, in sentences: for the reasons for which it would not be added (REG-02). */
export function whyLeftOut(
	settings: EditorSettings,
	server: MatchedServer,
	isOfWorkspace: boolean,
): string | undefined {
	return whyNotAdded(settings, false) ?? whyServerNotAdded(settings, server, isOfWorkspace);
}

/**
 * Why a configured server is left out, in sentences: MCP servers are off, or it is denied, or it is not one of the
 * allowed servers. If only a registry is allowed, servers that were added from there stay: nothing in an entry
 * distinguishes them.
 */
export function whyConfiguredLeftOut(
	settings: EditorSettings,
	server: MatchedServer,
	isOfWorkspace: boolean,
): string | undefined {
	return whyNotAdded(settings, true) ?? whyServerNotAdded(settings, server, isOfWorkspace);
}

/**
 * Why a server is not added, in a sentence: an organization denies it, or allows only others; undefined if it may be
 * added. Both lists name servers by their name, by an address in which `*` matches anything except a slash in the host,
 * or by the whole command. A denial that cannot be read denies every server. Only policies count, so `chat.mcp.allowManagedServersOnly` applies in any case (VS Code
 * 1.130, policies ChatAllowedMcpServers and ChatDeniedMcpServers).
 */
export function whyServerNotAdded(
	settings: EditorSettings,
	server: MatchedServer,
	isOfWorkspace: boolean,
): string | undefined {
	const byMachine = settings.machine && whyMachineDenies(settings.machine, server, isOfWorkspace);
	if (byMachine !== undefined) return byMachine;
	const shown = `“${oneLine(server.name, 60)}”`;
	const [deniedBy, allowedBy] = [listOf(settings, denied), listOf(settings, allowed)];
	const unread = deniedBy?.find((matcher) => !isReadable(matcher));
	if (unread !== undefined) return `${cannotRead(denied, unread)} No server is allowed.`;
	if (deniedBy?.some((matcher) => isMatch(matcher, server, "deny")) === true)
		return `Your organization does not allow the server ${shown} (${denied}).`;
	if (allowedBy !== undefined && !allowedBy.some((matcher) => isMatch(matcher, server, "allow")))
		return `Your organization allows only listed servers, and ${shown} is not in the list (${allowed}).`;
	return undefined;
}

/** The entries of a policy; undefined if there is none. A value that is no list is its only entry. */
function listOf(settings: EditorSettings, name: string): readonly Json[] | undefined {
	const value = jsonOf(settings.get(name));
	if (value === undefined || value === null || !isPolicy(settings, name)) return undefined;
	return Array.isArray(value) ? value : [value];
}

/** Whether a matcher names a server in a way that is known. */
function isReadable(matcher: Json): boolean {
	if (!isJsonObject(matcher)) return false;
	const { serverName, serverUrl, serverCommand } = matcher;
	const isText = (value: Json | undefined): boolean => typeof value === "string" && value !== "";
	const isCommand = Array.isArray(serverCommand) && serverCommand.length > 0 && isText(serverCommand[0]);
	return isText(serverName) || isText(serverUrl) || isCommand;
}

/**
 * Whether a matcher names a server. One that names it in none of the known ways, or in two, allows nothing; of a denial each of
 * the ways counts.
 */
function isMatch(matcher: Json, { name, entry }: MatchedServer, purpose: "allow" | "deny"): boolean {
	if (!isJsonObject(matcher)) return false;
	const { serverName, serverUrl, serverCommand } = matcher;
	const ways = [serverName, serverUrl, serverCommand].filter((one) => one !== undefined);
	if (purpose === "allow" && ways.length !== 1) return false;
	const { command, args, url } = entry;
	if (typeof serverName === "string" && serverName === name) return true;
	if (typeof serverUrl === "string" && typeof url === "string") {
		if (addressesOf(url, purpose).some((address) => isAddressLike(serverUrl, address))) return true;
	}
	if (!Array.isArray(serverCommand) || typeof command !== "string") return false;
	return canonicalJson(serverCommand) === canonicalJson([command, ...(Array.isArray(args) ? args : [])]);
}

/**
 * The address as it is requested, and for denying also as it is written: an allowed address must not circumvent a
 * denial.
 */
function addressesOf(text: string, purpose: "allow" | "deny"): readonly string[] {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	const asked =
		url === undefined || url.username !== "" || url.password !== "" ? [] : [url.href, url.href.replace(/\/$/, "")];
	return purpose === "allow" ? asked : [...asked, text];
}

/** Whether an address matches a pattern: `*` in its host stops at a slash; after the host it matches anything. */
function isAddressLike(pattern: string, address: string): boolean {
	const [host, path] = inTwo(pattern.toLowerCase());
	const [ofHost, ofPath] = inTwo(address.toLowerCase());
	return hasForm(host, ofHost, "/") && hasForm(path, ofPath);
}

/** The part before the first slash of the path, and the rest. */
function inTwo(address: string): readonly [string, string] {
	const scheme = address.indexOf("://");
	const slash = address.indexOf("/", scheme < 0 ? 0 : scheme + 3);
	return slash < 0 ? [address, ""] : [address.slice(0, slash), address.slice(slash)];
}

/**
 * Whether a policy decides about a setting. VS Code returns the value of a policy as the default value, regardless of
 * settings files (`inspect` in its `extHostConfiguration.ts`); the API has no other place for it. A default that is not
 * VS Code's own counts as a policy, and so does an effective value that nobody set: only a proven user setting counts
 * as the user's.
 */
export function isPolicy({ inspect, get }: EditorSettings, name: string): boolean {
	const found = inspect(name);
	if (found === undefined) return false;
	if (!isOwnDefault(found.defaultValue)) return true;
	const set = found.workspaceFolderValue ?? found.workspaceValue ?? found.globalValue ?? found.defaultValue;
	return canonicalJson(jsonOf(set)) !== canonicalJson(jsonOf(get(name)));
}

/** Whether a default is one that VS Code has for these settings: all servers, no list, no address. */
function isOwnDefault(value: unknown): boolean {
	const isEmptyList = Array.isArray(value) && value.length === 0;
	return value === undefined || value === null || value === "" || value === "all" || value === true || isEmptyList;
}
