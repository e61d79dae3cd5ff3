/** The place of a store of MCP Host. `test/unit/surfaces/reset/census.test.ts` finds stores without a row. */
export interface StorePlaces {
	/** The journals of the folder that all windows share. */
	readonly journals?: readonly string[];
	/** Journals that are deleted with it, and are nothing that a user would count. */
	readonly uncounted?: readonly string[];
	/** The names in the editor's state, be it that of all workspaces or of this one. */
	readonly state?: readonly string[];
	/** How names in the secret store begin. */
	readonly secrets?: readonly string[];
	/** Secrets that are deleted with it, and are nothing that a user would count. */
	readonly uncountedSecrets?: readonly string[];
	/** Files and folders in the extension's folder of this machine. */
	readonly files?: readonly string[];
	/** User settings: one, or with `*` at the end all with that beginning that no other row names. */
	readonly settings?: readonly string[];
}

/** A store of MCP Host, as *Reset…* lists it. */
export interface KeptStore {
	readonly id: StoreId;
	readonly label: string;
	/** Its purpose, for the list. */
	readonly detail: string;
	/** The consequence of deleting it, in a sentence for the question. */
	readonly effect: string;
	/** Its contents, counted. */
	readonly unit: string;
	readonly places: StorePlaces;
	/** Whether its owner alone deletes it, since it goes on being written. */
	readonly isOwned?: boolean;
}

/** The stores by their names. */
export type StoreId =
	| "approvals"
	| "inputs"
	| "signIns"
	| "grants"
	| "agents"
	| "handOvers"
	| "switched"
	| "apps"
	| "runner"
	| "models"
	| "userServers"
	| "settings"
	| "bundles"
	| "toolRuns"
	| "tasks"
	| "prompts"
	| "templates"
	| "views"
	| "trace"
	| "activity";

/**
 * Everything that MCP Host keeps, in the order in which it is listed and deleted: first what lets something run, last the
 * activity, which notes what is revoked.
 */
