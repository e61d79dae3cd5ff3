/** Kinds of audio that the format of chat completions can carry. */
const audioFormats: ReadonlyMap<string, "wav" | "mp3"> = new Map([
	["audio/wav", "wav"],
	["audio/x-wav", "wav"],
	["audio/wave", "wav"],
	["audio/vnd.wave", "wav"],
	["audio/mpeg", "mp3"],
	["audio/mp3", "mp3"],
]);

/** The name that chat completions have for a type of sound, as for `audio/wav; codecs=1`; undefined for any other. */
export function audioFormatOf(mimeType: string): "wav" | "mp3" | undefined {
	return audioFormats.get((mimeType.split(";", 1)[0] ?? "").trim().toLowerCase());
}
