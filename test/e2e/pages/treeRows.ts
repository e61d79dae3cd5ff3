/** One row of a tree as a user reads it. */
export interface TreeRow {
	readonly label: string;
	readonly description: string;
	/** The accessible name; the tooltip where the extension gives no accessible label. */
	readonly accessibleName: string;
	/** 1 for the outermost rows. */
	readonly level: number;
	/** Undefined for a row without children. */
	readonly isExpanded: boolean | undefined;
}

/** A row, and its position in its list. */
export interface RowSnapshot extends TreeRow {
	readonly id: string;
	readonly index: number;
}

/** Rows from the first to the last: the list keeps them in any order in the DOM. */
export function inOrder(rows: readonly RowSnapshot[]): readonly RowSnapshot[] {
	return rows.toSorted((a, b) => listOf(a.id).localeCompare(listOf(b.id)) || a.index - b.index);
}

/** The ids of rows are `list_id_<list>_<index>`. */
function listOf(id: string): string {
	return id.slice(0, id.lastIndexOf("_"));
}

/** The row of a path, if it is among these: a single name is found at any level, a path starts at an outermost row. */
export function findRow(rows: readonly RowSnapshot[], names: readonly string[]): RowSnapshot | undefined {
	if (names.length === 1) {
		return rows.find((row) => row.label === names[0]);
	}
	let depth = 0;
	for (const row of rows) {
		depth = Math.min(depth, row.level - 1);
		if (row.level === depth + 1 && row.label === names[depth]) {
			depth++;
			if (depth === names.length) {
				return row;
			}
		}
	}
	return undefined;
}
