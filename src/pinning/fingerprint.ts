import { createHash } from "node:crypto";
import { canonicalJson, type Json } from "../base/json.ts";
import type { Session, Tool } from "../servers/session.ts";

/**
 * Tells one definition of a tool from every other: a hash of all that a model or a person goes by, and of how its server
 * is started. Grants are bound to it (issue 5; security.md TOL-02, TOL-12). Icons and metadata do not count.
 */
export function fingerprint(session: Session, tool: Tool): string {
	const { name, title, description, inputSchema, outputSchema, annotations } = tool;
	const told = { name, title, description, inputSchema, outputSchema, annotations } as unknown as Json;
	return createHash("sha256")
		.update(canonicalJson([session.definition.hash, told]))
		.digest("hex");
}
