import type { Icon } from "@modelcontextprotocol/server";

/** A red pixel. */
export const pixelPng =
	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

/** A sound of no length. */
export const silentWav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

/** A picture that would run a script where possible. */
export const scriptSvg =
	'<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" onload="alert(1)"><script>alert(1)</script><rect width="16" height="16" fill="teal"/></svg>';

const base64 = (text: string): string => Buffer.from(text, "utf8").toString("base64");

/** Icons that a client may show, and those that it must not (UI-10). */
export const icons = {
	png: { src: `data:image/png;base64,${pixelPng}`, mimeType: "image/png", sizes: ["16x16"] },
	https: { src: "https://icons.library.example/book.png", mimeType: "image/png" },
	svg: { src: `data:image/svg+xml;base64,${base64(scriptSvg)}`, mimeType: "image/svg+xml" },
	/** Declared as a PNG, but a script. */
	lying: { src: `data:image/png;base64,${base64(scriptSvg)}`, mimeType: "image/png" },
	/** A PNG by its first bytes, followed by 200 KB of nothing. */
	oversize: {
		src: `data:image/png;base64,${Buffer.concat([Buffer.from(pixelPng, "base64"), Buffer.alloc(200_000)]).toString("base64")}`,
		mimeType: "image/png",
	},
	command: { src: "command:workbench.action.quit", mimeType: "image/png" },
} satisfies Record<string, Icon>;
