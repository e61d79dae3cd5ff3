/** A number with its noun, such as `1 night` or `2 nights`. */
export function counted(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
