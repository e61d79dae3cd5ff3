/** Languages by the code page that Windows has for them (https://learn.microsoft.com/windows/win32/intl/code-page-identifiers). */
const languages: Readonly<Record<string, string>> = {
	"windows-1250": "bs cs hr hu pl ro sk sl sq",
	"windows-1251": "be bg kk ky mk mn ru sr tg tt uk",
	"windows-1253": "el",
	"windows-1254": "az tr uz",
	"windows-1255": "he yi",
	"windows-1256": "ar fa ug ur",
	"windows-1257": "et lt lv",
	"windows-1258": "vi",
	"windows-874": "th",
	shift_jis: "ja",
	"euc-kr": "ko",
	gbk: "zh",
};

/**
 * The encoding in which programs of Windows write that do not write Unicode, by the language of the system. Undefined on
 * other systems, where they write UTF-8.
 */
export function codePage(
	locale: string = Intl.DateTimeFormat().resolvedOptions().locale,
	platform: NodeJS.Platform = process.platform,
): string | undefined {
	if (platform !== "win32") return undefined;
	if (/^zh-(?:Hant|TW|HK|MO)/.test(locale)) return "big5";
	const [language = ""] = locale.split("-");
	return Object.keys(languages).find((page) => languages[page]?.split(" ").includes(language)) ?? "windows-1252";
}

/** The text of bytes that are UTF-8; each line that is not is read in the code page, if there is one. */
export function textOrLines(bytes: Uint8Array, page: string | undefined): string {
	if (page === undefined) return new TextDecoder().decode(bytes);
	const lines: string[] = [];
	const read = (piece: Uint8Array): boolean => {
		try {
			lines.push(new TextDecoder("utf-8", { fatal: true }).decode(piece));
			return true;
		} catch {
			return false;
		}
	};
	if (read(bytes)) return lines.join("");
	for (let start = 0; start < bytes.length;) {
		const end = bytes.indexOf(0x0a, start) + 1 || bytes.length;
		const line = bytes.subarray(start, end);
		if (!read(line)) lines.push(new TextDecoder(page).decode(line));
		start = end;
	}
	return lines.join("");
}
