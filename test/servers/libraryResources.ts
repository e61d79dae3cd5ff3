import type { Resource } from "@modelcontextprotocol/server";
import { icons } from "./libraryMedia.ts";
import { hostileTexts } from "./libraryTexts.ts";
import type { LibraryWorld } from "./libraryWorld.ts";

/** The resources that change on command, by how (see the tool `change`). */
export const liveUris = {
	sameLength: "live://clock/same-length",
	otherLength: "live://clock/other-length",
	vanishing: "live://vanishing",
	/** Its updates name `live://folder/child`. */
	folder: "live://folder",
	/** Changes right after each read until there is a subscriber, without a notification (RES-11). */
	early: "live://early",
	dashboard: "live://dashboard.md",
} as const;

/** Exact URIs that a careless client confuses, opens itself, or cannot open (BLT-20 to BLT-26, RES-01, RES-09). */
const oddUris: readonly string[] = [
	"urn:isbn:0451450523",
	"https://library.example/catalog/page.html?lang=en#top",
	"http://library.example/plain.txt",
	"file:///etc/passwd",
	"file:///C:/Users/Ann/Book%20List.txt",
	"command:workbench.action.quit",
	"vscode://settings/mcpHost.servers",
	"javascript:alert(1)",
	"data:text/plain,hello",
	"mailto:librarian@library.example",
	"case://Reader/Notes",
	"case://reader/Notes",
	"case://reader/notes",
	"query://notes?id=1",
	"query://notes?id=2",
	"query://notes#1",
	"odd://user:word@[2001:db8::1]:8080/a//b/../c",
	"odd://host/a%2Fb%3Fc",
	"odd://host/ünïcode/文書.txt",
	"odd://host/../../x",
	"odd://host/C:%5Ca%00b",
];

const storied: readonly Resource[] = [
	{
		uri: liveUris.sameLength,
		name: "same-length",
		title: "Clock of Equal Lengths",
		mimeType: "text/plain",
		annotations: { priority: 1, lastModified: "2026-11-21T08:00:00Z" },
		icons: [icons.png],
	},
	{ uri: liveUris.otherLength, name: "other-length", title: "Clock of Other Lengths", mimeType: "text/plain" },
	{ uri: liveUris.vanishing, name: "vanishing", title: "Vanishing", mimeType: "text/plain" },
	{ uri: liveUris.folder, name: "folder", title: "Folder with a Changing Child", mimeType: "text/plain" },
	{ uri: liveUris.early, name: "early", title: "Changes Early", mimeType: "text/plain" },
	{ uri: liveUris.dashboard, name: "dashboard.md", title: "Dashboard", mimeType: "text/markdown", size: 120 },
	{ uri: "parts://several", name: "several", title: "Several Contents", description: "A text, a picture and bytes." },
	{ uri: "parts://same-uri", name: "same-uri", title: "Two Contents of One URI" },
	{ uri: "parts://other-uri", name: "other-uri", title: "A Content of Another URI" },
	{ uri: "parts://none", name: "none", title: "No Contents" },
	{ uri: "bytes://picture.png", name: "picture.png", mimeType: "image/png", size: 70 },
	{ uri: "bytes://script.svg", name: "script.svg", mimeType: "image/svg+xml" },
	{ uri: "bytes://lying.png", name: "lying.png", title: "HTML That Says It Is a Picture", mimeType: "image/png" },
	{ uri: "bytes://sound.wav", name: "sound.wav", mimeType: "audio/wav" },
	{ uri: "bytes://book.pdf", name: "book.pdf", mimeType: "application/pdf", size: 9 },
	{ uri: "bytes://raw", name: "raw", mimeType: "application/octet-stream", size: 256 },
	{ uri: "bytes://broken-base64", name: "broken-base64", mimeType: "application/octet-stream" },
	{ uri: "bytes://code.py", name: "code.py", mimeType: "text/x-python" },
	{ uri: "bytes://table.csv", name: "table.csv", mimeType: "text/csv" },
	{ uri: "bytes://page.html", name: "page.html", mimeType: "text/html; charset=utf-8" },
	{ uri: "bytes://no-type", name: "no-type" },
	{ uri: "bytes://settings.json", name: "settings.json", mimeType: "application/json" },
	{ uri: "size://huge.log", name: "huge.log", title: "Huge and Says So", mimeType: "text/plain", size: 60_000_000 },
	{
		uri: "size://secretly-huge.log",
		name: "secretly-huge.log",
		title: "Huge and Says Nothing",
		mimeType: "text/plain",
	},
	{ uri: "size://says-huge.txt", name: "says-huge.txt", mimeType: "text/plain", size: 5_000_000_000_000 },
	{ uri: "size://one-line.txt", name: "one-line.txt", title: "One Line of 100 KB", mimeType: "text/plain" },
	{ uri: "fails://not-found", name: "not-found", title: "Listed, but Not Found" },
	{ uri: "fails://forbidden", name: "forbidden", title: "Forbidden" },
	{ uri: "fails://slow", name: "slow", title: "Takes Two Seconds" },
	...oddUris.map((uri): Resource => ({ uri, name: uri, mimeType: "text/plain" })),
	...Object.entries(hostileTexts).map(([key, text]): Resource => ({
		uri: `hostile://${key}`,
		name: text,
		title: text,
		description: text,
		mimeType: "text/plain",
	})),
	...Object.entries(icons).map(([key, icon]): Resource => ({
		uri: `icons://${key}`,
		name: `icon ${key}`,
		icons: [icon],
		mimeType: "text/plain",
	})),
];

