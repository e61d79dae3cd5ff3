/** The kinds of image that are shown and sent: raster formats that every model and the editor can read. */
export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

/** The kinds of recording that a panel can play. */
export type AudioType = "audio/wav" | "audio/mpeg" | "audio/ogg" | "audio/flac" | "audio/mp4" | "audio/webm";

/** The kind of an image by its first bytes, whatever the server calls it (security.md RES-05). `data` is base64. */
export function sniffImage(data: string): ImageType | undefined {
	const head = headOf(data);
	if (head.startsWith("\u0089PNG\r\n\u001A\n")) return "image/png";
	if (head.startsWith("\u00FF\u00D8\u00FF")) return "image/jpeg";
	if (head.startsWith("GIF87a") || head.startsWith("GIF89a")) return "image/gif";
	return head.startsWith("RIFF") && head.startsWith("WEBP", 8) ? "image/webp" : undefined;
}

/** The kind of a recording by its first bytes. `data` is base64. */
export function sniffAudio(data: string): AudioType | undefined {
	const head = headOf(data);
	if (head.startsWith("RIFF") && head.startsWith("WAVE", 8)) return "audio/wav";
	if (head.startsWith("ID3") || /^\u00FF[\u00F2\u00F3\u00FA\u00FB]/.test(head)) return "audio/mpeg";
	if (head.startsWith("OggS")) return "audio/ogg";
	if (head.startsWith("fLaC")) return "audio/flac";
	if (head.startsWith("\u001A\u0045\u00DF\u00A3")) return "audio/webm";
	return head.startsWith("ftyp", 4) ? "audio/mp4" : undefined;
}

/** The first bytes, one character for each. */
function headOf(data: string): string {
	return atob(data.slice(0, 24));
}
