import type { Json, JsonObject } from "../../base/json.ts";
import { cap, oneLine, showHidden } from "../../base/text.ts";
import type { BundleManifest, BundleSetting, SettingValue } from "../bundles/manifest.ts";
import type { FormQuestion, QuestionField } from "../../questions/form/formQuestion.ts";

/** How much of a bundle's own description is shown, in characters. */
const quoteLimit = 2000;

/** Lets the user choose a file or a folder; undefined when they chose none. */
export type BrowsePlace = (kind: "file" | "directory") => Promise<string | undefined>;

/** The settings of a bundle for a form: without sensitive ones, whose values no form and no file may contain. */
export function askedSettings({ settings }: Pick<BundleManifest, "settings">): readonly BundleSetting[] {
	return settings.filter(({ isSensitive }) => !isSensitive);
}

/** The form for the settings of a bundle's server, filled in with `initial`. */
export function settingsQuestion(
	manifest: BundleManifest,
	initial: Readonly<Record<string, SettingValue | undefined>>,
	browse: BrowsePlace,
): FormQuestion {
	const name = oneLine(manifest.displayName, 80);
	const settings = askedSettings(manifest);
	const secrets = manifest.settings.filter(({ isSensitive }) => isSensitive).map(({ title }) => oneLine(title, 60));
	return {
		subject: { kind: "form", server: name, title: "is installed" },
		heading: `Settings of “${name}”`,
		tabTitle: `Settings of ${name}`,
		...(manifest.description === "" ? {} : { quote: cap(showHidden(manifest.description), quoteLimit) }),
		notes: [
			"Nothing is installed yet. Next, you see what would run with these values.",
			...(secrets.length === 0
				? []
				: [
						`You are asked for ${secrets.join(", ")} there. Secrets are stored in the secret store, not in the configuration.`,
					]),
		],
		content: { kind: "fields", fields: settings.map(fieldOf) },
		initial: Object.fromEntries(
			settings.flatMap(({ key }): [string, Json][] => {
				const value = initial[key];
				if (value === undefined) return [];
				return [[key, typeof value === "boolean" ? value : textOf(value)]];
			}),
		),
		submitLabel: "Continue",
		canDecline: false,
		validate: async (value) =>
			settings.flatMap((setting) => {
				const message = faultOf(setting, textOf(value[setting.key]));
				return message === undefined ? [] : [{ path: [setting.key], message }];
			}),
		fill: async (key) => {
			const setting = settings.find((one) => one.key === key);
			return setting?.type === "file" || setting?.type === "directory" ? browse(setting.type) : undefined;
		},
	};
}

/** The settings that an accepted form holds. */
export function settingsIn(
	manifest: Pick<BundleManifest, "settings">,
	value: JsonObject,
): Readonly<Record<string, SettingValue>> {
	return Object.fromEntries(
		askedSettings(manifest).flatMap(({ key, type, isMultiple }): [string, SettingValue][] => {
			const given = value[key];
			if (type === "boolean") return [[key, given === true]];
			const text = textOf(given);
			if (text.trim() === "") return [];
			return [[key, isMultiple ? linesOf(text) : text.trim()]];
		}),
	);
}

function fieldOf({ key, type, title, description, isRequired, isMultiple }: BundleSetting): QuestionField {
	const isTick = type === "boolean";
	const words = [description === "" ? "" : oneLine(description, 500), isMultiple && !isTick ? "One per line." : ""];
	const help = words.filter((part) => part !== "").join(" ");
	const frame = {
		name: key,
		label: oneLine(title, 100),
		...(help === "" ? {} : { description: help }),
		// A tick is never missing.
		isRequired: isRequired && !isTick,
	};
	if (isTick) return { ...frame, kind: "boolean" };
	const isPlace = type === "directory" || type === "file";
	return {
		...frame,
		kind: "text",
		isLong: isMultiple,
		...(isMultiple ? { isList: true } : {}),
		...(isPlace ? { fills: [{ id: type, label: type === "file" ? "Choose File…" : "Choose Folder…" }] } : {}),
	};
}

/** The problem of a setting's text, in a sentence; undefined for a valid one. */
function faultOf({ type, isRequired, isMultiple, min, max }: BundleSetting, text: string): string | undefined {
	if (type === "boolean") return undefined;
	if (text.trim() === "") return isRequired ? "Enter a value." : undefined;
	if (type === "number") {
		const value = Number(text);
		if (!Number.isFinite(value)) return "Enter a number.";
		if (min !== undefined && value < min) return `Enter at least ${min}.`;
		return max !== undefined && value > max ? `Enter at most ${max}.` : undefined;
	}
	const isManyLines = !isMultiple && /[\r\n]/.test(text);
	return isManyLines ? "Enter one line." : undefined;
}

function linesOf(text: string): readonly string[] {
	return text
		.split(/\r?\n/)
		.map((line) => line.trim())
		.filter((line) => line !== "");
}

function textOf(value: Json | SettingValue | undefined): string {
	if (Array.isArray(value)) return value.map(String).join("\n");
	return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
