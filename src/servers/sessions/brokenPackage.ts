import { oneLine } from "../../base/text.ts";
import { decoded } from "../../base/words.ts";
import type { LaunchedPackage } from "../definitions/packageOf.ts";
import type { StartCause } from "./startCause.ts";

const lacks: Partial<Record<StartCause["kind"], string>> = {
	"no-package": "it needs the package {}, which no registry has",
	"no-version": "it needs {}, which does not exist",
	"no-module": "it lacks {}",
	"no-program": "its program {} cannot be run",
};

/**
 * The text for a package that was found but is broken inside: its name is correct then. `kind` and `subject` are the
 * meaning of `line` alone. Undefined if the problem may be in the entry.
 */
export function brokenInside(
	{ launcher, name }: LaunchedPackage,
	kind: StartCause["kind"],
	subject: string,
	line: string,
): string | undefined {
	const what = lacks[kind];
	if (what === undefined || subject === "" || launcher === "docker") return undefined;
	const isOwn = sameName(subject, name);
	// The package itself is missing, or a version of it that the entry asks for.
	if ((kind === "no-package" || kind === "no-version") && isOwn) return undefined;
	// A path that is not that of an installed package may be an argument; a program of another name is another program.
	const isPath = /^(?:[./\\]|[a-z]:)/i.test(subject);
	if (kind === "no-module" && isPath && !/[\\/](?:node_modules|site-packages|_npx)[\\/]/.test(line)) return undefined;
	if (kind === "no-program" && !isOwn) return undefined;
	const shown = `“${oneLine(name, 100)}”`;
	return `The package ${shown} was found, but is broken: ${what.replace("{}", () => `“${oneLine(subject, 160)}”`)}. Try another version in "args", or report it to its author.`;
}

/** Whether a text names a package, with or without a version: a scoped one may appear by its last part only. */
function sameName(text: string, name: string): boolean {
	const plain = (one: string): string => one.toLowerCase().replace(/[-_.]+/g, "-");
	const said = plain(decoded(text).replace(/(?!^)(?:@|[=<>~!]).*$/s, ""));
	return said === plain(name) || said === plain(name.split("/").at(-1) ?? name);
}
