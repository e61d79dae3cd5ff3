import { imageSize, isMeasurable } from "../base/imageSize.ts";

/** How many pixels an image may have to be shown: its viewer unpacks four bytes of each (security.md RES-06). */
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
