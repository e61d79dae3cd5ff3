/* This module replaces the SDK's own choice of runtime parts: the validator that interprets schemas instead of
   generating code from a server's input. The host gives it no validator: it checks results itself, within a time limit
   (results/outputSchema.ts). */
export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from "@modelcontextprotocol/client/validators/cf-worker";

/** Node's network semantics: a failed connection does not indicate a browser's restrictions. */
export const CORS_IS_POSSIBLE = false;
