import { html, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type { LogChoice, LogList, LogQuery } from "../../src/activity/logProtocol.ts";

const standings: readonly LogChoice[] = [
	{ value: "open", label: "Under review" },
	{ value: "returned", label: "Returned" },
	{ value: "rejected", label: "Rejected" },
	{ value: "refused", label: "Refused" },
	{ value: "lapsed", label: "Lapsed" },
	{ value: "interrupted", label: "Interrupted" },
];

/** A change of what is looked for; a time that is undefined is taken out. */
export type QueryChange = { readonly [Key in keyof LogQuery]?: LogQuery[Key] | undefined };

/** What is looked for when nothing is. */
export const nothingAtAll: QueryChange = {
	text: "",
	server: "",
	model: "",
	standing: "",
	by: "",
	from: undefined,
	to: undefined,
};

/** Whether anything is looked for. */
export function isFiltered(query: LogQuery): boolean {
	return Object.values(query).some((value) => value !== "");
}

/** Changes what is looked for; `isTyping` while more is likely to follow. */
export type Look = (change: QueryChange, isTyping: boolean) => void;

/** A query with something changed. */
export function changed(query: LogQuery, change: QueryChange): LogQuery {
	const entries = Object.entries({ ...query, ...change }).filter(([, value]) => value !== undefined);
	return Object.fromEntries(entries) as unknown as LogQuery;
}

/** What is looked for, as fields. */
export function filterBar({ servers, models, deciders }: LogList, query: LogQuery, look: Look): TemplateResult {
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
					@input=${(event: Event) => look({ text: valueOf(event) }, true)}
				/>
			</div>
			${choice("server", "Server", servers, query.server, (server) => look({ server }, false))}
			${choice("model", "Model", models, query.model, (model) => look({ model }, false))}
			${choice("standing", "Decision", standings, query.standing, (standing) =>
				look({ standing: standing as LogQuery["standing"] }, false),
			)}
			${choice("by", "Decided by", deciders, query.by, (by) => look({ by }, false))}
			${day("from", "From", query.from, 0, (from) => look({ from }, false))}
			${day("to", "To", query.to, 1, (to) => look({ to }, false))}
		</search>
	`;
}

/** A choice of a filter. */
export function choice(
	id: string,
	label: string,
	choices: readonly LogChoice[],
	chosen: string,
	choose: (value: string) => void,
): TemplateResult {
	// What is looked for may be the last of its kind that was just deleted.
	const isListed = chosen === "" || choices.some(({ value }) => value === chosen);
	const all = isListed ? choices : [...choices, { value: chosen, label: chosen }];
	return html`<div class="field">
		<label class="label" for=${id}>${label}</label>
		<select id=${id} @change=${(event: Event) => choose(valueOf(event))}>
			<option value="" .selected=${live(chosen === "")}>All</option>
			${all.map(
				({ value, label }) => html`<option value=${value} .selected=${live(value === chosen)}>${label}</option>`,
			)}
		</select>
	</div>`;
}

/** A day of the person's calendar; `after` is how many days behind its midnight the time lies that is looked for. */
export function day(
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

function valueOf({ currentTarget }: Event): string {
	return (currentTarget as HTMLInputElement | HTMLSelectElement).value;
}
