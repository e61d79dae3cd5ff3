// An agent as the editor's own: it calls tools through the editor, within its chat, and with the questions that the editor asks.
// Its model obeys every text: wherever `CALL tool {…}` stands, in what the user says or in what a tool gave, it calls.
const vscode = require("vscode");

const mostCalls = 10;

/** The calls that a text tells to make, one in each line. */
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
