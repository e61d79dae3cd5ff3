import { html, type TemplateResult } from "lit";
import type { ObjectTab } from "../../src/form/objectProtocol.ts";

const labels: readonly (readonly [ObjectTab, string])[] = [
	["form", "Form"],
	["json", "JSON"],
];

/** The two ways to see and change the value (WAI-ARIA, tabs pattern). `canForm`: there is a form to show. */
export function tabList(shown: ObjectTab, canForm: boolean, choose: (tab: ObjectTab) => void): TemplateResult {
	return html`<div class="tabs" role="tablist" aria-label="Show as" @keydown=${(event: KeyboardEvent) => move(event)}>
		${labels.map(
			([tab, label]) =>
				html`<button
					role="tab"
					id="tab-${tab}"
					aria-selected=${tab === shown}
					aria-controls="panel"
					tabindex=${tab === shown ? 0 : -1}
					?disabled=${tab === "form" && !canForm}
					@click=${() => choose(tab)}
				>
					${label}
				</button>`,
		)}
	</div>`;
}

/** The arrows go to the other tab and show it. */
function move(event: KeyboardEvent): void {
	if (!["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) return;
	event.preventDefault();
	const tabs = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("[role=tab]:enabled")];
	const index = tabs.findIndex((tab) => tab === document.activeElement);
	const target = event.key === "Home" ? 0 : event.key === "End" ? tabs.length - 1 : (index + 1) % tabs.length;
	tabs[target]?.focus();
	tabs[target]?.click();
}
