import type { Grants } from "../../permissions/grants/grants.ts";
import { serverOf } from "../../servers/approval/approvals.ts";
import type { McpHost } from "../../servers/host.ts";
import type { ListedAgents } from "../bridge/listedAgents.ts";
import type { ResetServices, StoreOwner } from "./reset.ts";

/** The owners of stores that are notified before their data is deleted. */
export interface OwnerServices {
	readonly host: Pick<McpHost, "approvals" | "identity" | "registry" | "revoke" | "roots" | "signIns" | "signOut">;
	readonly grants: Pick<Grants, "all" | "revoke">;
	readonly forgetRunner: () => Promise<void>;
	readonly agents: Pick<ListedAgents, "all" | "refresh" | "revoke">;
	readonly handOvers: StoreOwner;
	readonly forgetTemplates: () => Promise<unknown>;
	readonly runs: StoreOwner;
	readonly tasks: StoreOwner;
	readonly trace: StoreOwner;
	readonly activity: StoreOwner;
}

/** The owners of stores: each lets go of what it keeps as the command that clears it alone does. */
export function storeOwners(services: OwnerServices): ResetServices["owners"] {
	const { host, grants } = services;
	const servers = (): readonly string[] => host.registry.sessions.map(({ definition }) => definition.id);
	return {
		approvals: {
			clear: async () => {
				const ids = new Set([...host.approvals.all.keys()].map(serverOf));
				for (const id of ids) await host.revoke(id);
			},
		},
		signIns: {
			clear: async () => {
				await (await host.identity.get()).signOut();
				for (const id of servers()) if (host.signIns.accounts.get(id) !== undefined) await host.signOut(id);
			},
		},
		grants: { clear: () => grants.revoke(grants.all.map(({ id }) => id)) },
		agents: {
			clear: async () => {
				await services.agents.refresh();
				await services.agents.revoke(services.agents.all.map(({ key }) => key));
			},
		},
		handOvers: services.handOvers,
		switched: {
			clear: async () => {
				for (const id of servers()) await host.roots.model?.choose(id, undefined);
			},
		},
		runner: { clear: services.forgetRunner },
		templates: { clear: services.forgetTemplates },
		toolRuns: services.runs,
		tasks: services.tasks,
		trace: services.trace,
		activity: services.activity,
	};
}
