import { html, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type { ActivityList, ActivityQuery } from "../../src/activity/journal/activityProtocol.ts";
import type { LogChoice } from "../../src/activity/logProtocol.ts";
import { choice, day } from "../samplingLog/filters.ts";

const groups: readonly LogChoice[] = [
	{ value: "call", label: "Calls and reads" },
	{ value: "question", label: "Forms and pages" },
	{ value: "sampling", label: "Sampling" },
	{ value: "server", label: "Servers" },
	{ value: "account", label: "Sign-ins" },
	{ value: "permission", label: "Rules and grants" },
	{ value: "configuration", label: "Configuration" },
	{ value: "prompt", label: "Prompts" },
	{ value: "turn", label: "Chat turns" },
	{ value: "journal", label: "The activity itself" },
];

const standings: readonly LogChoice[] = [
	{ value: "done", label: "Done" },
	{ value: "open", label: "Not ended" },
	{ value: "denied", label: "Denied" },
	{ value: "failed", label: "Failed" },
	{ value: "unknown", label: "May have taken effect" },
	{ value: "noted", label: "Noted" },
];

/** A change of what is looked for; a time that is undefined is taken out. */
export type QueryChange = { readonly [Key in keyof ActivityQuery]?: ActivityQuery[Key] | undefined };

/** What is looked for when nothing is. */
export const nothingAtAll: QueryChange = {
	text: "",
	group: "",
	server: "",
	standing: "",
	turn: "",
	isUnasked: false,
	from: undefined,
	to: undefined,
};

/** Whether anything is looked for. */
export function isFiltered(query: ActivityQuery): boolean {
	return Object.values(query).some((value) => value !== "" && value !== false);
}

/** Changes what is looked for; `isTyping` while more is likely to follow. */
export type Look = (change: QueryChange, isTyping: boolean) => void;

/** A query with something changed. */
export function changed(query: ActivityQuery, change: QueryChange): ActivityQuery {
	const entries = Object.entries({ ...query, ...change }).filter(([, value]) => value !== undefined);
	return Object.fromEntries(entries) as unknown as ActivityQuery;
}

/** What is looked for, as fields. */
export function filterBar({ servers }: ActivityList, query: ActivityQuery, look: Look): TemplateResult {
	return html`
		<search class="filters">
			<div class="field wide">
				<label class="label" for="search">Search</label>
				<input
					id="search"
					type="search"
					autocomplete="off"
					spellcheck="false"
					placeholder="in all texts"
					.value=${live(query.text)}
					@input=${(event: Event) => look({ text: (event.currentTarget as HTMLInputElement).value }, true)}
				/>
			</div>
			${choice("group", "Kind", groups, query.group, (group) => look({ group: group as ActivityQuery["group"] }, false))}
			${choice("server", "Server", servers, query.server, (server) => look({ server }, false))}
			${choice("standing", "Outcome", standings, query.standing, (standing) =>
				look({ standing: standing as ActivityQuery["standing"] }, false),
			)}
			${day("from", "From", query.from, 0, (from) => look({ from }, false))}
			${day("to", "To", query.to, 1, (to) => look({ to }, false))}
			<label class="row unasked"
				><input
					id="unasked"
					type="checkbox"
					.checked=${live(query.isUnasked)}
					@change=${(event: Event) => look({ isUnasked: (event.currentTarget as HTMLInputElement).checked }, false)}
				/>
				Only what nobody was asked about</label
			>
		</search>
	`;
}
