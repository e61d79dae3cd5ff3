import { isLoopback } from "../base/url.ts";

/** What the editor knows of a setting: where it was set, and its default. */
export type InspectedSetting =
	| {
			readonly defaultValue?: unknown;
			readonly globalValue?: unknown;
			readonly workspaceValue?: unknown;
			readonly workspaceFolderValue?: unknown;
	  }
	| undefined;

/** How a setting of the editor is found out. */
export interface EditorSettings {
	readonly inspect: (name: string) => InspectedSetting;
	/** The value that counts. */
	readonly get: (name: string) => unknown;
}

/** Which registry is searched, or why none is. */
export type RegistryChoice =
	/** `limit` says why it is another one than the person's. */
	{ readonly url: string; readonly limit?: string } | { readonly refusal: string };

/** The settings by which an organization limits the editor's own MCP host: https://code.visualstudio.com/docs/setup/enterprise. */
const access = "chat.mcp.access";
const gallery = "chat.mcp.gallery.serviceUrl";
/** The registry of MCP Host. */
const own = "mcpHost.registry.url";
/** The registry of the protocol's project: https://registry.modelcontextprotocol.io/docs. */
const official = "https://registry.modelcontextprotocol.io";
/** The one that the editor searches where it is told of no other. */
const editors = "https://api.mcp.github.com";

/**
 * Why a server is not added, in a sentence: an organization has turned MCP servers off, or allows those alone that its registry
 * lists; undefined where it may be. What a person or a workspace set is about the editor's own host alone, and *Run Here Only*
 * sets the same: only what counts although nobody set it comes from a policy (REG-02).
 */
export function whyNotAdded(settings: EditorSettings, isListed: boolean): string | undefined {
	if (!isPolicy(settings, access)) return undefined;
	const allowed = settings.get(access);
	if (allowed === "none") return "Your organization has turned MCP servers off (chat.mcp.access).";
	if (allowed === "registry" && !isListed)
		return "Your organization allows only the servers of its registry (chat.mcp.access). Choose Find Servers… to add one.";
	return undefined;
}

/**
 * The registry that is searched: where an organization names one, or allows what a registry lists alone, that one; else the
 * person's own (REG-02).
 */
export function chooseRegistry(settings: EditorSettings): RegistryChoice {
	const refusal = whyNotAdded(settings, true);
	if (refusal !== undefined) return { refusal };
	const named = addressIn(settings.get(gallery));
	const limit = "Your organization says which registry is searched.";
	if (named !== undefined && isPolicy(settings, gallery)) return checked(named, gallery, limit);
	if (settings.get(access) === "registry") return checked(named ?? editors, gallery, limit);
	return checked(addressIn(settings.get(own)) ?? official, own);
}

function addressIn(value: unknown): string | undefined {
	return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function checked(text: string, setting: string, limit?: string): RegistryChoice {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
	if (url === undefined || !isSafe || url.username !== "" || url.password !== "")
		return {
			refusal: `${setting} is not the https address of a registry, so none is searched. Change it in the settings.`,
		};
	// Some name the address of the API's list itself.
	const base = `${url.origin}${url.pathname.replace(/\/(?:v0(?:\.\d+)?(?:\/servers)?)?\/?$/, "")}`;
	return { url: base.replace(/\/$/, ""), ...(limit === undefined ? {} : { limit }) };
}

/** Whether the value of a setting that counts is one that nobody set here: a policy's. */
function isPolicy({ inspect, get }: EditorSettings, name: string): boolean {
	const found = inspect(name);
	if (found === undefined) return false;
	const set = found.workspaceFolderValue ?? found.workspaceValue ?? found.globalValue ?? found.defaultValue;
	return set !== get(name);
}
