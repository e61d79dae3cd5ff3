/** How much of the end of a line is looked at. */
const longestLine = 4000;

/** Where in a text of Markdown one stands who reads it as it comes: within code, within quotation marks, or in neither. */
export class TextPlace {
	private line = "";
	private fence: string | undefined;

	/** Whether a block of code is open. */
	get isInFence(): boolean {
		return this.fence !== undefined;
	}

	/** What would end the code or the quotation within the line that one stands in; undefined where one stands in none. */
	get closer(): string | undefined {
		const line = this.line.slice(-longestLine);
		const isOdd = (found: readonly string[] | null): boolean => (found?.length ?? 0) % 2 === 1;
		if (isOdd(line.match(/`+/g))) return "`";
		if (isOdd(line.match(/"/g))) return '"';
		const open = ["“”", "«»", "„“"].find((pair) => line.lastIndexOf(pair.charAt(0)) > line.lastIndexOf(pair.charAt(1)));
		return open?.charAt(1) ?? (/(?:^|[\s([])['‘]$/.test(line) ? (line.endsWith("'") ? "'" : "’") : undefined);
	}

	/** Whether what comes next is code or a quotation. */
	get isQuoted(): boolean {
		return (
			this.isInFence || this.closer !== undefined || /^(?: {4}|\t| {0,3}>)|\\$/.test(this.line.slice(0, longestLine))
		);
	}

	/** Goes on behind a text. */
	add(text: string): void {
		const lines = text.split("\n");
		for (const [index, part] of lines.entries()) {
			this.line += part;
			if (index < lines.length - 1) this.endLine();
		}
	}

	private endLine(): void {
		const [, marks, info = ""] = /^ {0,3}(`{3,}|~{3,})(.*)/.exec(this.line.slice(0, longestLine)) ?? [];
		if (marks !== undefined) {
			const { fence } = this;
			if (fence === undefined) this.fence = marks;
			else if (marks.startsWith(fence) && info.trim() === "") this.fence = undefined;
		}
		this.line = "";
	}
}
