import {
	ProtocolError,
	type CompleteRequestParams,
	type CompleteResult,
	type GetPromptResult,
	type Prompt,
} from "@modelcontextprotocol/server";

/** The small server's prompts, with the added ones. */
export function prompts(added: number): readonly Prompt[] {
	return [
		{
			name: "greet",
			title: "Greet Someone",
			description: "Writes a greeting.",
			arguments: [
				{ name: "country", description: "Where the user lives", required: true },
				{ name: "city", description: "The user's town", required: true },
				{ name: "style", description: "How to say it" },
			],
		},
		{ name: "plain", description: "Takes no arguments." },
		{ name: "attached", description: "Holds an image and an embedded resource." },
		...Array.from({ length: added }, (_, index) => ({ name: `added-${index + 1}` })),
	];
}

/** The messages of a prompt; throws -32602 for an unknown one or a missing argument. */
export function renderPrompt(name: string, args: Readonly<Record<string, string>>): GetPromptResult {
	if (name === "greet") {
		const { country, city, style = "plain" } = args;
		if (!country || !city) throw new ProtocolError(-32602, "greet needs country and city");
		return {
			description: "A greeting",
			messages: [
				user(`Write a ${style} greeting to a friend in ${city}, ${country}.`),
				{ role: "assistant", content: { type: "text", text: "Dear friend," } },
			],
		};
	}
	if (name === "plain" || name.startsWith("added-")) return { messages: [user("Say hello.")] };
	if (name !== "attached") throw new ProtocolError(-32602, `Unknown prompt ${name}`);
	const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
	const resource = { uri: "urn:isbn:0451450523", mimeType: "text/plain", text: "The Last Unicorn" };
	return {
		messages: [
			user("What do these have in common?"),
			{ role: "user", content: { type: "image", data: pixel, mimeType: "image/png" } },
			{ role: "user", content: { type: "resource", resource } },
		],
	};
}

const cities: Readonly<Record<string, readonly string[]>> = {
	France: ["Lyon", "Nice", "Paris"],
	Portugal: ["Lisboa", "Porto"],
	Spain: ["Barcelona", "Madrid"],
};

/** Completes countries, the cities of the country chosen before, styles, and the ids of items. */
export function complete(
	reference: CompleteRequestParams["ref"],
	argument: { readonly name: string; readonly value: string },
	known: Readonly<Record<string, string>>,
): CompleteResult["completion"] {
	const values = candidates(reference, argument.name, known).filter((value) =>
		value.toLowerCase().startsWith(argument.value.toLowerCase()),
	);
	return { values: values.slice(0, 100), total: values.length, hasMore: values.length > 100 };
}

function candidates(
	reference: CompleteRequestParams["ref"],
	argument: string,
	known: Readonly<Record<string, string>>,
): readonly string[] {
	if (reference.type === "ref/resource" && argument === "id") return Array.from({ length: 250 }, (_, id) => String(id));
	if (argument === "country") return Object.keys(cities);
	if (argument === "city") return cities[known["country"] ?? ""] ?? [];
	return argument === "style" ? ["formal", "funny", "plain"] : [];
}

function user(text: string): GetPromptResult["messages"][number] {
	return { role: "user", content: { type: "text", text } };
}
