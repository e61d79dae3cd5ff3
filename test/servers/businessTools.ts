import type { Tool } from "@modelcontextprotocol/server";

const subjects = "invoice shipment employee sensor contract vehicle warehouse customer supplier meeting".split(" ");
const departments = "Berlin Lisbon Nairobi Osaka Quito Tromso Perth Austin Mumbai Seoul".split(" ");

/** The actions on each thing: the name's first word, and the text of the description. */
const actions: readonly (readonly [verb: string, says: string])[] = [
	["create", "Registers a new one and returns its number"],
	["find", "Looks them up by number, name or date and returns those that match"],
	["update", "Changes the given fields and leaves all others as they are"],
	["archive", "Moves it to the archive, from which it can be brought back within 90 days"],
	["approve", "Marks it as approved in your name and informs whoever waits for that"],
	["reject", "Sends it back to whoever submitted it, with the reason"],
	["export", "Writes the chosen ones into a table and returns its address"],
	["assign", "Makes another user responsible for it"],
	["compare", "Compares two of them field by field"],
	["summarize", "Counts them by state and month and returns the sums"],
];

/** The most tools of this kind that there are with different names. */
export const mostBusinessTools = subjects.length * departments.length * actions.length;

/**
 * Tools of a large server, `approve_invoice_berlin` and so on: of about a hundred tokens each, like those of published
 * servers. The first twenty are of two offices and one subject.
 */
export function businessTools(count: number): readonly Tool[] {
	return Array.from({ length: count }, (_, index) => {
		const [verb, says] = actions[index % actions.length] ?? ["", ""];
		const office = departments[Math.floor(index / actions.length) % departments.length] ?? "";
		const subject = subjects[Math.floor(index / actions.length / departments.length) % subjects.length] ?? "";
		const again = index < mostBusinessTools ? "" : `_${Math.floor(index / mostBusinessTools)}`;
		return {
			name: `${verb}_${subject}_${office.toLowerCase()}${again}`,
			description: `${capital(verb)} ${/^[aeiou]/.test(subject) ? "an" : "a"} ${subject} of the ${office} office. ${says}.`,
			inputSchema: {
				type: "object",
				properties: {
					number: { type: "string", description: `The number of the ${subject}, such as ${office.charAt(0)}-1042` },
					note: { type: "string", description: "Why, for the record" },
					urgency: { type: "string", enum: ["low", "normal", "high"] },
				},
				required: ["number"],
			},
			annotations: { readOnlyHint: verb === "find" || verb === "compare" || verb === "summarize" },
		};
	});
}

function capital(word: string): string {
	return word.charAt(0).toUpperCase() + word.slice(1);
}
