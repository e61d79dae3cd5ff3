import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type { FilterWord, FilterWords, FilterPreset } from "../../src/records/trace/filterWords.ts";
import { isTextControl } from "../shared/controls.ts";

/** The part of the view that the box uses. */
export interface FilterBoxActions {
	readonly complete: (text: string, caret: number) => Promise<FilterWords>;
	/** Looks for a text. */
	readonly look: (text: string) => void;
	readonly changed: () => void;
	/** Goes on to the rows. */
	readonly leave: () => void;
}

/**
 * The filter: one line, with a list of completions. A completion is active only when the user moved to it, so that
 * Enter takes nothing by accident (WAI-ARIA, combobox pattern).
 */
export class FilterBox {
	private readonly actions: FilterBoxActions;
	/** The text of the line. */
	text = "";
	private words: FilterWords | undefined;
	/** The text that the words are for: the user may be ahead of it. */
	private wordsOf = "";
	private active = -1;
	private isOpen = false;

	constructor(actions: FilterBoxActions) {
		this.actions = actions;
	}

	render(problem: string | undefined, presets: readonly FilterPreset[]): TemplateResult {
		const { words, active } = this;
		const isShown = this.isOpen && words !== undefined && words.words.length > 0;
		return html`<search class="filter">
			<div class="filter-line">
				<input
					id="filter"
					type="text"
					role="combobox"
					aria-label="Filter"
					aria-expanded=${isShown}
					aria-controls="filter-words"
					aria-autocomplete="list"
					aria-activedescendant=${isShown && active >= 0 ? `word-${active}` : nothing}
					aria-invalid=${problem !== undefined}
					aria-describedby=${problem === undefined ? nothing : "filter-problem"}
					autocomplete="off"
					spellcheck="false"
					placeholder="Filter, such as server:git status:error >500ms"
					.value=${live(this.text)}
					@input=${(event: InputEvent) => this.typed(event)}
					@keydown=${(event: KeyboardEvent) => this.key(event)}
					@blur=${() => this.close()}
				/>
				${
					isShown
						? html`<div id="filter-words" role="listbox" aria-label="Suggestions">
								${words.words.map((word, index) => this.option(word, index))}
							</div>`
						: nothing
				}
			</div>
			<div class="presets" role="group" aria-label="Presets">
				${presets.map(
					({ label, filter }) =>
						html`<button
							class="preset"
							aria-pressed=${this.text.trim() === filter}
							title=${filter}
							@click=${() => this.set(this.text.trim() === filter ? "" : filter)}
						>
							${label}
						</button>`,
				)}
			</div>
			${problem === undefined ? nothing : html`<p id="filter-problem" class="problem" role="status">${problem}</p>`}
		</search>`;
	}

	private option({ label, description }: FilterWord, index: number): TemplateResult {
		return html`<div
			id="word-${index}"
			role="option"
			aria-selected=${index === this.active}
			@mousedown=${(event: Event) => {
				event.preventDefault();
				this.take(index);
			}}
		>
			<span class="word">${label}</span> <span class="muted">${description}</span>
		</div>`;
	}

	private set(text: string): void {
		this.text = text;
		this.close();
		this.actions.look(text);
	}

	private typed({ target }: InputEvent): void {
		if (!isTextControl(target)) return;
		this.text = target.value;
		this.active = -1;
		this.actions.look(this.text);
		void this.ask(target);
	}

	private async ask(control: EventTarget | null): Promise<void> {
		if (!isTextControl(control)) return;
		const { value, selectionStart } = control;
		this.isOpen = true;
		const words = await this.actions.complete(value, selectionStart ?? value.length);
		// The text has changed by now.
		if (this.text !== value) return;
		// A word that the user has moved to meanwhile stays the active one.
		const moved = this.words?.words[this.active]?.label;
		this.words = words;
		this.wordsOf = value;
		this.active = moved === undefined ? -1 : words.words.findIndex(({ label }) => label === moved);
		this.actions.changed();
	}

	private close(): void {
		this.isOpen = false;
		this.active = -1;
		this.actions.changed();
	}

	private take(index: number): void {
		const { words } = this;
		const word = words?.words[index];
		if (words === undefined || word === undefined) return;
		const before = this.text.slice(0, words.from) + word.insert;
		// Text that was typed since the completions arrived is part of the replaced range.
		const to = words.to + this.text.length - this.wordsOf.length;
		this.text = before + this.text.slice(to).trimStart();
		this.active = -1;
		this.actions.look(this.text);
		this.actions.changed();
		const input = document.querySelector<HTMLInputElement>("#filter");
		if (input === null) return;
		input.value = this.text;
		input.setSelectionRange(before.length, before.length);
		void this.ask(input);
	}

	private key(event: KeyboardEvent): void {
		if (event.isComposing || !this.doKey(event)) return;
		event.preventDefault();
		event.stopPropagation();
	}

	private doKey({ key, ctrlKey, target }: KeyboardEvent): boolean {
		const count = this.isOpen ? (this.words?.words.length ?? 0) : 0;
		if (key === " " && ctrlKey) {
			void this.ask(target);
			return true;
		}
		if (count === 0) {
			if (key === "ArrowDown") {
				if (this.text === "" || this.text.endsWith(" ")) void this.ask(target);
				else this.actions.leave();
			} else if (key === "Enter") this.actions.leave();
			else if (key === "Escape" && this.text !== "") this.set("");
			else return false;
			return true;
		}
		if (key === "ArrowDown") this.active = this.active + 1 >= count ? -1 : this.active + 1;
		else if (key === "ArrowUp") this.active = this.active < 0 ? count - 1 : this.active - 1;
		else if (key === "Escape") this.isOpen = false;
		else if (key === "Enter" && this.active >= 0) this.take(this.active);
		else if (key === "Tab" && this.active >= 0) this.take(this.active);
		else if (key === "Enter") {
			this.close();
			this.actions.leave();
		} else return false;
		this.actions.changed();
		document.querySelector(`#word-${this.active}`)?.scrollIntoView({ block: "nearest" });
		return true;
	}
}
