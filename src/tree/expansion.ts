/** For how many rows it is remembered whether they are open. */
const limit = 10_000;

/**
 * Which rows the person opened and closed. The editor knows that of rows that stay; here it is kept of those that go and
 * come back, as all below a server do when it is started again.
 */
export class Expansion {
	private readonly open = new Map<string, boolean>();

	/** Takes note that a row was opened or closed. */
	note(id: string, isOpen: boolean): void {
		this.open.delete(id);
		this.open.set(id, isOpen);
		const [oldest] = this.open.keys();
		if (this.open.size > limit && oldest !== undefined) this.open.delete(oldest);
	}

	/** Whether a row is to be shown open; `otherwise` while the person did neither. */
	isOpen(id: string, otherwise: boolean): boolean {
		return this.open.get(id) ?? otherwise;
	}
}
