/**
 * `npm run sheets [-- --before FOLDER] [--stories] [filter…]`: lays the pictures that stories kept beside each other, a
 * sheet for each surface in `test-output/sheets`: the earlier look, if FOLDER has pictures of an older version, then
 * each theme. With `--stories` it runs them first, in a real window and in all four themes; filters name the stories,
 * and the surfaces.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { launchBrowser, newPage } from "../editor/browser.ts";
import { runTask } from "../editor/progress.ts";
import { allThemes } from "../e2e/fixtures/colorScheme.ts";
import { outputFolder, repositoryRoot } from "./paths.ts";

const pictures = path.join(outputFolder, "screenshots");
const sheets = path.join(outputFolder, "sheets");
/** Longer names first: one ends with another. */
const themes = /-(high-contrast-light|high-contrast|hc-light|hc-black|light|dark)(?=-|$)/;
const order = ["", "light", "dark", "high-contrast", "hc-black", "high-contrast-light", "hc-light"];

/** A picture of a surface. */
interface Shown {
	readonly file: string;
	readonly caption: string;
}

await runTask(async () => {
	const options = { before: { type: "string" }, stories: { type: "boolean" } } as const;
	const { values, positionals } = parseArgs({ options, allowPositionals: true });
	if (values.stories === true) {
		const env = { ...process.env, [allThemes]: "yes" };
		const args = ["test/tasks/e2e.ts", ...positionals];
		const [code] = await once(spawn(process.execPath, args, { cwd: repositoryRoot, env, stdio: "inherit" }), "exit");
		if (code !== 0) return 1;
	}
	const surfaces = new Map<string, Shown[]>();
	const isMeant = (surface: string): boolean =>
		values.stories === true || positionals.length === 0 || positionals.some((filter) => surface.includes(filter));
	if (values.before !== undefined) {
		for (const { surface, theme, file } of await picturesIn(path.resolve(values.before))) {
			if (theme === "" || theme === "light") add(surfaces, surface, { file, caption: "before" });
		}
	}
	for (const { surface, theme, file } of await picturesIn(pictures)) {
		add(surfaces, surface, { file, caption: theme === "" ? "now" : `now, ${theme}` });
	}
	await rm(sheets, { recursive: true, force: true });
	await mkdir(sheets, { recursive: true });
	await using browser = await launchBrowser();
	const page = await newPage(browser, { width: 1500, height: 900 });
	for (const [surface, shown] of surfaces) {
		if (!isMeant(surface)) continue;
		const figures = await Promise.all(
			shown.map(async ({ file, caption }) => {
				const data = (await readFile(file)).toString("base64");
				return `<figure><figcaption>${caption}</figcaption><img src="data:image/png;base64,${data}"></figure>`;
			}),
		);
		const style =
			"body{margin:8px;font:14px sans-serif;display:grid;grid-template-columns:1fr 1fr;gap:8px;background:#888}";
		const look = `<style>${style}figure{margin:0}img{max-width:100%}h1{font-size:16px;margin:0;grid-column:1/-1}</style>`;
		await page.setContent(`${look}<h1>${surface}</h1>${figures.join("")}`);
		await page.screenshot({ path: path.join(sheets, `${surface}.png`), fullPage: true });
	}
	console.log(`${surfaces.size} surfaces in ${path.relative(repositoryRoot, sheets)}`);
	return 0;
});

/** The pictures of a folder, each with its surface and its theme by its name, in the order of the themes. */
async function picturesIn(folder: string): Promise<readonly { surface: string; theme: string; file: string }[]> {
	const found = (await readdir(folder))
		.filter((name) => name.endsWith(".png"))
		.map((name) => {
			const whole = name.slice(0, -".png".length);
			const theme = themes.exec(whole)?.[1] ?? "";
			return { surface: whole.replace(themes, ""), theme, file: path.join(folder, name) };
		});
	return found.toSorted((one, other) => order.indexOf(one.theme) - order.indexOf(other.theme));
}

function add(surfaces: Map<string, Shown[]>, surface: string, shown: Shown): void {
	surfaces.set(surface, [...(surfaces.get(surface) ?? []), shown]);
}
