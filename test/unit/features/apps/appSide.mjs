import { App } from "@modelcontextprotocol/ext-apps";

export async function startAppSide(send, listen, takesTeardown = true, availableDisplayModes) {
	const capabilities = availableDisplayModes && { availableDisplayModes };
	const app = new App({ name: "of the library", version: "1.0.0" }, capabilities, { autoResize: false });
	const heard = [];
	const hear = (method) => (params) => void heard.push({ method, params });
	app.addEventListener("toolinput", hear("tool-input"));
	app.addEventListener("toolinputpartial", hear("tool-input-partial"));
	app.addEventListener("toolresult", hear("tool-result"));
	app.addEventListener("toolcancelled", hear("tool-cancelled"));
	app.addEventListener("hostcontextchanged", hear("host-context-changed"));
	if (takesTeardown) {
		app.onteardown = async (params) => {
			heard.push({ method: "resource-teardown", params });
			return {};
		};
	}
	const transport = {
		start: async () => listen((message) => transport.onmessage?.(message)),
		send: async (message) => send(message),
		close: async () => undefined,
	};
	await app.connect(transport);
	return {
		heard,
		capabilities: () => app.getHostCapabilities(),
		context: () => app.getHostContext(),
		callTool: (name, args) => app.callServerTool({ name, arguments: args }),
		readResource: (uri) => app.readServerResource({ uri }),
		listResources: () => app.listServerResources(),
		openLink: (url) => app.openLink({ url }),
		sendMessage: (text) => app.sendMessage({ role: "user", content: [{ type: "text", text }] }),
		updateModelContext: (text, structuredContent) =>
			app.updateModelContext({ content: [{ type: "text", text }], ...(structuredContent && { structuredContent }) }),
		sendSize: (width, height) => app.sendSizeChanged({ width, height }),
		downloadFile: (contents) => app.downloadFile({ contents }),
		requestTeardown: () => app.requestTeardown(),
		createMessage: (params) => app.createSamplingMessage(params),
		requestDisplayMode: (mode) => app.requestDisplayMode({ mode }),
	};
}
