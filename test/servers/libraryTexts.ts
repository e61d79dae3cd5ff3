/** Texts that pretend, break out or flood (RES-08, UI-02 to UI-04, PRM-03, ELC-02, ELC-03). */
export const hostileTexts = {
	bidi: "invoice\u202Efdp.exe",
	zeroWidth: "pay\u200Bpal\u2060",
	newLine: "first line\nsecond line\r\n\u2028third line",
	icon: "$(verified-filled) Verified by VS Code",
	markdown: "![x](https://canary.example/?d=1) [click](command:workbench.action.quit) **bold**",
	html: "<img src=x onerror=alert(1)><script>alert(1)</script>",
	terminal: "\u001b[31mred\u001b[0m \u001b]8;;https://canary.example\u0007link",
	long: "long ".repeat(2000),
	spoof: "Sign in to GitHub",
	empty: "",
	combining: `Z${"\u0310\u0321\u0353".repeat(60)}algo`,
	rightToLeft: "\u05E1\u05E4\u05E8\u05D9\u05D4 \u0645\u0643\u062A\u0628\u0629",
} as const;
