/** Most forms of one text, so that it costs no time. */
const mostForms = 100;
/** A name that Windows may have made for a longer one, such as `secret~1.txt`, in small letters. */
const shortName = /^([^/~. ]{1,6})~\d{1,6}(?:\.([^/. ]{1,3}))?$/;

/** The names of files and folders in a pattern that have no signs of a glob, in small letters. */
export function namesInPattern(pattern: string): readonly string[] {
	const parts = pattern.toLowerCase().split(/(?<!\\)[/{},]/);
	const names = parts.filter((part) => !/(?<!\\)[*?[\]()!+@|]/.test(part)).map((part) => part.replaceAll("\\", ""));
	return [...new Set(names)].filter((name) => name !== "");
}

/**
 * Paths with the names of a pattern in place of short names of 8.3 that may mean them: Windows opens the same file
 * (https://learn.microsoft.com/windows/win32/fileio/naming-a-file). None for texts without a short name.
 */
export function withLongNames(texts: readonly string[], names: readonly string[]): readonly string[] {
	return texts.flatMap((text) => {
		if (!text.includes("~")) return [];
		let forms = [""];
		let isChanged = false;
		for (const [index, name] of text.split("/").entries()) {
			const long = names.filter((one) => isShortFor(name, one));
			isChanged ||= long.length > 0;
			forms = forms
				.flatMap((start) => [name, ...long].map((one) => (index === 0 ? one : `${start}/${one}`)))
				.slice(0, mostForms);
		}
		return isChanged ? forms.filter((form) => form !== text) : [];
	});
}

/**
 * Whether Windows may have made a short name of a name: of its first six characters, or, where these are taken, of two
 * and of four that it computes.
 */
function isShortFor(short: string, name: string): boolean {
	const [, base, ending = ""] = shortName.exec(short) ?? [];
	if (base === undefined) return false;
	const bare = name.replace(/^\.+/, "");
	const dot = bare.lastIndexOf(".");
	const [stem, extension] = dot > 0 ? [bare.slice(0, dot), bare.slice(dot + 1)] : [bare, ""];
	if (allowed(extension).slice(0, 3) !== ending) return false;
	const computed = /^(.{1,2})[\da-f]{4}$/.exec(base)?.[1];
	return allowed(stem).startsWith(base) || (computed !== undefined && allowed(stem).startsWith(computed));
}

/** The characters of a name that its short name has. */
function allowed(name: string): string {
	return name.replace(/[ .]/g, "").replace(/[+,;=[\]]/g, "_");
}
