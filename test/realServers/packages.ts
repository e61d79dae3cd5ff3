/** A server as npm delivers it. */
export interface RealServer {
	/** Name and exact version. */
	readonly name: string;
	readonly version: string;
	/** The library that it speaks the protocol with, and its generation. */
	readonly sdk: string;
	/** Which of the package's commands it is; the only one by default. */
	readonly command?: string;
	/** Arguments; `folder` is an empty folder of this run, `url` the address of a small server on this machine. */
	readonly args?: (place: { readonly folder: string; readonly url: string }) => readonly string[];
	/** What it insists on before it lists anything; nothing is sent to anybody. */
	readonly env?: Readonly<Record<string, string>>;
}

/** Servers of both generations of the SDK that list what they offer without a network. */
export const realServers: readonly RealServer[] = [
	{ name: "@modelcontextprotocol/server-everything", version: "2026.8.31", sdk: "v1" },
	{
		name: "@modelcontextprotocol/server-filesystem",
		version: "2026.8.31",
		sdk: "v1",
		args: ({ folder }) => [folder],
	},
	{ name: "@modelcontextprotocol/server-memory", version: "2026.8.31", sdk: "v1" },
	{ name: "@modelcontextprotocol/server-sequential-thinking", version: "2026.8.31", sdk: "v1" },
	{ name: "@upstash/context7-mcp", version: "4.1.1", sdk: "v2" },
	{ name: "@playwright/mcp", version: "0.0.83", sdk: "v1, bundled", args: () => ["--headless", "--isolated"] },
	{
		name: "chrome-devtools-mcp",
		version: "1.11.0",
		sdk: "v2, bundled",
		command: "chrome-devtools-mcp",
		args: () => ["--headless", "--isolated"],
	},
	{
		name: "mcp-remote",
		version: "0.15.1",
		sdk: "v2, bundled",
		command: "mcp-remote",
		args: ({ url }) => [url, "--transport", "http-only"],
	},
	{ name: "@notionhq/notion-mcp-server", version: "2.5.2", sdk: "v1", env: { NOTION_TOKEN: "none" } },
	{ name: "tavily-mcp", version: "0.2.22", sdk: "v1", env: { TAVILY_API_KEY: "none" } },
	{
		name: "figma-developer-mcp",
		version: "0.13.2",
		sdk: "v1",
		args: () => ["--stdio", "--figma-api-key=none"],
	},
];
