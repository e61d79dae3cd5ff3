import { HostError } from "../../base/errors.ts";
import { jsonOf } from "../../base/guards.ts";
import { isJsonObject } from "../../base/json.ts";
import type { IdentityProviderConfig } from "../../protocol/authorization.ts";
import { type EditorSettings, isPolicy } from "./editorLimits.ts";
import { machineFault } from "./machinePolicy.ts";
import { readIdentityProvider } from "./readIdentityProvider.ts";

/** The setting of the user. */
export const identityProviderSetting = "mcpHost.identityProvider";
/** The setting of VS Code's own host, which an organization can set as a policy. */
const editorSetting = "mcp.enterpriseManagedAuth.idp";

/** The identity provider that is configured, and where; the policy file of the machine decides before settings. */
export interface ConfiguredProvider {
	readonly config: IdentityProviderConfig;
	/** The name of the setting, or the path of the file. */
	readonly source: string;
}

/**
 * Reads which identity provider is configured: by the policy of the machine, by VS Code's policy, or by the user.
 * Undefined if none is.
 * @throws HostError `invalid` that says where it is wrong.
 */
export function configuredProvider(settings: EditorSettings): ConfiguredProvider | undefined {
	const { machine } = settings;
	const fault = machine && machineFault(machine);
	if (fault !== undefined) throw new HostError("invalid", fault);
	if (machine?.identityProvider !== undefined) return { config: machine.identityProvider, source: machine.file };
	const source =
		isSet(settings.get(editorSetting)) && isPolicy(settings, editorSetting) ? editorSetting : identityProviderSetting;
	const value = jsonOf(settings.get(source));
	if (!isSet(value)) return undefined;
	const config = readIdentityProvider(value ?? null);
	if (typeof config === "string") throw new HostError("invalid", `${source} cannot be read: ${config}.`);
	return { config, source };
}

/** Whether a setting has a value; an empty object is its default. */
function isSet(value: unknown): boolean {
	return value !== undefined && value !== null && !(isJsonObject(value) && Object.keys(value).length === 0);
}
