import { html, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type {
	ActivityGroup,
	ActivityList,
	ActivityQuery,
	ActivityStanding,
	Choice,
} from "../../src/records/activity/journal/activityProtocol.ts";
import { isChecked, valueOf } from "../shared/controls.ts";

/** A choice whose value is one of a few words. */
type ChoiceOf<Value extends string> = Choice & { readonly value: Value };

const groups: readonly ChoiceOf<ActivityGroup>[] = [
	{ value: "call", label: "Calls and reads" },
	{ value: "question", label: "Forms and pages" },
	{ value: "sampling", label: "Sampling" },
	{ value: "server", label: "Servers" },
	{ value: "account", label: "Sign-ins" },
	{ value: "permission", label: "Rules, grants and roots" },
	{ value: "configuration", label: "Configuration" },
	{ value: "prompt", label: "Prompts" },
	{ value: "turn", label: "Chat turns" },
	{ value: "journal", label: "Activity log" },
];

const standings: readonly ChoiceOf<ActivityStanding>[] = [
	{ value: "done", label: "Done" },
	{ value: "open", label: "Not finished" },
	{ value: "denied", label: "Denied" },
	{ value: "failed", label: "Failed" },
	{ value: "unknown", label: "May have taken effect" },
	{ value: "noted", label: "Noted" },
];

/** A change of the query; an undefined time is removed. */
export type QueryChange = Partial<Omit<ActivityQuery, "from" | "to">> & {
	readonly from?: number | undefined;
	readonly to?: number | undefined;
};

/** The query when there is none. */
export const nothingAtAll: QueryChange = {
	text: "",
	group: "",
	server: "",
	standing: "",
	model: "",
	by: "",
	turn: "",
	isUnasked: false,
	from: undefined,
	to: undefined,
};

/** Whether the query is not empty. */
export function isFiltered(query: ActivityQuery): boolean {
	return Object.values(query).some((value) => value !== "" && value !== false);
}

/** Changes the query; `isTyping` while more changes are likely to follow. */
export type Look = (change: QueryChange, isTyping: boolean) => void;

/** A query with something changed. */
export function changed(query: ActivityQuery, change: QueryChange): ActivityQuery {
	const { from, to, ...rest } = { ...query, ...change };
	return { ...rest, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** Whether the user opened the filters in a narrow panel, which shows only the search until then. */
let isUnfolded = false;

/** The query, as fields. */
export function filterBar(
	{ servers, models, deciders }: ActivityList,
	query: ActivityQuery,
	look: Look,
	update: () => void,
): TemplateResult {
	const { text: _, ...filters } = query;
	const set = Object.values(filters).filter((value) => value !== "" && value !== false).length;
	return html`
		<search class="filters ${isUnfolded ? "" : "folded"}">
			<div class="field wide">
				<label class="label" for="search">Search</label>
				<input
					id="search"
					type="search"
					autocomplete="off"
					spellcheck="false"
					placeholder="in all texts"
					.value=${live(query.text)}
					@input=${(event: Event) => look({ text: valueOf(event) }, true)}
				/>
			</div>
			<button
				class="link fold"
				aria-expanded=${isUnfolded}
				@click=${() => {
					isUnfolded = !isUnfolded;
					update();
				}}
			>
				${isUnfolded ? "Fewer Filters" : set === 0 ? "More Filters" : `More Filters (${set} set)`}
			</button>
			${choice("group", "Kind", groups, query.group, (group) => look({ group }, false))}
			${choice("server", "Server", servers, query.server, (server) => look({ server }, false))}
			${choice("standing", "Outcome", standings, query.standing, (standing) => look({ standing }, false))}
			${choice("model", "Model", models, query.model, (model) => look({ model }, false))}
			${choice("by", "Decided by", deciders, query.by, (by) => look({ by }, false))}
			<div class="days wide">
				${day("from", "From", query.from, 0, (from) => look({ from }, false))}
				${day("to", "To", query.to, 1, (to) => look({ to }, false))}
			</div>
			<label class="row unasked"
				><input
					id="unasked"
					type="checkbox"
					.checked=${live(query.isUnasked)}
					@change=${(event: Event) => look({ isUnasked: isChecked(event) }, false)}
				/>
				Only where you were not asked</label
			>
		</search>
	`;
}

/** A choice of a filter. */
function choice<Value extends string>(
	id: string,
	label: string,
	choices: readonly ChoiceOf<Value>[],
	chosen: Value | "",
	choose: (value: Value | "") => void,
): TemplateResult {
	// The last entry of a kind in the query may have just been deleted.
	const isListed = chosen === "" || choices.some(({ value }) => value === chosen);
	const all = isListed ? choices : [...choices, { value: chosen, label: chosen }];
	return html`<div class="field">
		<label class="label" for=${id}>${label}</label>
		<select
			id=${id}
			@change=${(event: Event) => choose(all.find(({ value }) => value === valueOf(event))?.value ?? "")}
		>
			<option value="" .selected=${live(chosen === "")}>All</option>
			${all.map(
				({ value, label }) => html`<option value=${value} .selected=${live(value === chosen)}>${label}</option>`,
			)}
		</select>
	</div>`;
}

/** A day of the user's calendar; `after` is how many days after its midnight the searched time is. */
function day(
	id: string,
	label: string,
	time: number | undefined,
	after: number,
	choose: (time: number | undefined) => void,
): TemplateResult {
	return html`<div class="field">
		<label class="label" for=${id}>${label}</label>
		<input
			id=${id}
			type="date"
			.value=${live(time === undefined ? "" : dayOf(time, after))}
			@change=${(event: Event) => choose(timeOf(valueOf(event), after))}
		/>
	</div>`;
}

function dayOf(time: number, after: number): string {
	const date = new Date(time);
	date.setDate(date.getDate() - after);
	const two = (number: number): string => String(number).padStart(2, "0");
	return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function timeOf(day: string, after: number): number | undefined {
	const [year, month, date] = day.split("-").map(Number);
	if (year === undefined || month === undefined || date === undefined) return undefined;
	return new Date(year, month - 1, date + after).getTime();
}
