/** The only type of a page that is shown as an app (MCP Apps 2026-01-26, "UI Resource Format"). */
export const appMimeType = "text/html;profile=mcp-app";

/** The settings that a client that shows apps sends to servers (MCP Apps 2026-01-26, "Client Capabilities"). */
export const appsExtension = { "io.modelcontextprotocol/ui": { mimeTypes: [appMimeType] } };
