/**
 * Whether a server offers an extension in a revision that MCP Host knows. That is the initial one, whose settings have no
 * `revision`: a peer that receives another does not enable the extension (SEP-3392, "Identifiers and compatibility").
 */
export function isKnown(extensions: Readonly<Record<string, object>> | undefined, name: string): boolean {
	const settings: { readonly revision?: unknown } | undefined = extensions?.[name];
	return settings !== undefined && settings.revision === undefined;
}
