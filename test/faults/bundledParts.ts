import { registerHooks } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** The bundle that ships, with the schema validator that ships, in place of the module that it is made of. */
const client = pathToFileURL(resolve(import.meta.dirname, "../../dist/client.cjs")).href;

/** Makes imports that follow take the bundles, as in the extension. */
export function useBundles(): void {
	registerHooks({
		resolve: (specifier, context, next) =>
			next(specifier.endsWith("/connection/connect.ts") ? client : specifier, context),
	});
}
