/** How many pixels an image may have to be shown: its viewer unpacks four bytes of each (security.md RES-06). */
const pixelLimit = 100_000_000;

/** Where a format keeps width and height, little-endian ones after the bytes that they follow. */
type Measure = (data: Buffer) => { readonly width: number; readonly height: number } | undefined;

const measures: Readonly<Record<string, Measure>> = {
	"image/png": (data) => ({ width: data.readUInt32BE(16), height: data.readUInt32BE(20) }),
	"image/gif": (data) => ({ width: data.readUInt16LE(6), height: data.readUInt16LE(8) }),
	"image/bmp": (data) => ({ width: Math.abs(data.readInt32LE(18)), height: Math.abs(data.readInt32LE(22)) }),
	"image/webp": measureWebp,
	"image/jpeg": measureJpeg,
};

/**
 * Whether an image is small enough to be unpacked by a viewer, by the size that its header states. True for formats whose
 * size is not known here; false for headers that break off.
 */
export function canUnpack(mimeType: string, bytes: Uint8Array): boolean {
	const measure = measures[mimeType];
	if (measure === undefined) return true;
	try {
		const size = measure(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
		return size !== undefined && size.width * size.height <= pixelLimit;
	} catch (error) {
		// A read beyond the end of the data.
		if (error instanceof RangeError) return false;
		throw error;
	}
}

/** The canvas of the extended format, or the frame of the lossy or lossless one (RFC 9649). */
function measureWebp(data: Buffer): ReturnType<Measure> {
	switch (data.toString("latin1", 12, 16)) {
		case "VP8X":
			return { width: data.readUIntLE(24, 3) + 1, height: data.readUIntLE(27, 3) + 1 };
		case "VP8L": {
			const bits = data.readUInt32LE(21);
			return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
		}
		default:
			return { width: data.readUInt16LE(26) & 0x3fff, height: data.readUInt16LE(28) & 0x3fff };
	}
}

/** The first frame header among the segments (ITU T.81, B.2). */
function measureJpeg(data: Buffer): ReturnType<Measure> {
	for (let position = 2; position + 9 < data.length;) {
		if (data[position] !== 0xff) return undefined;
		const marker = data[position + 1] ?? 0;
		// Fill bytes may stand before a marker.
		if (marker === 0xff) {
			position++;
			continue;
		}
		const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
		if (isFrame) return { width: data.readUInt16BE(position + 7), height: data.readUInt16BE(position + 5) };
		position += 2 + data.readUInt16BE(position + 2);
	}
	return undefined;
}
