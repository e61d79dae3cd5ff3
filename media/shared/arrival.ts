/** After how long a text in a live region counts as a change of it, in milliseconds. */
const changeMs = 250;

/**
 * Makes a screen reader politely announce a server's question in this panel, which opens beside the user's editor and
 * takes no focus (UI-24). A live region is read when it changes (WAI-ARIA, "status"), so it exists first without a
 * text.
 */
export function announceArrival(text: string): void {
	const region = document.createElement("p");
	region.className = "visually-hidden";
	region.setAttribute("role", "status");
	document.body.append(region);
	setTimeout(() => (region.textContent = text), changeMs);
}
