import { holds } from "../../base/whenClause.ts";

/** The parts of our manifest that say what can be done with a row of the Servers view. */
export interface MenuManifest {
	readonly contributes: {
		readonly commands: readonly { readonly command: string; readonly title: string; readonly icon?: string }[];
		readonly menus: {
			readonly "view/item/context": readonly {
				readonly command: string;
				readonly group: string;
				readonly when: string;
			}[];
		};
	};
}

/** Something that can be done with a server. */
export interface ServerAction {
	readonly command: string;
	readonly title: string;
	/** The name of a codicon. */
	readonly icon: string;
	/** Actions of one group are together. */
	readonly group: string;
}

/** The entries of the context menu of a server's row, in its order. `context` is that of the row. */
export function serverActions({ contributes }: MenuManifest, context: string): readonly ServerAction[] {
	const values = { view: "mcpHost.servers", viewItem: context };
	const offered = contributes.menus["view/item/context"].filter(
		({ group, when }) => !group.startsWith("inline") && holds(when, values),
	);
	return offered
		.toSorted((one, other) => one.group.localeCompare(other.group, "en", { numeric: true }))
		.flatMap(({ command, group }) => {
			const known = contributes.commands.find((one) => one.command === command);
			if (known === undefined) return [];
			const icon = /^\$\((.+)\)$/.exec(known.icon ?? "")?.[1] ?? "blank";
			return [{ command, title: known.title, icon, group: group.split("@")[0] ?? group }];
		});
}
