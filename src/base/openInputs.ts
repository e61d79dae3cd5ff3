/** How many of our input boxes the user may be typing in. */
let open = 0;

/**
 * Runs a function that shows an input box, until the box is closed. Meanwhile none of our panels takes the focus
 * (UI-22).
 */
export async function whileInputIsOpen<T>(show: () => PromiseLike<T>): Promise<T> {
	open++;
	try {
		return await show();
	} finally {
		open--;
	}
}

/** Whether the user may be typing in one of our input boxes. */
export function isInputOpen(): boolean {
	return open > 0;
}
