/** Where an argument's value can be taken from besides typing, in our words. */
export const fillLabels = {
	selection: "Editor Selection",
	file: "Current File",
	clipboard: "Clipboard",
	command: "Output of a Command…",
} as const;

/** One of those places. */
export type FillId = keyof typeof fillLabels;
