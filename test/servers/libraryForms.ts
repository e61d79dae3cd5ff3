import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import type { Json } from "../../src/base/json.ts";
import { hostileTexts } from "./libraryTexts.ts";

/** The request of a form. */
type Form = Pick<ElicitRequestFormParams, "message" | "requestedSchema">;
/** As in the specification: the SDK's type has no `pattern`. */
type Properties = Readonly<Record<string, Readonly<Record<string, Json>>>>;

/** The forms that users fill in for the library, by name (specification 2025-11-25, "Elicitation"). */
export const forms = {
	card: form(
		"Your library card",
		{
			name: { type: "string", title: "Name", minLength: 2, maxLength: 40 },
			card: { type: "string", title: "Card Number", pattern: "^[A-Z]{2}\\d{4}$", description: "As in AB1234" },
			days: { type: "integer", title: "Days", minimum: 1, maximum: 28, default: 14 },
			renew: { type: "boolean", title: "Renew by Itself", default: true },
		},
		["name", "card"],
	),
	/** Every kind of field of the schema's subset, with and without defaults. */
	all: form(
		"Everything that a form can ask",
		{
			text: { type: "string", title: "Text", description: "Any words", default: "some words" },
			short: { type: "string", title: "Two to Five Characters", minLength: 2, maxLength: 5 },
			long: { type: "string", title: "Long Text", maxLength: 2000, default: "line one\nline two" },
			email: { type: "string", title: "E-Mail", format: "email" },
			address: { type: "string", title: "Web Address", format: "uri", default: "https://library.example/" },
			date: { type: "string", title: "Date", format: "date" },
			time: { type: "string", title: "Date and Time", format: "date-time" },
			number: { type: "number", title: "Number", minimum: -1.5, maximum: 1.5, default: 0.5 },
			integer: { type: "integer", title: "Whole Number", minimum: 1, maximum: 10 },
			flag: { type: "boolean", title: "Yes or No", description: "No default" },
			one: { type: "string", title: "One of Three", enum: ["red", "green", "blue"], default: "green" },
			titled: {
				type: "string",
				title: "One with a Title",
				oneOf: [
					{ const: "#f00", title: "Red" },
					{ const: "#0f0", title: "Green" },
				],
			},
			old: { type: "string", title: "One with an Old Name", enum: ["s", "m"], enumNames: ["Small", "Medium"] },
			several: {
				type: "array",
				title: "Several",
				minItems: 1,
				maxItems: 2,
				items: { type: "string", enum: ["poetry", "travel", "science"] },
				default: ["poetry"],
			},
			severalTitled: {
				type: "array",
				title: "Several with Titles",
				items: {
					anyOf: [
						{ const: "mon", title: "Monday" },
						{ const: "tue", title: "Tuesday" },
					],
				},
			},
		},
		["short", "email", "integer", "several"],
	),
	one: form("Shall the book be held for you?", { hold: { type: "boolean", title: "Hold It", default: true } }),
	/** Requests data that a form must not request (ELC-01). */
	secrets: form("Sign in", {
		password: { type: "string", title: "Password" },
		apiKey: { type: "string", title: "Key" },
		code: { type: "string", title: "Social Security Number" },
	}),
	/** Pretends, links and breaks out (ELC-02, ELC-03). */
	hostile: form(
		`${hostileTexts.spoof}\n${hostileTexts.markdown}\n${hostileTexts.html}\n${hostileTexts.terminal}`,
		Object.fromEntries(
			Object.entries(hostileTexts).map(([key, text]) => [key, { type: "string", title: text, description: text }]),
		),
	),
	/** More fields than a user fills in (ELC-06). */
	thousand: form(
		"A thousand questions",
		Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`field${index}`, { type: "string" }])),
	),
} as const satisfies Record<string, Form>;

export type FormName = keyof typeof forms;

function form(message: string, properties: Properties, required: string[] = []): Form {
	return { message, requestedSchema: { type: "object", properties, required } as Form["requestedSchema"] };
}
