import type { Event } from "../../base/event.ts";
import { DisposableStore } from "../../base/lifecycle.ts";

/** How long the editor is given to open a row, in milliseconds, and how often it is asked. */
const openedMs = 1000;
const attempts = 3;

/** A row that is to be opened. */
export interface RowToOpen {
	/** Asks the editor to open it and the rows above; rejects where it cannot. */
	reveal(): Thenable<void>;
	/** Reports the ids of the rows that were opened. */
	readonly onDidOpen: Event<string>;
	/** Whether anybody still looks at the tree. */
	isVisible(): boolean;
}

/**
 * Opens the row with an id. VS Code loses the request when it redraws the rows above in that moment, as for a server
 * that has just started. So the request is repeated until VS Code reports that the row is open. Resolves with whether
 * it is; rejects as `reveal` does.
 */
export async function unfold(id: string, row: RowToOpen): Promise<boolean> {
	const store = new DisposableStore();
	let isOpen = false;
	const opened = new Promise<void>((resolve) => {
		store.add(
			row.onDidOpen((other) => {
				if (other !== id) return;
				isOpen = true;
				resolve();
			}),
		);
	});
	try {
		for (let attempt = 1; ; attempt++) {
			await row.reveal();
			let timer: NodeJS.Timeout | undefined;
			const given = new Promise<void>((resolve) => (timer = setTimeout(resolve, openedMs)));
			await Promise.race([opened, given]);
			clearTimeout(timer);
			if (isOpen || attempt === attempts || !row.isVisible()) return isOpen;
		}
	} finally {
		store.dispose();
	}
}
