import { wordList } from "../../../base/wordList.ts";
import type { JsonObject } from "../../../base/json.ts";
import type { ModelMessage, ModelTool } from "../../../models/model.ts";
import { formatDuration, parseFlights, type Flight } from "../world/flights.ts";
import { readConversation, type Conversation } from "./conversation.ts";
import { isToolNamed, outcomeOf, stepsFor, story, type Step } from "./story.ts";
import { formatTrip, readTrip, type Trip } from "./trip.ts";

/** The script's next output: text, and a call if it needs a tool. */
export interface ScriptAnswer {
	readonly text: string;
	readonly call?: { readonly callId: string; readonly name: string; readonly arguments: JsonObject };
}

/** Every turn starts and ends with this sentence, so that nobody takes the script for a model. */
const confession = "I am the demo model: a script, not a language model.";

/** The script's next answer in a conversation. `today` (`YYYY-MM-DD`) is the reference for dates without a year. */
export function play(messages: readonly ModelMessage[], tools: readonly ModelTool[], today: string): ScriptAnswer {
	const conversation = readConversation(messages);
	const flights = parseFlights(conversation.request);
	if (/\brank/i.test(conversation.request) && flights.length > 1) return { text: rank(flights) };
	const steps = stepsFor(conversation);
	if (steps.length === 0) return { text: repertoire() };
	const offered = steps.filter((step) => nameOf(step, tools) !== undefined);
	if (offered.length === 0 && conversation.outcomes.length === 0) return { text: withoutTools(steps) };
	const trip = readTrip(conversation.texts, today);
	for (const step of offered) {
		const name = nameOf(step, tools);
		const args = step.argumentsFor(trip, conversation);
		if (name === undefined || args === undefined || outcomeOf(step, conversation) !== undefined) continue;
		const call = { callId: conversation.nextCallId, name, arguments: args };
		return { text: introduction(step, trip, conversation), call };
	}
	return { text: summary(steps, offered, trip, conversation) };
}

/** The name under which a step's tool is offered, such as `travel_searchFlights`. */
function nameOf({ tool }: Step, tools: readonly ModelTool[]): string | undefined {
	return tools.find(({ name }) => isToolNamed(tool, name))?.name;
}

function introduction({ intention }: Step, trip: Trip, { outcomes }: Conversation): string {
	const latest = outcomes.at(-1);
	if (latest === undefined) {
		const assumed =
			trip.assumed.length === 0
				? ""
				: ` You did not mention ${wordList(trip.assumed)}, so I assumed ${trip.assumed.length === 1 ? "it" : "them"}.`;
		return `${confession} I plan this trip: ${formatTrip(trip)}.${assumed}\n\nFirst, I'll ${intention}.\n\n`;
	}
	const said = {
		done: "",
		denied: "You denied that, so I'll leave it out. ",
		failed: "That failed, so I'll go on without it. ",
	};
	return `${said[latest.kind]}Next, I'll ${intention}.\n\n`;
}

function summary(steps: readonly Step[], offered: readonly Step[], trip: Trip, conversation: Conversation): string {
	const lines = steps.map((step) => {
		const outcome = outcomeOf(step, conversation);
		if (outcome === undefined) {
			const reason = offered.includes(step) ? "there was nothing to work on" : `the tool ${step.tool} is not offered`;
			return `- **${step.label}**: left out, because ${reason}.`;
		}
		if (outcome.kind === "denied") return `- **${step.label}**: left out, because you denied ${step.tool}.`;
		const headline = step.headline(outcome.text);
		return `- **${step.label}**: ${outcome.kind === "failed" ? `failed. ${headline}` : headline}`;
	});
	return [`${confession} Here is your trip. None of it is real.`, "", formatTrip(trip), "", ...lines, ""].join("\n");
}

/** Answers the sampling request of rankFlights, or anyone's with flights in the same form, by a fixed rule. */
function rank(flights: readonly Flight[]): string {
	const cost = ({ price, durationMinutes, stops }: Flight): number => price + durationMinutes * 0.3 + stops * 40;
	const lines = flights
		.toSorted((a, b) => cost(a) - cost(b))
		.map(({ number, price, durationMinutes, stops }, index) => {
			const way = stops === 0 ? "non-stop" : "with a stop";
			return `${index + 1}. ${number}: €${price}, ${formatDuration(durationMinutes)} ${way}`;
		});
	return [`${confession} My rule: the price, 30 cents a minute, and €40 a stop.`, "", ...lines, ""].join("\n");
}

function withoutTools(steps: readonly Step[]): string {
	const names = wordList(steps.map(({ tool }) => `\`${tool}\``));
	return `${confession} For this I need ${names} of the demo server, which this chat does not offer. Start the demo server (*MCP Host: Try the Demo Server*) and ask in a chat that uses its tools, such as \`@mcp\`.\n`;
}

function repertoire(): string {
	return [
		`${confession} Your request is not in the script. The script can:`,
		"",
		"- plan a vacation: “Plan a vacation in Paris on 12 June for 2 people, 5 nights, budget €2000”",
		...story.map(({ intention }) => `- ${intention}`),
		"",
		"Anything else needs a real model (*MCP Host: Manage Models…*).",
		"",
	].join("\n");
}
