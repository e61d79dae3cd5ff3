import type { JsonObject } from "../json.ts";
import { oneLine } from "../text.ts";
import { draftOf } from "./schema.ts";
import { soundSchema } from "./soundSchema.ts";

/** A larger schema costs more context than any tool is worth: some 25,000 tokens. Those of published servers have 10,000. */
const longestSchema = 100_000;
/** Nobody fills in deeper forms, and everything that traverses schemas recurses. */
const deepest = 64;

/**
 * Why a tool with this input schema can never be called, or undefined. It continues "Not offered to models:". Runs in
 * bounded time for any schema (TOL-20); recursive ones are fine. Other faults only cost the keyword: see {@link
 * soundSchema}.
 */
export function whyUnusable(schema: JsonObject): string | undefined {
	const size = new Size();
	if (!size.add(schema, 0)) return `its input schema is ${size.problem}`;
	if (draftOf(schema) === undefined) {
		return `its input schema uses a dialect of JSON Schema that MCP Host does not know: ${oneLine(JSON.stringify(schema["$schema"]), 100)}`;
	}
	const { type = "object" } = soundSchema(schema);
	if (type !== "object" && !(Array.isArray(type) && type.includes("object"))) {
		return "its input schema does not describe an object";
	}
	return undefined;
}

/** Counts about as many characters as a value has as JSON, and stops at the first that is too many. */
class Size {
	problem = "";
	private left = longestSchema;

	add(value: unknown, depth: number): boolean {
		if (depth > deepest) return this.refuse(`nested more than ${deepest} levels deep`);
		this.left -= typeof value === "string" ? value.length + 3 : 5;
		const isList = Array.isArray(value);
		if (this.left >= 0 && typeof value === "object" && value !== null) {
			for (const key in value) {
				this.left -= isList ? 0 : key.length + 4;
				if (this.left < 0) break;
				if (!this.add(Reflect.get(value, key), depth + 1)) return false;
			}
		}
		return this.left >= 0 || this.refuse(`too large (more than ${longestSchema.toLocaleString("en-US")} characters)`);
	}

	private refuse(problem: string): false {
		this.problem = problem;
		return false;
	}
}
