import { isProtected } from "../../base/addresses.ts";
import { access, type EditorSettings, gallery, isPolicy, whyNotAdded } from "../../servers/definitions/editorLimits.ts";

/** Which registry is searched, or why none is. */
export type RegistryChoice =
	/** `limit` says why it is another one than the user's. */
	{ readonly url: string; readonly limit?: string } | { readonly refusal: string };

/** The registry of MCP Host. */
const own = "mcpHost.registry.url";
/** The registry of the protocol's project: https://registry.modelcontextprotocol.io/docs. */
const official = "https://registry.modelcontextprotocol.io";
/** The default registry of VS Code. */
const editors = "https://api.mcp.github.com";

/** The reason why another registry than the user's is searched. */
const limit = "Your organization chooses the registry.";

/**
 * The registry that is searched: the one that an organization names or allows exclusively; otherwise the user's own
 * (REG-02). If the policy of the machine lists registries, it is one of these: the first, if the other is not listed.
 */
export function chooseRegistry(settings: EditorSettings): RegistryChoice {
	const refusal = whyNotAdded(settings, true);
	if (refusal !== undefined) return { refusal };
	const choice = chosenBySettings(settings);
	const { machine } = settings;
	if (machine?.registries === undefined) return choice;
	const listed = machine.registries.map((address) => checked(address, `registries in ${machine.file}`, limit));
	const [first] = listed;
	if (first === undefined) return { refusal: `Your organization allows no registry (registries in ${machine.file}).` };
	const isListed = listed.some((one) => "url" in one && "url" in choice && one.url === choice.url);
	return isListed ? choice : first;
}

function chosenBySettings(settings: EditorSettings): RegistryChoice {
	const named = addressIn(settings.get(gallery));
	if (named !== undefined && isPolicy(settings, gallery)) return checked(named, gallery, limit);
	if (isPolicy(settings, access) && settings.get(access) === "registry")
		return checked(named ?? editors, gallery, limit);
	return checked(addressIn(settings.get(own)) ?? official, own);
}

function addressIn(value: unknown): string | undefined {
	return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function checked(text: string, setting: string, limit?: string): RegistryChoice {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined || !isProtected(url) || url.username !== "" || url.password !== "")
		return {
			refusal: `${setting} is not the https address of a registry, so no registry is searched. Change it in the settings.`,
		};
	// Some name the address of the API's list itself.
	const base = `${url.origin}${url.pathname.replace(/\/(?:v0(?:\.\d+)?(?:\/servers)?)?\/?$/, "")}`;
	return { url: base.replace(/\/$/, ""), ...(limit === undefined ? {} : { limit }) };
}
