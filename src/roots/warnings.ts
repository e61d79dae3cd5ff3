import type { ConfigOrigin } from "../servers/config.ts";
import { holdsHome, pathOf, resolveExtra, type RootsWorld } from "./offer.ts";
import type { RootsRule } from "./rule.ts";

/** What is unusual about the roots that a server's entry asks for; a hint for who reviews it, never a verdict. */
export function warningsForRoots(
	rule: RootsRule | undefined,
	origin: ConfigOrigin,
	machine: Pick<RootsWorld, "home" | "isWindows">,
): readonly string[] {
	const world: RootsWorld = { ...machine, folders: [], matches: () => false };
	const uris = (rule?.extra ?? []).flatMap((text) => resolveExtra(text, origin, world)?.uri ?? []);
	const isFile = (uri: string): boolean => uri.startsWith("file:");
	const warnings: string[] = [];
	if (uris.some((uri) => isFile(uri) && holdsHome(pathOf(uri, machine), machine)))
		warnings.push("It wants to be told of your whole home folder.");
	if (!uris.every(isFile)) warnings.push("It wants addresses as roots, where the protocol has folders only.");
	return warnings;
}
