import { html, nothing, type TemplateResult } from "lit";
import type { Fact } from "../../src/records/activity/samplingProtocol.ts";

/** Names and values; nothing if there are none. */
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
