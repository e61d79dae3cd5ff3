// Another extension with a model in the editor. Tests queue its answers by the command `foreignModels.next` and read
// its requests by `foreignModels.asked`; both run in the same extension host.
const vscode = require("vscode");

const information = {
	id: "foreign-1",
	name: "Foreign One",
	family: "foreign",
	version: "1",
	maxInputTokens: 8000,
	maxOutputTokens: 1000,
	capabilities: { toolCalling: true, imageInput: true },
};

/** @type {object[]} */
const asked = [];
/** @type {{ texts?: string[], call?: object, error?: string, isHeld?: boolean }[]} */
const answers = [];

const provider = {
	provideLanguageModelChatInformation: () => [information],
	async provideLanguageModelChatResponse(_information, messages, options, progress, token) {
		asked.push({
			messages: messages.map(readMessage),
			tools: options.tools,
			toolMode: options.toolMode,
			more: options.modelOptions,
		});
		const { texts = [], call, error, isHeld = false } = answers.shift() ?? {};
		if (error === "plain") throw new Error("The foreign service is down.");
		if (error !== undefined) throw vscode.LanguageModelError[error](`foreign: ${error}`);
		for (const text of texts) progress.report(new vscode.LanguageModelTextPart(text));
		if (call !== undefined) progress.report(new vscode.LanguageModelToolCallPart(call.id, call.name, call.input));
		if (isHeld) await new Promise((resolve) => token.onCancellationRequested(resolve));
	},
	provideTokenCount: (_information, text) => Promise.resolve(typeof text === "string" ? text.length : 1),
};

function readMessage({ role, content }) {
	return {
		role: role === vscode.LanguageModelChatMessageRole.Assistant ? "assistant" : "user",
		content: content.map(readPart),
	};
}

function readPart(part) {
	if (part instanceof vscode.LanguageModelTextPart) return part.value;
	if (part instanceof vscode.LanguageModelToolCallPart) return { call: part.name, input: part.input };
	if (part instanceof vscode.LanguageModelToolResultPart)
		return { result: part.callId, content: part.content.map(readPart) };
	return { mimeType: part.mimeType };
}

exports.activate = (context) => {
	context.subscriptions.push(
		vscode.lm.registerLanguageModelChatProvider("foreign", provider),
		vscode.commands.registerCommand("foreignModels.next", (answer) => void answers.push(answer)),
		vscode.commands.registerCommand("foreignModels.asked", () => asked),
	);
};
