import { type JsonObject, own } from "../../base/json.ts";
import { isObject, textsOf } from "./data.ts";
import type { ForeignToolLists } from "./foreignServer.ts";

/** The keys of entries for tools, by their meaning. */
const keys = {
	allowed: ["autoApprove", "alwaysAllow", "auto_approve", "always_allow"],
	only: ["includeTools", "enabled_tools", "enabledTools", "available_tools", "allowedTools", "allowed_tools", "tools"],
	hidden: ["excludeTools", "disabledTools", "disabled_tools", "excludedTools"],
} as const;

/** The keys of an entry that `readTools` reads. */
export const toolKeys: ReadonlySet<string> = new Set([
	...Object.values(keys).flat(),
	"trust",
	"require_approval",
	"default_tools_approval_mode",
]);

/** The tool settings in one entry of a host. Kept apart from the entry: they grant nothing here. */
export function readTools(entry: JsonObject): ForeignToolLists {
	const said = (names: readonly string[]): readonly string[] => names.flatMap((key) => textsOf(own(entry, key)) ?? []);
	const allowed = [...said(keys.allowed), ...approvedBy(own(entry, "tools"))];
	const allowsAll =
		allowed.includes("*") ||
		keys.allowed.some((key) => own(entry, key) === true) ||
		own(entry, "trust") === true ||
		own(entry, "require_approval") === "never" ||
		own(entry, "default_tools_approval_mode") === "approve";
	const only = said(keys.only);
	const hidden = said(keys.hidden);
	// An empty list offers none; `*` offers all, as a missing list does.
	const isLimited = keys.only.some((key) => Array.isArray(own(entry, key))) && !only.includes("*");
	return {
		...(allowsAll ? { allowed: "all" as const } : allowed.length === 0 ? {} : { allowed: [...new Set(allowed)] }),
		...(isLimited ? { only: [...new Set(only)] } : {}),
		...(hidden.length === 0 ? {} : { hidden: [...new Set(hidden)] }),
	};
}

/** Codex: `[mcp_servers.x.tools.y]` with `approval_mode = "approve"` for one tool. */
function approvedBy(tools: unknown): readonly string[] {
	if (!isObject(tools)) return [];
	return Object.keys(tools).filter((tool) => {
		const rule = own(tools, tool);
		return isObject(rule) && own(rule, "approval_mode") === "approve";
	});
}
