// An agent like the editor's own: it calls tools through the editor, within its chat, and with the editor's questions.
// Its model obeys every text: it makes each call `CALL tool {…}` in a message of the user or in a result of a tool.
const vscode = require("vscode");

const mostCalls = 10;

/** The calls in a text, one in each line. */
function ordersIn(text) {
	return [...text.matchAll(/CALL (\w+) (\{.*\})/g)].flatMap(([, name, json]) => {
		try {
			return [{ name, input: JSON.parse(json) }];
		} catch {
			return [];
		}
	});
}

async function answer(request, _context, stream, token) {
	const orders = ordersIn(request.prompt);
	for (let calls = 0; orders.length > 0 && calls < mostCalls; calls++) {
		const { name, input } = orders.shift();
		const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: request.toolInvocationToken }, token);
		const text = result.content.map((part) => part.value ?? "(data)").join("\n");
		stream.markdown(`\n\nTOLD: ${text.slice(0, 400)}\n\n`);
		orders.push(...ordersIn(text));
	}
	stream.markdown("\n\nThe agent is done.");
}

exports.activate = (context) => {
	context.subscriptions.push(vscode.chat.createChatParticipant("foreignAgent.chat", answer));
};
