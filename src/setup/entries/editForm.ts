import type { JsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { FormQuestion } from "../../questions/form/formQuestion.ts";
import type { ServerDefinition } from "../../servers/definitions/config.ts";
import { parseConfig } from "../../servers/definitions/parseConfig.ts";
import { keyOf } from "./serverEdits.ts";

const texts = (title: string, description: string): JsonObject => ({
	type: "object",
	title,
	description,
	additionalProperties: { type: "string" },
});

const references = "${env:NAME} reads a value from the environment, ${input:id} from the secret store.";

const type = (...types: readonly string[]): JsonObject => ({
	type: "string",
	enum: types,
	title: "Type",
	description: "How MCP Host connects to the server.",
});

const local: JsonObject = {
	command: { type: "string", title: "Command", description: "The program that starts the server.", minLength: 1 },
	args: {
		type: "array",
		title: "Arguments",
		description: "One per field, exactly as passed to the program. No shell interprets them.",
		items: { type: "string" },
	},
	env: texts("Environment", `Variables that the server receives. ${references}`),
	envFile: { type: "string", title: "Environment File", description: "A file with more variables, one per line." },
	cwd: { type: "string", title: "Working Directory", description: "The folder in which the server starts." },
};

const remote: JsonObject = {
	url: { type: "string", title: "URL", description: "The address of the server.", minLength: 1 },
	headers: texts("Headers", `Sent with each request. ${references}`),
};

/** The form in which a user edits the entry of a server. Members that the form does not name stay as written. */
export function editQuestion({
	definition,
	entry,
	inputs,
}: {
	readonly definition: ServerDefinition;
	readonly entry: JsonObject;
	readonly inputs: readonly JsonObject[];
}): FormQuestion {
	const name = oneLine(definition.name, 80);
	const isLocal = definition.config.kind === "stdio";
	return {
		subject: { kind: "form", server: definition.name, serverId: definition.id, title: "is edited" },
		heading: `Edit the server "${name}"`,
		tabTitle: `Edit ${name}`,
		notes: [
			`Saved in ${oneLine(definition.origin.label, 200)}. A changed server needs your approval again before it starts. For values that look secret, MCP Host offers the secret store.`,
		],
		content: {
			kind: "schema",
			schema: {
				type: "object",
				properties: isLocal ? { ...local, type: type("stdio") } : { ...remote, type: type("http", "sse") },
				required: isLocal ? ["command"] : ["url"],
			},
		},
		initial: entry,
		submitLabel: "Save",
		canDecline: false,
		validate: async (value) => problemsOf(definition, value, inputs),
	};
}

/** The problems that prevent an edited entry from being a server, by their places. */
function problemsOf(
	definition: ServerDefinition,
	entry: JsonObject,
	inputs: readonly JsonObject[],
): readonly { readonly path: readonly (string | number)[]; readonly message: string }[] {
	const { origin } = definition;
	const name = keyOf(definition);
	// As a value of settings, for every file: then each path begins with the name.
	const { problems } = parseConfig({ origin, content: { value: { [name]: { ...entry, disabled: false } }, inputs } });
	return problems
		.filter(({ severity, server }) => severity === "error" && server !== undefined)
		.map(({ path, message }) => ({ path: path.slice(1), message }));
}
