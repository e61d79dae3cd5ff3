/**
 * Stands in for the SDK's own choice of runtime parts: the validator that interprets schemas instead of generating code
 * from what a server sent, and Node's network semantics (spec.md P11).
 */
export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from "@modelcontextprotocol/client/validators/cf-worker";
export const CORS_IS_POSSIBLE = false;
