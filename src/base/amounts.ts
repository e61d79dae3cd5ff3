/** A size in words: `1 byte`, `12.3 KB`. */
export function readableSize(bytes: number): string {
	if (bytes < 1024) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
	const units = ["KB", "MB", "GB", "TB"];
	const power = Math.min(Math.floor(Math.log(bytes) / Math.log(1024)), units.length);
	const value = bytes / 1024 ** power;
	return `${value >= 100 ? value.toFixed(0) : value.toFixed(1)} ${units[power - 1] ?? ""}`;
}

/** How long something took, for display: `38 ms`, `1.2 s`, `2 min 5 s`. */
export function duration(milliseconds: number): string {
	if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
	if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
	const seconds = Math.round(milliseconds / 1000);
	return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** The smallest cost that is shown in digits. */
const leastShown = 0.0001;

/** A cost for display: `$0.0012`, `$1.20`, `less than $0.0001`, `free`, or `price unknown`. */
export function formatCost(dollars: number | undefined): string {
	if (dollars === undefined || !Number.isFinite(dollars) || dollars < 0) return "price unknown";
	if (dollars === 0) return "free";
	if (dollars < leastShown) return `less than $${leastShown}`;
	// From a dollar on, cents; below, two digits that say something.
	const digits = dollars >= 0.995 ? 2 : Math.max(2, 1 - Math.floor(Math.log10(dollars)));
	const format = { minimumFractionDigits: 2, maximumFractionDigits: digits };
	return `$${dollars.toLocaleString("en-US", format)}`;
}
