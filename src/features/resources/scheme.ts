/** The scheme of our read-only file system; `mcp-resource` is taken by the editor's own host. */
export const resourceScheme = "mcphost-resource";
