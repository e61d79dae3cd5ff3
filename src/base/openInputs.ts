/** How many input boxes of ours the user may be typing in. */
let open = 0;

/** Runs what shows an input box, until it is closed: meanwhile no panel of ours takes the focus (UI-22). */
export async function whileInputIsOpen<T>(show: () => PromiseLike<T>): Promise<T> {
	open++;
	try {
		return await show();
	} finally {
		open--;
	}
}

/** Whether the user may be typing in an input box of ours. */
export function isInputOpen(): boolean {
	return open > 0;
}
