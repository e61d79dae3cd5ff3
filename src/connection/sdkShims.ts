import type { JsonSchemaType, JsonSchemaValidator } from "@modelcontextprotocol/client";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/client/validators/cf-worker";
import { messageOf } from "../base/errors.ts";
import { mayBeEndless, schemaTimeMs } from "../base/schemaCost.ts";
import { withinTime } from "../base/timeBudget.ts";

/*
 * This module stands in for the SDK's own choice of runtime parts (spec.md P11).
 */

/**
 * The validator that interprets schemas instead of generating code from what a server sent. A schema whose expressions
 * do not come to an end on the server's own text fails the call and freezes nothing (security.md TRN-53).
 */
export class DefaultJsonSchemaValidator extends CfWorkerJsonSchemaValidator {
	override getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
		const validate = super.getValidator<T>(schema);
		if (!mayBeEndless(schema)) return validate;
		return (input) => {
			try {
				return withinTime(schemaTimeMs, () => validate(input));
			} catch (error) {
				return { valid: false, data: undefined, errorMessage: `The schema cannot be applied: ${messageOf(error)}` };
			}
		};
	}
}

/** Node's network semantics: a failed connection is no hint of a browser's restrictions. */
export const CORS_IS_POSSIBLE = false;
