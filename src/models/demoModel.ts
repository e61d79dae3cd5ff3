import { demoModelInfo } from "../demo/modelInfo.ts";
import type { ChatModel } from "./model.ts";

/** The scripted model that comes with the demo server; its script is loaded by the first request. */
export const demoModel: ChatModel = {
	info: demoModelInfo,
	async *respond(messages, options) {
		const { createDemoModel } = await import("../demo/model.ts");
		yield* createDemoModel().respond(messages, options);
	},
};
