// The editor's own MCP host, used as far as an extension can: its tools are called within a chat, with its own questions.
const v8 = require("node:v8");
const vm = require("node:vm");
const vscode = require("vscode");

v8.setFlagsFromString("--expose-gc");
const collect = vm.runInNewContext("gc");

/** The memory that the extension host uses after a collection, in kilobytes. */
function memory() {
	for (let round = 0; round < 3; round++) collect();
	const { heapUsed, external, rss } = process.memoryUsage();
	return { heap: Math.round((heapUsed + external) / 1024), resident: Math.round(rss / 1024) };
}

/** Answers `memory`, or `{"tool": "echo", "input": {}, "times": 30}`: the calls follow each other. */
async function answer(request, _context, stream, token) {
	if (request.prompt.startsWith("memory")) {
		stream.markdown(`\`MEMORY ${JSON.stringify(memory())}\``);
		return;
	}
	const { tool, input, times } = JSON.parse(request.prompt);
	const known = vscode.lm.tools.find(({ name }) => name.startsWith("mcp_") && name.endsWith(`_${tool}`));
	if (known === undefined) {
		stream.markdown("There is no such tool.");
		return;
	}
	let said = "";
	for (let call = 0; call < times; call++) {
		const result = await vscode.lm.invokeTool(
			known.name,
			{ input, toolInvocationToken: request.toolInvocationToken },
			token,
		);
		said = result.content.map((part) => part.value ?? "(data)").join("\n");
	}
	stream.markdown(`\n\nThe peer heard: ${said}`);
}

exports.activate = (context) => {
	context.subscriptions.push(vscode.chat.createChatParticipant("peer.chat", answer));
};
