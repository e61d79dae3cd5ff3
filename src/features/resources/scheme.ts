/** The scheme of our read-only file system; `mcp-resource` is used by VS Code's own host. */
export const resourceScheme = "mcphost-resource";
