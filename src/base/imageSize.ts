/** Width and height in pixels. */
export interface ImageSize {
	readonly width: number;
	readonly height: number;
}

/** Throws a RangeError where the data ends before it. */
type Measure = (data: Buffer) => ImageSize | undefined;

const measures: ReadonlyMap<string, Measure> = new Map(
	Object.entries({
		"image/png": (data: Buffer) => ({ width: data.readUInt32BE(16), height: data.readUInt32BE(20) }),
		"image/gif": (data: Buffer) => ({ width: data.readUInt16LE(6), height: data.readUInt16LE(8) }),
		"image/bmp": (data: Buffer) => ({ width: Math.abs(data.readInt32LE(18)), height: Math.abs(data.readInt32LE(22)) }),
		"image/webp": measureWebp,
		"image/jpeg": measureJpeg,
	}),
);

/** Whether `imageSize` knows where images of this type state their size. */
export function isMeasurable(mimeType: string): boolean {
	return measures.has(mimeType);
}

/**
 * The size that an image claims in its header, without unpacking it: a few bytes may claim more pixels than a window can hold
 * (RES-06). Undefined for a header that breaks off or makes no sense, and for other types.
 */
export function imageSize(mimeType: string, bytes: Uint8Array): ImageSize | undefined {
	try {
		return measures.get(mimeType)?.(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
	} catch (error) {
		// A read beyond the end of the data.
		if (error instanceof RangeError) return undefined;
		throw error;
	}
}

/** The canvas of the extended format, or the frame of the lossless or lossy one (RFC 9649). */
function measureWebp(data: Buffer): ImageSize | undefined {
	switch (data.toString("latin1", 12, 16)) {
		case "VP8X":
			return { width: data.readUIntLE(24, 3) + 1, height: data.readUIntLE(27, 3) + 1 };
		case "VP8L": {
			const bits = data.readUInt32LE(21);
			return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
		}
		case "VP8 ":
			return { width: data.readUInt16LE(26) & 0x3fff, height: data.readUInt16LE(28) & 0x3fff };
		default:
			return undefined;
	}
}

/** The first frame header among the segments (ITU-T T.81, B.2.2). */
function measureJpeg(data: Buffer): ImageSize | undefined {
	for (let position = 2; data[position] === 0xff;) {
		const marker = data.readUInt8(position + 1);
		// Fill bytes may precede a marker.
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

/** How many pixels an image may have to be shown: its viewer unpacks four bytes of each (RES-06). */
const pixelLimit = 100_000_000;

/**
 * Whether an image is small enough to be unpacked by a viewer, by the size that its header states. True for formats whose
 * size is not known here; false for headers that break off.
 */
export function canUnpack(mimeType: string, bytes: Uint8Array): boolean {
	if (!isMeasurable(mimeType)) return true;
	const size = imageSize(mimeType, bytes);
	return size !== undefined && size.width * size.height <= pixelLimit;
}
