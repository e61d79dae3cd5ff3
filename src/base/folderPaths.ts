/**
 * A path as it is compared: texts that the system takes for the same file are one text. On Windows that is without case,
 * with one kind of separator, and without dots and blanks at the ends of names, the name of a stream, and the prefix
 * that turns these rules off (https://learn.microsoft.com/windows/win32/fileio/naming-a-file).
 */
export function comparedPath(path: string, platform: NodeJS.Platform = process.platform): string {
	const folded = foldedText(path, platform);
	if (platform !== "win32") return folded;
	const plain = folded.replace(/^\\\\[?.]\\UNC\\/i, "\\\\").replace(/^\\\\[?.]\\(?=[A-Za-z]:)/, "");
	const names = plain.split("\\").map((name, index) => {
		const [whole = name] = index === 0 ? [] : name.split(":", 1);
		return whole.replace(/(?<![. ])[. ]+$/, (end, at: number) => (at === 0 ? end : ""));
	});
	return names.join("\\");
}

/** A text that may hold paths, without case and with one kind of separator where the system makes no difference. */
export function foldedText(text: string, platform: NodeJS.Platform = process.platform): string {
	if (platform === "win32") return text.replaceAll("/", "\\").toLowerCase();
	return platform === "darwin" ? text.toLowerCase() : text;
}

/** Whether an absolute path, as written, is a folder or inside it. */
export function isWithin(path: string, folder: string, platform: NodeJS.Platform = process.platform): boolean {
	const separator = platform === "win32" ? "\\" : "/";
	const [one, whole] = [path, folder].map((text) => comparedPath(text, platform));
	if (one === undefined || whole === undefined) return false;
	const inside = whole.endsWith(separator) ? whole : whole + separator;
	return one === whole || `${one}${separator}` === inside || one.startsWith(inside);
}
