import { registerHooks } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** The shipped bundle, with the shipped schema validator, in place of the modules that it is made of. */
const client = pathToFileURL(resolve(import.meta.dirname, "../../dist/connect.js")).href;

/** Errors are distinguished by their classes, so that there must be one of each: those of the bundle. */
const bundled = /\/(connection\/connect|base\/errors|base\/refusal)\.ts$|^\.\/(errors|refusal)\.ts$/;

/** Makes later imports use the bundles, as in the extension. */
export function useBundles(): void {
	registerHooks({
		resolve: (specifier, context, next) => next(bundled.test(specifier) ? client : specifier, context),
	});
}
