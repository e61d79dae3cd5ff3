import { crc32, deflateSync } from "node:zlib";

type Colour = readonly [red: number, green: number, blue: number];

const width = 320;
const height = 180;
const horizon = 120;
const sun = { x: 220, y: 92, radius: 34 };

/** A small picture of a sunset over the sea, as a PNG file: the demo's binary resource. */
export function sunset(): Buffer {
	return encodePng(width, height, (x, y) => {
		const fromSun = Math.hypot(x - sun.x, y - sun.y);
		if (y < horizon) return fromSun < sun.radius ? [255, 236, 170] : mix([58, 44, 110], [250, 130, 84], y / horizon);
		// The reflection: stripes below the sun that widen towards the shore.
		const depth = (y - horizon) / (height - horizon);
		const isLit = Math.abs(x - sun.x) < 14 + depth * 40 && (y + Math.floor(x / 24)) % 4 < 2;
		return isLit ? [255, 190, 120] : mix([150, 80, 100], [24, 28, 66], depth);
	});
}

function mix(from: Colour, to: Colour, part: number): Colour {
	const at = (index: 0 | 1 | 2): number => Math.round(from[index] + (to[index] - from[index]) * part);
	return [at(0), at(1), at(2)];
}

/** Encodes an 8-bit truecolour image (PNG specification, sections 5 and 11). */
function encodePng(width: number, height: number, colourAt: (x: number, y: number) => Colour): Buffer {
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	header.set([8, 2], 8); // bits per sample, truecolour; no interlacing
	const stride = 1 + width * 3; // each line starts with its filter, here "none"
	const pixels = Buffer.alloc(stride * height);
	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) pixels.set(colourAt(x, y), y * stride + 1 + x * 3);
	}
	const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
	return Buffer.concat([
		signature,
		chunk("IHDR", header),
		chunk("IDAT", deflateSync(pixels)),
		chunk("IEND", Buffer.alloc(0)),
	]);
}

function chunk(type: string, data: Buffer): Buffer {
	const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
	const frame = Buffer.alloc(body.length + 8);
	frame.writeUInt32BE(data.length, 0);
	body.copy(frame, 4);
	frame.writeUInt32BE(crc32(body), body.length + 4);
	return frame;
}
