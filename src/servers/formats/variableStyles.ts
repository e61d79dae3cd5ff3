import { oneLine } from "../../base/text.ts";

/** The results of translating the variables of another host. */
export interface VariableNotes {
	/** A value that only a user can give: an input with this id is needed. */
	needInput(id: string, why?: string): void;
	/** Our sentence about a part that could not be translated. */
	remark(text: string): void;
}

/** Variables that mean the same here. */
const shared =
	/^(?:workspaceFolder(?::.*)?|workspaceRoot|workspaceFolderBasename(?::.*)?|userHome|pathSeparator|\/|input:.*)$/s;
const name = String.raw`[A-Za-z_]\w*`;
/** `NAME`, `NAME:-default`. */
const bare = new RegExp(`^(${name})(:-.*)?$`, "s");
/** `env:NAME`, `env://NAME`, each with a default or without. */
const ofEnvironment = new RegExp(`^env:(?:\\/\\/)?(${name})(:-.*)?$`, "s");
/** `env:NAME | value:default`. */
const orValue = new RegExp(`^env:(${name})\\s?\\|\\s?value:(.*)$`, "s");
const forms = /\$\{\{([^{}]*)\}\}|\$\{([^{}]*)\}|\{(env|file):([^{}]*)\}/g;

/**
 * A text with the variables of any host as ours: `${env:NAME}`, `${env:NAME:-default}`, `${input:id}`. A variable with
 * the same name here stays. One without a counterpart stays as well, with a remark: such a server does not start until
 * somebody changes it.
 */
export function translateVariables(text: string, notes: VariableNotes, hasDollarNames = false): string {
	if (/^op:\/\/./.test(text)) {
		const id = idFrom(text.slice("op://".length));
		notes.needInput(id, `"${short(text)}" is stored in 1Password; MCP Host asks you for the value instead.`);
		return `\${input:${id}}`;
	}
	const translated = text.replace(
		forms,
		(found, expression?: string, variable?: string, kind?: string, argument = "") => {
			if (expression !== undefined) return ofExpression(found, expression, notes);
			if (variable !== undefined) return ofVariable(found, variable, notes);
			if (kind === "env") return new RegExp(`^${name}$`).test(argument) ? `\${env:${argument}}` : found;
			const id = idFrom(argument);
			notes.needInput(
				id,
				`The other host reads a value from the file "${short(argument)}"; MCP Host asks you for it instead.`,
			);
			return `\${input:${id}}`;
		},
	);
	if (!hasDollarNames) return translated;
	return translated.replace(/\$([A-Za-z_]\w*)/g, (_found, used: string) => `\${env:${used}}`);
}

function ofVariable(found: string, variable: string, notes: VariableNotes): string {
	const [, plain, fallback = ""] = bare.exec(variable) ?? ofEnvironment.exec(variable) ?? [];
	if (shared.test(variable)) {
		if (variable.startsWith("input:")) notes.needInput(variable.slice("input:".length));
		return found;
	}
	if (plain !== undefined) return `\${env:${plain}${fallback}}`;
	const [, either, value = ""] = orValue.exec(variable) ?? [];
	if (either !== undefined) return `\${env:${either}:-${value}}`;
	// Names of the environment on Windows may hold more signs, as in `ProgramFiles(x86)`.
	if (variable.startsWith("env:")) return found;
	notes.remark(`"${short(found)}" is not a variable in MCP Host. Replace it; otherwise, the server does not start.`);
	return found;
}

/**
 * A text of an `.mcp.json`, whose variables have the form of Claude Code (https://code.claude.com/docs/en/mcp,
 * "Environment variable expansion in .mcp.json"): `${NAME}` and `${NAME:-default}`. Variables of this host stay, and so
 * do names that are not meant.
 */
export function translateShellVariables(text: string, isMeant: (name: string) => boolean = () => true): string {
	return text.replace(forms, (found, _expression, variable?: string) => {
		const [, used, fallback = ""] = variable === undefined || shared.test(variable) ? [] : (bare.exec(variable) ?? []);
		return used === undefined || !isMeant(used) ? found : `\${env:${used}${fallback}}`;
	});
}

/** `${{ secrets.NAME }}` and `${{ inputs.NAME }}`. */
function ofExpression(found: string, expression: string, notes: VariableNotes): string {
	const [, id] = /^(?:secrets|inputs)\.([\w.-]+)$/.exec(expression.trim()) ?? [];
	if (id === undefined) {
		notes.remark(`"${short(found)}" is not a variable in MCP Host. Replace it; otherwise, the server does not start.`);
		return found.replace("${{", "${").replace("}}", "}");
	}
	notes.needInput(id, `"${short(found)}" is stored elsewhere; MCP Host asks you for the value instead.`);
	return `\${input:${id}}`;
}

/** An id of an input for a path: its last parts, of signs that an id may have. */
function idFrom(path: string): string {
	const parts = path.split(/[\\/]/).filter((part) => part !== "");
	const id = parts
		.slice(-2)
		.join("-")
		.slice(-60)
		.replace(/[^\w-]+/g, "-")
		.replace(/^-+/, "");
	return id === "" ? "value" : id;
}

function short(text: string): string {
	return oneLine(text, 60);
}
