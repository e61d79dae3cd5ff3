import type { Clause } from "./finding.ts";

/** The page of the specification about a message, and what it is called. */
const pages: readonly (readonly [methods: RegExp, path: string, title: string])[] = [
	[/^(?:initialize|notifications\/initialized)$/, "basic/lifecycle", "Lifecycle"],
	[/^server\/discover$/, "basic/lifecycle", "Lifecycle"],
	[/^tools\/|^notifications\/tools\//, "server/tools", "Tools"],
	[/^prompts\/|^notifications\/prompts\//, "server/prompts", "Prompts"],
	[/^resources\/|^notifications\/resources\//, "server/resources", "Resources"],
	[/^completion\//, "server/utilities/completion", "Completion"],
	[/^logging\/|^notifications\/message$/, "server/utilities/logging", "Logging"],
	[/^notifications\/progress$/, "basic/utilities/progress", "Progress"],
	[/^notifications\/cancelled$/, "basic/utilities/cancellation", "Cancellation"],
	[/^ping$/, "basic/utilities/ping", "Ping"],
	[/^sampling\//, "client/sampling", "Sampling"],
	[/^elicitation\//, "client/elicitation", "Elicitation"],
	[/^roots\//, "client/roots", "Roots"],
];

/** The revisions whose pages can be linked to; what a server says that it speaks may be anything. */
const revisions: ReadonlySet<string> = new Set(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]);
const latest = "2025-11-25";

/** A part of the specification by its page and title. `revision` is what is spoken. */
export function clause(page: string, title: string, revision: string | undefined): Clause {
	const shown = revision !== undefined && revisions.has(revision) ? revision : latest;
	return {
		words: `Specification ${shown}, “${title}”.`,
		url: `https://modelcontextprotocol.io/specification/${shown}/${page}`,
	};
}

/** The part of the specification about a message, by its method; the general one where there is none. */
export function clauseOf(message: string | undefined, revision: string | undefined): Clause {
	const [, page, title] = pages.find(([methods]) => methods.test(message ?? "")) ?? ["", "basic", "Messages"];
	return clause(page, title, revision);
}
