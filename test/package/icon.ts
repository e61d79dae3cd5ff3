/**
 * Draws media/icon.png, the extension's picture in the list of extensions: `node test/package/icon.ts`.
 * The mark is that of media/mcp.svg, in white on a blue tile.
 */
import { chromium } from "playwright-core";
import { resolve } from "node:path";
import { ensureBrowser } from "../editor/ensureBrowser.ts";

/** The Marketplace's own size for icons. */
const size = 128;

const picture = `
<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 128 128">
	<linearGradient id="tile" x1="0" y1="0" x2="0" y2="1">
		<stop offset="0" stop-color="#2f8be6"/>
		<stop offset="1" stop-color="#0a55ad"/>
	</linearGradient>
	<rect x="4" y="4" width="120" height="120" rx="28" fill="url(#tile)"/>
	<g transform="translate(14 17) scale(4.1667)" fill="none" stroke="#ffffff" stroke-width="1.5" stroke-linecap="round">
		<path stroke-opacity="0.55" d="M15.5 4.4a8.6 8.6 0 0 1 5 8.1M15.6 19.9a8.6 8.6 0 0 1-7.2 0M3.5 12.5a8.6 8.6 0 0 1 5-8.1"/>
		<path d="M12 8.8V4.6M14.8 13.6l3.6 2.1M9.2 13.6l-3.6 2.1"/>
		<circle cx="12" cy="12" r="3" fill="#ffffff"/>
		<circle cx="12" cy="3.2" r="1.4" fill="#ffffff"/>
		<circle cx="19.6" cy="16.4" r="1.4" fill="#ffffff"/>
		<circle cx="4.4" cy="16.4" r="1.4" fill="#ffffff"/>
	</g>
</svg>`;

const browser = await chromium.launch({ executablePath: await ensureBrowser(), args: ["--no-sandbox"] });
try {
	const page = await browser.newPage({ viewport: { width: size, height: size } });
	await page.setContent(`<body style="margin: 0">${picture}</body>`);
	const path = resolve(import.meta.dirname, "../../media/icon.png");
	await page.screenshot({ path, omitBackground: true });
	console.log(path);
} finally {
	await browser.close();
}
