/** Another extension that provides a server: the entry that an environment variable holds. */
const vscode = require("vscode");

exports.activate = (context) => {
	const { command, args, env } = JSON.parse(process.env.MCP_HOST_PROVIDED);
	context.subscriptions.push(
		vscode.lm.registerMcpServerDefinitionProvider("provider.servers", {
			provideMcpServerDefinitions: () => [new vscode.McpStdioServerDefinition("extension", command, args, env)],
		}),
	);
};
