import type { JsonObject } from "../../base/json.ts";

/** A minimal server to begin with: its files, and the entry that runs it. */
export interface ServerTemplate {
	readonly language: "TypeScript" | "Python";
	/** The file that a user edits. */
	readonly main: string;
	/** The texts of its files, by their names. */
	readonly files: ReadonlyMap<string, string>;
	/** The command line that installs its packages; absent if the start does that. */
	readonly install?: string;
	/** The packages that this installs. */
	readonly packages: readonly string[];
	/** The entry of an `mcp.json`, for files that lie in a folder below that of the entry; empty for its own. */
	entry(below: string): JsonObject;
}

/** The template in TypeScript, which Node runs as it is written (from version 22.18 on). */
export function typescriptTemplate(name: string): ServerTemplate {
	const dependencies = { "@modelcontextprotocol/server": "^2.4.0", zod: "^4.2.0" };
	const manifest = {
		name,
		version: "0.1.0",
		private: true,
		type: "module",
		engines: { node: ">=22.18" },
		dependencies,
	};
	return {
		language: "TypeScript",
		main: "server.ts",
		files: new Map([
			["server.ts", typescript(name)],
			["package.json", `${JSON.stringify(manifest, undefined, 2)}\n`],
		]),
		install: "npm install",
		packages: Object.keys(dependencies),
		entry: (below) => ({
			command: "node",
			args: [`${below}server.ts`],
			dev: { watch: `${below}*.ts`, debug: { type: "node" } },
		}),
	};
}

/** The template in Python: run by uv, which brings its package along, or by an interpreter that needs it installed. */
export function pythonTemplate(name: string, hasUv: boolean): ServerTemplate {
	return {
		language: "Python",
		main: "server.py",
		files: new Map([["server.py", python(name)]]),
		packages: ["mcp"],
		...(hasUv ? {} : { install: "python3 -m pip install mcp" }),
		entry: (below) => ({
			...(hasUv
				? { command: "uv", args: ["run", `${below}server.py`] }
				: { command: "python3", args: [`${below}server.py`] }),
			dev: { watch: `${below}*.py`, ...(hasUv ? {} : { debug: { type: "debugpy" } }) },
		}),
	};
}

/** The name of a folder as packages and servers are called: `my-server` of `My Server`. */
export function projectName(folder: string): string {
	const plain = folder
		.toLowerCase()
		.replaceAll(/[^a-z\d]+/g, "-")
		.replaceAll(/^-+|-+$/g, "");
	return plain === "" || plain === "server" ? "my-server" : plain;
}

function typescript(name: string): string {
	return `import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

function createServer(): McpServer {
	const server = new McpServer({ name: ${JSON.stringify(name)}, version: "0.1.0" });

	server.registerTool(
		"greet",
		{
			description: "Greets someone by name.",
			inputSchema: z.object({ name: z.string().describe("Who to greet") }),
			annotations: { readOnlyHint: true },
		},
		async ({ name }) => {
			// Standard output carries the protocol: write what you want to see to standard error.
			console.error(\`greeting \${name}\`);
			return { content: [{ type: "text", text: \`Hello, \${name}!\` }] };
		},
	);

	return server;
}

serveStdio(createServer);
`;
}

function python(name: string): string {
	return `# /// script
# requires-python = ">=3.10"
# dependencies = ["mcp>=1.9"]
# ///
import sys

from mcp.server.fastmcp import FastMCP

server = FastMCP(${JSON.stringify(name)})


@server.tool()
def greet(name: str) -> str:
    """Greets someone by name."""
    # Standard output carries the protocol: write what you want to see to standard error.
    print(f"greeting {name}", file=sys.stderr)
    return f"Hello, {name}!"


if __name__ == "__main__":
    server.run()
`;
}
