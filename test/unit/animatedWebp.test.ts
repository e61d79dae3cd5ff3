/** The moving picture of the README: a container that can be read back, and the file in the repository. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { animatedWebp, type Moment } from "../tasks/animatedWebp.ts";

interface Chunk {
	readonly name: string;
	readonly content: Buffer;
}

/** The chunks of a RIFF file or of a frame, from `start` on. */
function chunksOf(buffer: Buffer, start: number): readonly Chunk[] {
	const chunks: Chunk[] = [];
	for (let at = start; at < buffer.length;) {
		const length = buffer.readUInt32LE(at + 4);
		chunks.push({ name: buffer.toString("latin1", at, at + 4), content: buffer.subarray(at + 8, at + 8 + length) });
		at += 8 + length + (length % 2);
	}
	return chunks;
}

/** The content of an animation as a reader sees it. */
function readAnimation(file: Buffer) {
	expect(file.toString("latin1", 0, 4) + file.toString("latin1", 8, 12)).toBe("RIFFWEBP");
	expect(file.readUInt32LE(4)).toBe(file.length - 8);
	const [extended, animation, ...frames] = chunksOf(file, 12);
	expect([extended?.name, animation?.name, new Set(frames.map(({ name }) => name))]).toEqual([
		"VP8X",
		"ANIM",
		new Set(["ANMF"]),
	]);
	const size = (content: Buffer, at: number): readonly number[] =>
		[at, at + 3].map((place) => content.readUIntLE(place, 3) + 1);
	return {
		isAnimated: ((extended?.content[0] ?? 0) & 0x02) !== 0,
		size: size(extended?.content ?? Buffer.alloc(10), 4),
		loops: animation?.content.readUInt16LE(4),
		frames: frames.map(({ content }) => ({
			position: [content.readUIntLE(0, 3), content.readUIntLE(3, 3)],
			size: size(content, 6),
			milliseconds: content.readUIntLE(12, 3),
			image: chunksOf(content, 16).map((one) => [one.name, one.content.toString("latin1")]),
		})),
	};
}

/** A still picture with these chunks. */
function still(...chunks: readonly (readonly [name: string, content: string])[]): Buffer {
	const parts = chunks.map(([name, content]) => {
		const length = Buffer.alloc(4);
		length.writeUInt32LE(content.length);
		return Buffer.concat([Buffer.from(name), length, Buffer.from(content), Buffer.alloc(content.length % 2)]);
	});
	const body = Buffer.concat([Buffer.from("WEBP"), ...parts]);
	const length = Buffer.alloc(4);
	length.writeUInt32LE(body.length);
	return Buffer.concat([Buffer.from("RIFF"), length, body]);
}

const moment = (file: Buffer, milliseconds: number, width = 300): Moment => ({ file, width, height: 2, milliseconds });

describe("An animated WebP", () => {
	it("is read back as its pictures, each with its duration", () => {
		const lossless = still(["VP8L", "odd"]);
		const withAlpha = still(["VP8X", "0123456789"], ["ALPH", "mask"], ["VP8 ", "pixels!"], ["EXIF", "who"]);
		const file = animatedWebp([moment(lossless, 1500), moment(withAlpha, 2500)]);
		const frame = { position: [0, 0], size: [300, 2] };
		expect(readAnimation(file)).toEqual({
			isAnimated: true,
			size: [300, 2],
			loops: 0,
			frames: [
				{ ...frame, milliseconds: 1500, image: [["VP8L", "odd"]] },
				{
					...frame,
					milliseconds: 2500,
					image: [
						["ALPH", "mask"],
						["VP8 ", "pixels!"],
					],
				},
			],
		});
	});

	it("is not made of an empty list, of other files, or of pictures of different sizes", () => {
		const picture = still(["VP8L", "odd"]);
		expect(() => animatedWebp([])).toThrow("needs pictures");
		expect(() => animatedWebp([moment(Buffer.from("not a picture"), 1)])).toThrow("not a WebP");
		expect(() => animatedWebp([moment(still(["ANIM", ""]), 1)])).toThrow("not a still picture");
		expect(() => animatedWebp([moment(picture, 1), moment(picture, 1, 301)])).toThrow("differ in size");
	});
});

describe("media/readme/call.webp", () => {
	it("shows its frames for 1.5 to 2.5 seconds each, in less than 250 KB", () => {
		const file = readFileSync(new URL("../../media/readme/call.webp", import.meta.url));
		expect(file.length).toBeLessThan(250_000);
		const { frames, isAnimated, loops, size } = readAnimation(file);
		expect([isAnimated, loops]).toEqual([true, 0]);
		expect(frames.length).toBeGreaterThanOrEqual(4);
		for (const frame of frames) {
			expect(frame.size).toEqual(size);
			expect(frame.milliseconds).toBeGreaterThanOrEqual(1500);
			expect(frame.milliseconds).toBeLessThanOrEqual(2500);
		}
	});
});
