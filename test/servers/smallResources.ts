import type { ReadResourceResult, Resource, ResourceTemplateType } from "@modelcontextprotocol/server";

/**
 * The resource that changes with the tool `change`; its text keeps its length, so that only its content shows the
 * change.
 */
export const changingUri = "small://counter";

/** A red pixel. */
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

const texts: Readonly<Record<string, { readonly mimeType: string; readonly text: string }>> = {
	"file:///small/read%20me.md": { mimeType: "text/markdown", text: "# Small\n\nA *small* server.\n" },
	// Opaque: neither an authority nor a path.
	"urn:isbn:0451450523": { mimeType: "text/plain", text: "The Last Unicorn" },
	"small://data/settings.json?view=full#top": { mimeType: "application/json", text: '{ "small": true }\n' },
};

/** The small server's resources, with the added ones. */
export function resources(added: number): readonly Resource[] {
	return [
		{ uri: "file:///small/read%20me.md", name: "read me.md", title: "Read Me", mimeType: "text/markdown", size: 27 },
		{ uri: "urn:isbn:0451450523", name: "isbn", title: "A Book", mimeType: "text/plain" },
		{ uri: changingUri, name: "counter", title: "Counter", mimeType: "text/plain" },
		{ uri: "small://data/settings.json?view=full#top", name: "settings.json", mimeType: "application/json" },
		{ uri: "small://images/pixel.png", name: "pixel.png", mimeType: "image/png" },
		{ uri: "small://two-parts", name: "two parts" },
		...Array.from({ length: added }, (_, index) => ({ uri: `small://added/${index + 1}`, name: `added ${index + 1}` })),
	];
}

export const resourceTemplates: readonly ResourceTemplateType[] = [
	{ uriTemplate: "small://item/{id}", name: "item", title: "An Item", mimeType: "text/plain" },
	{ uriTemplate: "small://city/{country}/{city}", name: "city", title: "A City", mimeType: "text/plain" },
];

/** The contents of a resource, or undefined when there is none. */
export function readResource(uri: string, changes: number): ReadResourceResult["contents"] | undefined {
	const known = texts[uri];
	if (known !== undefined) return [{ uri, ...known }];
	if (uri === changingUri) return [{ uri, mimeType: "text/plain", text: `count ${String(changes).padStart(6, "0")}` }];
	if (uri === "small://images/pixel.png") return [{ uri, mimeType: "image/png", blob: pixel }];
	if (uri === "small://two-parts") {
		return [
			{ uri: "small://two-parts/1", mimeType: "text/plain", text: "first part" },
			{ uri: "small://two-parts/2", mimeType: "application/octet-stream", blob: "AAEC/w==" },
		];
	}
	const made = /^small:\/\/(item|city|added)\/(.+)$/.exec(uri);
	return made === null
		? undefined
		: [{ uri, mimeType: "text/plain", text: `${made[1]}: ${decodeURIComponent(made[2] ?? "")}` }];
}
