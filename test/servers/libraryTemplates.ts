import type { ResourceTemplateType } from "@modelcontextprotocol/server";
import { icons } from "./libraryMedia.ts";
import { hostileTexts } from "./libraryTexts.ts";

/** The library's resource templates, of all levels of RFC 6570. */
export const resourceTemplates: readonly ResourceTemplateType[] = [
	{
		uriTemplate: "catalog://{century}/{author}/{book}",
		name: "book",
		title: "A Book of an Author",
		description: "Authors are completed for the century, books for the author.",
		mimeType: "text/plain",
		icons: [icons.png],
	},
	{
		uriTemplate: "search://books{?query,language,limit}",
		name: "search",
		title: "Search the Books",
		mimeType: "text/plain",
	},
	{ uriTemplate: "tree://shelves{/path*}{#mark}", name: "shelves", title: "A Path of Shelves" },
	{ uriTemplate: "raw://{+path}{;list*}", name: "raw", title: "A Path as It Is" },
	{ uriTemplate: "word://{word}", name: "word", title: "Completed Slowly and Out of Order" },
	{ uriTemplate: "many://{value}", name: "many", title: "100,000 Values" },
	{ uriTemplate: "fails://{what}", name: "fails", title: "Never Found" },
	{ uriTemplate: "https://library.example/page/{page}", name: "page", title: "A Page of the Web" },
	{
		uriTemplate: "hostile-template://{name}",
		name: hostileTexts.icon,
		title: hostileTexts.icon,
		description: hostileTexts.markdown,
	},
	{ uriTemplate: "broken://{unclosed", name: "broken", title: "Not a Template" },
];

/** The prefixes of the URIs that the templates make, except for the template whose resources are never found. */
export const expandedKinds: readonly string[] = [
	"catalog://",
	"search://books",
	"tree://shelves",
	"raw://",
	"word://",
	"many://",
	"https://library.example/page/",
	"hostile-template://",
];
