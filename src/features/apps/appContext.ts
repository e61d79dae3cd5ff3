import type { JsonObject } from "../../base/json.ts";
import type { Tool } from "../../servers/sessions/session.ts";
import type { AppAccess } from "./appPolicy.ts";
import { type DisplayMode, displayModes } from "./appPlacing.ts";
import type { AppSurface } from "./appProtocol.ts";
import { jsonObjectOf } from "../../base/guards.ts";

/** The host's description of itself for apps. */
export interface HostFacts {
	readonly version: string;
	/** The display language, such as `en`. */
	readonly language: string;
	/** Whether the editor is a web page. */
	readonly isWeb: boolean;
}

/** The host's actions for an app, and the granted part of its policy (MCP Apps 2026-01-26, "Host Capabilities"). */
export function capabilitiesOf({ domains, clipboard }: AppAccess): JsonObject {
	const { connect, resource, frame, baseUri } = domains;
	return {
		openLinks: {},
		serverTools: {},
		serverResources: {},
		logging: {},
		message: { text: {} },
		// Of the draft of the next revision.
		downloadFile: {},
		sampling: { tools: {} },
		updateModelContext: { text: {}, structuredContent: {} },
		sandbox: {
			permissions: clipboard ? { clipboardWrite: {} } : {},
			csp: { connectDomains: connect, resourceDomains: resource, frameDomains: frame, baseUriDomains: baseUri },
		},
	};
}

/** Where an app is shown (MCP Apps 2026-01-26, "Host Context"): as large as its editor or view, in VS Code's theme. */
export function contextOf(
	tool: Tool,
	surface: AppSurface,
	displayMode: DisplayMode,
	{ version, language, isWeb }: HostFacts,
): JsonObject {
	const { width, height, theme, variables } = surface;
	return {
		toolInfo: { tool: jsonObjectOf(tool) },
		theme,
		styles: { variables },
		displayMode,
		availableDisplayModes: [...displayModes],
		containerDimensions: { width, height },
		locale: language,
		timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
		userAgent: `mcp-host/${version}`,
		platform: isWeb ? "web" : "desktop",
	};
}