/** How many resources are special. */
const storiedCount = storied.length;

const authors = ["Ann Radcliffe", "Jane Austen", "Karel Čapek", "Mary Shelley", "Stanisław Lem", "Ursula K. Le Guin"];
const kinds = [
	{ extension: "md", mimeType: "text/markdown" },
	{ extension: "txt", mimeType: "text/plain" },
	{ extension: "json", mimeType: "application/json" },
	{ extension: "png", mimeType: "image/png" },
	{ extension: "py", mimeType: "text/x-python" },
] as const;

/** The nth of the ordinary resources: books in deep paths, notes in shallow ones, pages, files and numbers. */
function bookAt(index: number): Resource {
	const author = authors[index % authors.length] ?? "";
	const kind = kinds[index % kinds.length] ?? kinds[0];
	const century = 18 + (index % 4);
	const number = String(index).padStart(5, "0");
	const name = `volume-${number}.${kind.extension}`;
	const path = `${century}th%20century/${encodeURIComponent(author)}/shelf-${index % 20}`;
	const bases = [`library://books/${path}/`, `file:///library/${path}/`, "https://library.example/books/", "memo://"];
	return {
		uri: index % 7 === 6 ? `urn:library:${number}` : `${bases[index % bases.length] ?? ""}${name}`,
		name,
		title: `Volume ${index} by ${author}`,
		description: `Volume ${index} of the ${century}th century.`,
		mimeType: kind.mimeType,
		size: 40 + ((index * 7919) % 100_000),
		annotations: {
			audience: index % 3 === 0 ? ["user"] : index % 3 === 1 ? ["assistant"] : ["user", "assistant"],
			priority: (index % 11) / 10,
			lastModified: new Date(Date.UTC(2026, 0, 1) + ((index * 104_729) % 28_000_000) * 1000).toISOString(),
		},
	};
}

/** The resources from `start` to before `end`, in the order of the list; only those are made. */
export function listResources(world: LibraryWorld, start: number, end: number): readonly Resource[] {
	const items: Resource[] = [];
	for (let index = start; index < Math.min(end, resourceCount(world)); index++) {
		const resource = storied[index] ?? bookAt(index - storiedCount);
		if (!world.isGone(resource.uri)) items.push(resource);
	}
	return items;
}

/** How many resources are listed now. */
export function resourceCount(world: LibraryWorld): number {
	return world.options.resources + world.added.resources;
}

/** The facts about a special resource. */
export function storiedResource(uri: string): Resource | undefined {
	return storied.find((resource) => resource.uri === uri);
}
