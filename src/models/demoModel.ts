import type { ChatModel, ModelInfo } from "./model.ts";

/** The demo model as lists show it, known before its script is loaded. */
export const demoModelInfo: ModelInfo = {
	id: "demo/scripted",
	name: "Demo model (scripted)",
	provider: "Demo (scripted, not a real model)",
	maxInputTokens: 100_000,
	maxOutputTokens: 4000,
	supportsTools: true,
	supportsImages: false,
};

/** The scripted model that comes with the demo server; its script is loaded by the first request. */
export const demoModel: ChatModel = {
	info: demoModelInfo,
	async *respond(messages, options) {
		const { createDemoModel } = await import("../demo/model.ts");
		yield* createDemoModel().respond(messages, options);
	},
};
