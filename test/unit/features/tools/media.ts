/** Small files of each kind, in base64: their first bytes are genuine. */
function file(hex: string): string {
	return Buffer.from(hex.replaceAll(" ", ""), "hex").toString("base64");
}

/** An image of 640 × 480 pixels, according to its header. */
export const png = file("89504e470d0a1a0a 0000000d 49484452 00000280 000001e0 0802000000");
export const webp = file("52494646 00000000 57454250 56503820 00000000 000000 9d012a 8002 e001");
/** An image that claims 60,000 × 60,000 pixels. */
export const hugePng = file("89504e470d0a1a0a 0000000d 49484452 0000ea60 0000ea60 0802000000");
export const wav = file("52494646 24000000 57415645 666d7420 10000000 0100 0100");
export const ogg = file("4f676753 0002 0000000000000000");
