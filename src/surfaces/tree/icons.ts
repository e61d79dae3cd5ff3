import { decodeBase64 } from "../../base/base64.ts";
import { imageSize } from "../../base/imageSize.ts";
import { typeOfBytes } from "../../base/media.ts";
import type { NodePicture } from "./view.ts";

/** An icon as the specification has servers state it. */
interface StatedIcon {
	readonly src: string;
	readonly theme?: string | undefined;
}

/** The most bytes of a picture in a row, and the most pixels of each side: a small file may unfold into a huge picture. */
const sizeLimit = 16 * 1024;
const pixelLimit = 512;

const rasterTypes: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/webp", "image/gif"]);

/** How many of a server's icons are looked into. */
const countLimit = 8;

/**
 * The first icons of a server, for light and dark themes, that can be shown without asking anybody for anything: small
 * PNG, JPEG, WebP or GIF pictures as `data:` URIs, by what the data is and not by what it is called. Nothing is ever
 * fetched, and SVG, which may hold scripts and links, is none of them (UI-10). Undefined when there is none.
 */
export function safePicture(icons: readonly StatedIcon[] | undefined): NodePicture | undefined {
	const found = new Map<string, string>();
	for (const { src, theme = "any" } of icons?.slice(0, countLimit) ?? []) {
		const picture = found.has(theme) ? undefined : safeDataUri(src);
		if (picture !== undefined) found.set(theme, picture);
	}
	const light = found.get("light") ?? found.get("any") ?? found.get("dark");
	const dark = found.get("dark") ?? found.get("any") ?? light;
	return light === undefined || dark === undefined ? undefined : { light, dark };
}

/** The picture that a `data:` URI holds, written anew from its bytes; undefined for anything else. */
function safeDataUri(src: string): string | undefined {
	// Base64 is a third longer than what it stands for.
	if (src.length > 2 * sizeLimit) return undefined;
	const bytes = /^data:/i.test(src) ? decodeBase64(src) : undefined;
	if (bytes === undefined || bytes.length > sizeLimit) return undefined;
	const type = typeOfBytes(bytes) ?? "";
	const size = rasterTypes.has(type) ? imageSize(type, bytes) : undefined;
	if (size === undefined) return undefined;
	const fits = (side: number): boolean => side > 0 && side <= pixelLimit;
	return fits(size.width) && fits(size.height) ? `data:${type};base64,${bytes.toString("base64")}` : undefined;
}
