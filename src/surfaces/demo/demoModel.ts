import { demoModelInfo } from "../../models/demoModelInfo.ts";
import type { ChatModel } from "../../models/model.ts";

/** The scripted model of the demo server; its script is loaded by the first request. */
export const demoModel: ChatModel = {
	info: demoModelInfo,
	async *respond(messages, options) {
		const { createDemoModel } = await import("./model.ts");
		yield* createDemoModel().respond(messages, options);
	},
};
