/*
 * This module stands in for the SDK's own choice of runtime parts: the validator that interprets schemas
 * instead of generating code from what a server sent. The host gives it none: it checks results by itself, within a time
 * limit (results/outputSchema.ts).
 */
export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from "@modelcontextprotocol/client/validators/cf-worker";

/** Node's network semantics: a failed connection is no hint of a browser's restrictions. */
export const CORS_IS_POSSIBLE = false;
