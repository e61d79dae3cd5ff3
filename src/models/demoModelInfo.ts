import type { ModelInfo } from "./model.ts";

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
