/** A picture with its duration. `file` is a whole WebP file of a still picture. */
export interface Moment {
	readonly file: Uint8Array;
	readonly width: number;
	readonly height: number;
	readonly milliseconds: number;
}

/** The size of a RIFF header: `RIFF`, the length, `WEBP`. */
const headerSize = 12;
/** The flag of VP8X for an animation, and that of a frame that replaces what it covers. */
const animationFlag = 0x02;
const replacesFlag = 0x02;

/**
 * One WebP that shows pictures of the same size in turn, without end: the container around the image data of their files
 * (RFC 9649, section 2.7).
 * @throws Error when the pictures differ in size, or a file is not a still WebP.
 */
export function animatedWebp(moments: readonly Moment[]): Buffer {
	const [first] = moments;
	if (first === undefined) throw new Error("An animation needs pictures.");
	const { width, height } = first;
	const frames = moments.map((moment) => {
		if (moment.width !== width || moment.height !== height) throw new Error("The pictures differ in size.");
		const position = [0, 0];
		const numbers = [...position, width - 1, height - 1, moment.milliseconds].map((number) => bytes(number, 3));
		return chunk("ANMF", Buffer.concat([...numbers, bytes(replacesFlag, 1), imageData(moment.file)]));
	});
	const extended = Buffer.concat([bytes(animationFlag, 4), bytes(width - 1, 3), bytes(height - 1, 3)]);
	const [background, loops] = [bytes(0xffffffff, 4), bytes(0, 2)];
	const animation = chunk("ANIM", Buffer.concat([background, loops]));
	return chunk("RIFF", Buffer.concat([Buffer.from("WEBP"), chunk("VP8X", extended), animation, ...frames]));
}

/** The chunks of a still picture that hold its image: `VP8 ` or `VP8L`, and `ALPH` before the first. */
function imageData(file: Uint8Array): Buffer {
	const buffer = Buffer.from(file);
	if (buffer.toString("latin1", 0, 4) !== "RIFF" || buffer.toString("latin1", 8, headerSize) !== "WEBP")
		throw new Error("This is not a WebP file.");
	const kept: Buffer[] = [];
	for (let start = headerSize; start < buffer.length;) {
		const name = buffer.toString("latin1", start, start + 4);
		const end = start + 8 + padded(buffer.readUInt32LE(start + 4));
		if (["ALPH", "VP8 ", "VP8L"].includes(name)) kept.push(buffer.subarray(start, end));
		start = end;
	}
	if (kept.length === 0) throw new Error("This WebP file is not a still picture.");
	return Buffer.concat(kept);
}

function chunk(name: string, content: Buffer): Buffer {
	const padding = Buffer.alloc(padded(content.length) - content.length);
	return Buffer.concat([Buffer.from(name), bytes(content.length, 4), content, padding]);
}

const padded = (length: number): number => length + (length % 2);

/** A number as this many bytes, the lowest first. */
function bytes(number: number, count: number): Buffer {
	const buffer = Buffer.alloc(count);
	buffer.writeUIntLE(number, 0, count);
	return buffer;
}
