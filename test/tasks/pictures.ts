/**
 * `npm run pictures [-- filter]`: remakes the pictures of the README, of Get Started and of the documentation, of the stories
 * test/e2e/pictures*.spec.ts in a real window, with two pixels for one, and puts them into `media` and `docs/pictures`. They are WebP
 * without loss, which the editor and the Marketplace show, of as many colours as a window of the editor needs: so all
 * of them take less than one of a phone. The moments of a moving picture, `<name>@<number>@<milliseconds>.png`, become
 * one file.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import encode, { init } from "@jsquash/webp/encode.js";
import type { Page } from "playwright-core";
import { launchBrowser, pixelRatio } from "../editor/browser.ts";
import { runTask } from "../editor/progress.ts";
import { animatedWebp, type Moment } from "./animatedWebp.ts";
import { outputFolder, repositoryRoot } from "./paths.ts";

const from = path.join(outputFolder, "pictures");
const to = path.join(repositoryRoot, "media");
/** More make no visible difference: letters are drawn in shades of one colour. */
const mostColours = 64;

await runTask(async () => {
	await rm(from, { recursive: true, force: true });
	const env = { ...process.env, [pixelRatio]: "2" };
	const story = spawn(process.execPath, ["test/tasks/e2e.ts", process.argv[2] ?? "e2e/pictures"], {
		cwd: repositoryRoot,
		env,
		stdio: "inherit",
	});
	const [code] = await once(story, "exit");
	if (code !== 0) return 1;
	const codec = fileURLToPath(import.meta.resolve("@jsquash/webp/codec/enc/webp_enc_simd.wasm"));
	await init({ wasmBinary: await readFile(codec) });
	await using browser = await launchBrowser();
	const page = await browser.newPage();
	const moving = new Map<string, Moment[]>();
	for (const file of (await readdir(from, { recursive: true })).toSorted()) {
		if (!file.endsWith(".png")) continue;
		const picture = await toWebp(page, await readFile(path.join(from, file)));
		const [, name, milliseconds] = /^(.+)@\d@(\d+)\.png$/.exec(file) ?? [];
		if (name === undefined) await put(file.replace(/\.png$/, ".webp"), picture.file);
		else moving.set(name, [...(moving.get(name) ?? []), { ...picture, milliseconds: Number(milliseconds) }]);
	}
	for (const [name, moments] of moving) await put(`${name}.webp`, animatedWebp(moments));
	return 0;
});

/** Writes a picture into `media`, or into the documentation. */
async function put(name: string, picture: Uint8Array): Promise<void> {
	const target = path.join(name.startsWith(`docs${path.sep}`) ? repositoryRoot : to, name);
	await mkdir(path.dirname(target), { recursive: true });
	await writeFile(target, picture);
	console.log(`${path.relative(repositoryRoot, target)} ${Math.round(picture.length / 1024)} KB`);
}

/** The picture with its most frequent colours only, each other one as the nearest of them. */
async function toWebp(page: Page, png: Buffer): Promise<Omit<Moment, "milliseconds">> {
	const work = `(async () => {
		const image = new Image();
		image.src = "data:image/png;base64,${png.toString("base64")}";
		await image.decode();
		const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
		const context = canvas.getContext("2d");
		context.drawImage(image, 0, 0);
		const pixels = context.getImageData(0, 0, canvas.width, canvas.height);
		const colours = new Uint32Array(pixels.data.buffer);
		const counts = new Map();
		for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
		const kept = [...counts.keys()].sort((one, other) => counts.get(other) - counts.get(one)).slice(0, ${mostColours});
		const nearest = new Map(kept.map((colour) => [colour, colour]));
		const distance = (one, other) =>
			[0, 8, 16].reduce((sum, shift) => sum + (((one >>> shift) & 255) - ((other >>> shift) & 255)) ** 2, 0);
		const nearestTo = (colour) => {
			let best = kept[0];
			for (const other of kept) if (distance(colour, other) < distance(colour, best)) best = other;
			nearest.set(colour, best);
			return best;
		};
		for (let index = 0; index < colours.length; index++)
			colours[index] = nearest.get(colours[index]) ?? nearestTo(colours[index]);
		context.putImageData(pixels, 0, 0);
		const bytes = new Uint8Array(pixels.data.buffer);
		let text = "";
		for (let start = 0; start < bytes.length; start += 32768)
			text += String.fromCharCode(...bytes.subarray(start, start + 32768));
		return { width: canvas.width, height: canvas.height, data: btoa(text) };
	})()`;
	const { data, width, height } = await page.evaluate<{ data: string; width: number; height: number }>(work);
	const pixels = new Uint8ClampedArray(Buffer.from(data, "base64"));
	// The browser's own encoder makes files of nearly twice the size.
	const webp = await encode(
		{ data: pixels, width, height, colorSpace: "srgb" },
		{ lossless: 1, quality: 100, method: 6 },
	);
	return { file: new Uint8Array(webp), width, height };
}
