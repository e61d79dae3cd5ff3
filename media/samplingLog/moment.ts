/** A moment with its day, in the person's way; today's with its seconds alone. */
export function moment(milliseconds: number): string {
	const date = new Date(milliseconds);
	const time = date.toLocaleTimeString();
	return date.toDateString() === new Date().toDateString() ? time : `${date.toLocaleDateString()} ${time}`;
}
