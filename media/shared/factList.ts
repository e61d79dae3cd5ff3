import { html, nothing, type TemplateResult } from "lit";

/** A name and what stands there, both fit to show as plain text; code is set as code. */
interface Fact {
	readonly name: string;
	readonly value: string;
	readonly isCode?: boolean;
}

/** Names and what stands there; nothing for none. */
export function factList(facts: readonly Fact[]): TemplateResult | typeof nothing {
	if (facts.length === 0) return nothing;
	return html`<dl class="facts">
		${facts.map(
			({ name, value, isCode = false }) =>
				html`<dt>${name}</dt>
					<dd class=${isCode ? "code" : ""}><bdi>${value}</bdi></dd>`,
		)}
	</dl>`;
}
