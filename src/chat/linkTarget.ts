import type { Json } from "../base/json.ts";

/** How the target of a link to a command begins. */
export function linkTo(command: string): string {
	return `](command:${command}`;
}

/** The arguments of a command as the end of a link's target. Nothing in it has a meaning in Markdown (security.md UI-02). */
export function linkArguments(args: readonly (Json | undefined)[]): string {
	const encoded = encodeURIComponent(JSON.stringify(args));
	return `?${encoded.replace(/[!'()*_~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}
