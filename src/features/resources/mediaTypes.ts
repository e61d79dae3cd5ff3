/** A kind of content by VS Code's definitions. The first extension is the one that is added to names without one. */
interface MediaType {
	readonly extensions: readonly string[];
	/** VS Code's language; absent for content that is not text. */
	readonly language?: string;
}

const text = (language: string, ...extensions: readonly string[]): MediaType => ({ extensions, language });
const binary = (...extensions: readonly string[]): MediaType => ({ extensions });

const mediaTypes = new Map<string, MediaType>(
	Object.entries({
		"text/markdown": text("markdown", "md", "markdown"),
		"text/x-markdown": text("markdown", "md", "markdown"),
		"text/html": text("html", "html", "htm"),
		"text/css": text("css", "css"),
		"text/csv": text("plaintext", "csv"),
		"text/calendar": text("plaintext", "ics"),
		"text/xml": text("xml", "xml"),
		"application/xml": text("xml", "xml"),
		"application/json": text("json", "json"),
		"application/ld+json": text("json", "json"),
		"application/jsonl": text("jsonl", "jsonl"),
		"application/x-ndjson": text("jsonl", "jsonl"),
		"application/yaml": text("yaml", "yaml", "yml"),
		"application/x-yaml": text("yaml", "yaml", "yml"),
		"text/yaml": text("yaml", "yaml", "yml"),
		"application/toml": text("toml", "toml"),
		"text/javascript": text("javascript", "js", "mjs", "cjs"),
		"application/javascript": text("javascript", "js", "mjs", "cjs"),
		"text/typescript": text("typescript", "ts", "mts", "cts", "tsx"),
		"application/typescript": text("typescript", "ts", "mts", "cts", "tsx"),
		"text/x-python": text("python", "py"),
		"text/x-java": text("java", "java"),
		"text/x-c": text("c", "c", "h"),
		"text/x-c++": text("cpp", "cpp", "hpp", "cc"),
		"text/x-csharp": text("csharp", "cs"),
		"text/x-go": text("go", "go"),
		"text/x-rust": text("rust", "rs"),
		"text/x-ruby": text("ruby", "rb"),
		"text/x-sh": text("shellscript", "sh"),
		"application/x-sh": text("shellscript", "sh"),
		"application/sql": text("sql", "sql"),
		"text/x-sql": text("sql", "sql"),
		"text/x-diff": text("diff", "diff", "patch"),
		"text/x-log": text("log", "log"),
		"image/svg+xml": text("xml", "svg"),
		"image/png": binary("png"),
		"image/jpeg": binary("jpg", "jpeg", "jpe"),
		"image/gif": binary("gif"),
		"image/webp": binary("webp"),
		"image/bmp": binary("bmp"),
		"image/x-icon": binary("ico"),
		"image/vnd.microsoft.icon": binary("ico"),
		"image/avif": binary("avif"),
		"audio/mpeg": binary("mp3"),
		"audio/wav": binary("wav"),
		"audio/ogg": binary("ogg", "oga"),
		"video/mp4": binary("mp4"),
		"video/webm": binary("webm"),
		"application/pdf": binary("pdf"),
		"application/zip": binary("zip"),
		"application/gzip": binary("gz", "tgz"),
	}),
);

/** `Text/HTML; charset=utf-8` as `text/html`. */
function essence(mimeType: string | undefined): string {
	return (mimeType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

function mediaTypeOf(mimeType: string | undefined): MediaType | undefined {
	const name = essence(mimeType);
	const known = mediaTypes.get(name);
	if (known !== undefined) return known;
	if (name.endsWith("+json")) return mediaTypes.get("application/json");
	if (name.endsWith("+xml")) return mediaTypes.get("application/xml");
	return name.endsWith("+yaml") ? mediaTypes.get("application/yaml") : undefined;
}

/** VS Code's language for a MIME type; undefined when it has none of its own, such as `text/plain`. */
export function languageOf(mimeType: string | undefined): string | undefined {
	return mediaTypeOf(mimeType)?.language;
}

/** Whether content of this type can only be shown as text: all of `text/*`, and types that are text by another name. */
export function isTextType(mimeType: string | undefined): boolean {
	return essence(mimeType).startsWith("text/") || languageOf(mimeType) !== undefined;
}

/** The lower-case extension of a name, without its dot; undefined where it has none that reads as one. */
export function extensionOf(name: string): string | undefined {
	return /\.([A-Za-z][A-Za-z0-9-]{0,19})$/.exec(name)?.[1]?.toLowerCase();
}

/** The extension that is added to names of this type. */
export function preferredExtension(mimeType: string): string | undefined {
	return mediaTypeOf(mimeType)?.extensions[0];
}

/** Whether VS Code has its own viewer for this type: images, including SVG, sounds and videos. */
export function isViewedType(mimeType: string): boolean {
	return /^(image|audio|video)\//.test(mimeType);
}

/** The types that VS Code's viewers expect for an extension; empty for other extensions. */
export function viewedTypesOf(extension: string): readonly string[] {
	return [...mediaTypes]
		.filter(([type, { extensions }]) => isViewedType(type) && extensions.includes(extension))
		.map(([type]) => type);
}

/**
 * A file name from which VS Code chooses the right viewer: the given one, with an extension added if the MIME type
 * requires one. A text keeps any extension that it has, because `main.rs` is more specific than `text/plain`.
 */
export function withExtension(name: string, mimeType: string | undefined): string {
	const type = mediaTypeOf(mimeType);
	const preferred = type?.extensions[0];
	if (type === undefined || preferred === undefined) return name;
	const present = /\.([A-Za-z][A-Za-z0-9]{0,9})$/.exec(name)?.[1]?.toLowerCase();
	const isSettled = present !== undefined && (type.language === undefined ? type.extensions.includes(present) : true);
	return isSettled ? name : `${name}.${preferred}`;
}

/** The icon of our own for a resource in the tree, by its MIME type. */
export function iconOf(mimeType: string | undefined): string {
	const name = essence(mimeType);
	if (name.startsWith("image/")) return "file-media";
	if (name.startsWith("audio/") || name.startsWith("video/")) return "file-media";
	if (name === "text/markdown") return "markdown";
	if (name.endsWith("json")) return "json";
	if (name === "application/pdf") return "file-pdf";
	if (name === "application/zip" || name === "application/gzip") return "file-zip";
	if (name === "" || name === "text/plain") return "file";
	return isTextType(name) ? "file-code" : "file-binary";
}
