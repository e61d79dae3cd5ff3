import { isSecret } from "../../base/secrets/judge.ts";
import { oneLine } from "../../base/text.ts";

/** How a host writes the values that it fills in itself. */
export interface VariableStyle {
	/** A variable of the environment, with a default where it has one; undefined where it knows none of that kind. */
	readonly environment?: (name: string) => string;
	readonly withDefault?: (name: string, fallback: string) => string;
	/** The variables that it keeps as secrets. */
	readonly secret?: (name: string) => string;
	/** Whether it asks for inputs, as VS Code does. */
	readonly hasInputs?: true;
	/** Its other uses of the names that matter here. */
	readonly known: RegExp;
}

const nothing = /^$/;
const folders = /^(?:workspaceFolder|workspaceFolderBasename|userHome|pathSeparator|\/)$/;
const braces = (name: string): string => `\${${name}}`;

/** The ways in which hosts write variables, as their documentation has them. */
export const styles = {
	/** Values are taken as written. */
	none: { known: nothing },
	/** VS Code's own, which are those of MCP Host. */
	editor: {
		environment: (name) => `\${env:${name}}`,
		withDefault: (name, fallback) => `\${env:${name}:-${fallback}}`,
		hasInputs: true,
		known: /^/,
	},
	cursor: { environment: (name) => `\${env:${name}}`, known: folders },
	windsurf: { environment: (name) => `\${env:${name}}`, known: nothing },
	roo: { environment: (name) => `\${env:${name}}`, known: /^workspaceFolder$/ },
	shell: { environment: braces, withDefault: (name, fallback) => `\${${name}:-${fallback}}`, known: nothing },
	braces: { environment: braces, known: nothing },
	dollars: { environment: braces, known: nothing },
	opencode: { environment: (name) => `{env:${name}}`, known: nothing },
	mcphost: {
		environment: (name) => `\${env://${name}}`,
		withDefault: (name, fallback) => `\${env://${name}:-${fallback}}`,
		known: nothing,
	},
	continue: {
		environment: (name) => `\${{ secrets.${name} }}`,
		secret: (name) => `\${{ secrets.${name} }}`,
		known: nothing,
	},
} as const satisfies Readonly<Record<string, VariableStyle>>;

/** Makes the names under which a host receives MCP Host's inputs; one for each input. */
export class GivenNames {
	private readonly names = new Map<string, string>();

	/** The name for an input, and whether it is new; `wanted` is the variable that holds it and nothing else. */
	of(id: string, wanted?: string): string {
		const found = this.names.get(id);
		if (found !== undefined) return found;
		const base = wanted ?? nameFrom(id);
		const taken = new Set(this.names.values());
		let name = base;
		for (let number = 2; taken.has(name); number++) name = `${base}_${number}`;
		this.names.set(id, name);
		return name;
	}
}

/** The default of a variable, unless it may be a secret, which is never passed on. */
export function openDefault(name: string, fallback: string): string | undefined {
	return isSecret(name, fallback, "entry") ? undefined : fallback;
}

/** The placeholder for a user's own value. */
export function placeFor(name: string): string {
	return `<${oneLine(name, 60).replace(/[<>]/g, "")}>`;
}

/** A name that all systems take for a variable, from the id of an input: `GITHUB_API_KEY` of `github-api-key`. */
function nameFrom(id: string): string {
	const name = id
		.replace(/([a-z])([A-Z])/g, "$1_$2")
		.replace(/[^A-Za-z\d]+/g, "_")
		.replace(/^_|_$/g, "")
		.toUpperCase()
		.slice(0, 60);
	return /^[A-Z]/.test(name) ? name : `VALUE${name === "" ? "" : `_${name}`}`;
}
