/**
 * Replaces the server SDK's own choice of runtime parts: the schema validator that generates no code, at a third less
 * of the bundle.
 */
export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from "@modelcontextprotocol/server/validators/cf-worker";
export { default as process } from "node:process";