export const keptStores: readonly KeptStore[] = [
	{
		id: "approvals",
		label: "Server Approvals",
		detail: "Which servers may start. Without an approval, a server asks again before it starts.",
		effect: "Running servers stop, except the demo. What approved servers keep (inputs, sign-ins, roots) goes too.",
		unit: "approval",
		places: { journals: ["approvals"], uncounted: ["installation"] },
	},
	{
		id: "inputs",
		label: "Inputs and Secrets of Servers",
		detail: "Values that you entered for servers, such as tokens. A server asks for them at its next start.",
		effect: "Running servers keep the values that they were started with.",
		unit: "value",
		places: { secrets: ["mcpHost.input/"] },
	},
	{
		id: "signIns",
		label: "Sign-Ins",
		detail: "Tokens of servers that you signed in to. You sign in again at the next start.",
		effect: "Servers that you are signed in to are disconnected.",
		unit: "sign-in",
		places: { secrets: ["mcpHost.credentials/", "mcpHost.signOuts/"], state: ["mcpHost.accounts"] },
	},
	{
		id: "grants",
		label: "Grants and Reviewed Tools",
		detail: "Calls and sampling requests that you decided in advance, what models were used, and accepted tools.",
		effect: "You are asked about every call and sampling request. Tools count as new. Limits per day start from 0.",
		unit: "entry",
		places: { journals: ["grants", "pins", "samplingUse"] },
	},
	{
		id: "agents",
		label: "Agents That Use Your Servers",
		detail:
			"Programs on this machine that you allowed or denied, keys for HTTP, and the lists that they were offered last.",
		effect: "You are asked about these programs again, and no key works any more.",
		unit: "agent",
		places: {
			journals: ["agents"],
			uncounted: ["offered"],
			secrets: ["mcpHost.agentKey/"],
			uncountedSecrets: ["mcpHost.windowsKey"],
		},
	},
	{
		id: "handOvers",
		label: "Hand-Overs to Agents",
		detail: "Former entries in configurations of other agents, which MCP Host replaced, and the command mcp-host.",
		effect: "The files of agents are restored if they were not changed since. The command is removed from your PATH.",
		unit: "file",
		places: { secrets: ["mcpHost.handOver/"] },
	},
	{
		id: "switched",
		label: "Disabled Servers and Chosen Roots",
		detail: "Servers that you switched off or on here, and the roots that you chose in this workspace.",
		effect: "A server that you switched off can start again if it is still approved.",
		unit: "choice",
		places: { journals: ["switched"], state: ["mcpHost.roots"] },
	},
	{
		id: "apps",
		label: "Apps",
		detail: "Access to the network and the clipboard that you allowed apps, their last pages, and apps to reopen.",
		effect: "Apps ask for access again.",
		unit: "app",
		places: { state: ["mcpHost.apps", "mcpHost.openApps"], files: ["apps"] },
	},
	{
		id: "runner",
		label: "Choice of Host for Shared Servers",
		detail:
			"Your answer for this workspace, with the setting chat.mcp.access that it wrote, and MCP Host in the Agents window.",
		effect:
			"VS Code's own MCP host is on again where MCP Host turned it off. You are asked again who runs shared servers.",
		unit: "choice",
		places: { state: ["mcpHost.sharedFiles"], settings: ["extensions.supportAgentsWindow"] },
	},
	{
		id: "models",
		label: "Model Endpoints and Keys",
		detail: "Endpoints in mcpHost.models of your user settings, their API keys and headers, and the models used last.",
		effect: "The models of these endpoints are gone from chat.",
		unit: "entry",
		places: {
			state: ["mcpHost.lastModel", "mcpHost.usedModel", "mcpHost.offeredModels", "mcpHost.usedModels"],
			secrets: ["mcpHost.apiKey:", "mcpHost.modelHeader:"],
			settings: ["mcpHost.models"],
		},
	},
	{
		id: "userServers",
		label: "Servers in User Settings",
		detail: "The servers in mcpHost.servers and their inputs. Servers in files, such as mcp.json, stay.",
		effect: "These servers stop, and their definitions are deleted.",
		unit: "entry",
		places: { settings: ["mcpHost.servers", "mcpHost.inputs"] },
	},
	{
		id: "settings",
		label: "Other User Settings",
		detail:
			"All other settings of MCP Host, rules among them, in your user settings. Settings in files of a workspace stay.",
		effect: "Rules of your user settings (mcpHost.policy.rules) no longer deny or ask.",
		unit: "setting",
		places: { settings: ["mcpHost.*"] },
	},
	{
		id: "bundles",
		label: "Installed Bundles",
		detail: "The files of servers that were installed from MCPB bundles.",
		effect: "Servers that run from bundles stop working until you install the bundles again.",
		unit: "bundle",
		places: { files: ["bundles"] },
	},
	{
		id: "toolRuns",
		label: "Tool Runs",
		detail: "The runs of this window, and the arguments and tools that you used last.",
		effect: "Forms no longer offer your last arguments.",
		unit: "entry",
		places: { state: ["mcpHost.toolArguments", "mcpHost.recentTools"] },
	},
	{
		id: "tasks",
		label: "Running Tasks",
		detail:
			"Tasks of this workspace, with their ids and the arguments of their calls, and tools that are called as tasks.",
		effect: "Their results are lost. The servers go on with them.",
		unit: "task",
		places: { state: ["mcpHost.tasks", "mcpHost.toolsAsTasks"], secrets: ["mcpHost.task/"] },
	},
	{
		id: "prompts",
		label: "Prompts",
		detail: "Pinned and recent prompts, and the values that you entered for them.",
		effect: "Prompts are no longer pinned.",
		unit: "entry",
		places: { state: ["mcpHost.pinnedPrompts", "mcpHost.recentPrompts", "mcpHost.promptValues"] },
	},
	{
		id: "templates",
		label: "Template History",
		detail: "Resources that you opened from templates, and the values that you entered.",
		effect: "The tree no longer lists these resources.",
		unit: "template",
		places: { state: ["mcpHost.templateResults", "mcpHost.templateValues"] },
	},
	{
		id: "views",
		label: "View State and Caches",
		detail: "Open rows, sorting, watched resources, protocol versions, token counts, registry pages.",
		effect: "Open views keep their state until you reload the window.",
		unit: "entry",
		places: {
			journals: ["costs"],
			state: [
				"mcpHost.eras",
				"mcpHost.openRows",
				"mcpHost.tree.resources",
				"mcpHost.watchedResources",
				"mcpHost.workspace",
			],
			files: ["registry", "configuration.lock"],
		},
	},
	{
		id: "trace",
		label: "Trace",
		detail: "Messages between MCP Host and the servers of this window. Kept in memory.",
		effect: "Links to messages of this window lead nowhere.",
		unit: "exchange",
		places: {},
	},
	{
		id: "activity",
		label: "Activity",
		detail:
			"What was decided and done, of all windows, with the contents of sampling requests. Open reviews stay in it.",
		effect: "One entry that says that you cleared it stays, with the key that proves it.",
		unit: "entry",
		places: { files: ["activity"], secrets: ["activityKey"] },
		isOwned: true,
	},
];
