import { sha256 } from "../../base/hash.ts";
import { canonicalJson } from "../../base/json.ts";
import { decidingMeta } from "../../protocol/toolPage.ts";
import type { Session, Tool } from "../../servers/sessions/session.ts";

/** By the objects of a list: a definition that the server sends again is another object. */
const hashes = new WeakMap<Tool, string>();

/**
 * A hash of everything that a model or a user relies on when a tool is called, and that decides who may call it, how it
 * runs and what opens: name, title, description, schemas, annotations, `execution`, its app. Icons and other metadata
 * are not included. Computed once for each object, so that it may be used for every row and call.
 */
export function toolHash(tool: Tool): string {
	const known = hashes.get(tool);
	if (known !== undefined) return known;
	const { name, title, description, inputSchema, outputSchema, annotations, execution } = tool;
	const app = decidingMeta(tool);
	const fields = {
		name,
		title,
		description,
		inputSchema,
		outputSchema,
		annotations,
		execution,
		app,
	};
	const hash = sha256(canonicalJson(fields));
	hashes.set(tool, hash);
	return hash;
}

const prints = new WeakMap<Tool, { readonly definition: string; readonly print: string }>();

/**
 * Distinguishes one definition of a tool from every other: the hash of the tool, and of its server's command or
 * address. Grants are bound to it (TOL-02, TOL-12). Computed once for each tool object and definition.
 */
export function fingerprint(session: Session, tool: Tool): string {
	const { hash: definition } = session.definition;
	const known = prints.get(tool);
	if (known?.definition === definition) return known.print;
	const print = sha256(canonicalJson([definition, toolHash(tool)]));
	prints.set(tool, { definition, print });
	return print;
}
