import type { ReadResourceResult } from "@modelcontextprotocol/client";
import { appMimeType } from "../protocol/apps.ts";
import { HostError } from "../base/errors.ts";
import { isJsonObject } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import type { Resource } from "../servers/session.ts";
import { type AskedDomains, readDomains } from "./appPolicy.ts";

/** How long a page may be, in characters; those that bring a viewer of documents along have four million. */
const longestPage = 12_000_000;

/** What apps ask for of the machine. A frame inside the editor can be given the clipboard alone. */
const permissionNames = ["camera", "microphone", "geolocation", "clipboardWrite"] as const;
export type AppPermission = (typeof permissionNames)[number];

/** The page of an app as its server gave it. All of it is untrusted. */
export interface AppPage {
	readonly html: string;
	readonly domains: AskedDomains;
	readonly permissions: readonly AppPermission[];
	readonly prefersBorder: boolean | undefined;
}

/**
 * Reads the page of an app from what `resources/read` gave for it. What the content says of itself goes before what the
 * server's list says of the resource.
 * @throws HostError `protocol` or `limit`, in a sentence for people, when it is none that could be shown.
 */
export function readAppPage(uri: string, { contents }: ReadResourceResult, listed: Resource | undefined): AppPage {
	const content = contents.find((item) => item.uri === uri) ?? contents[0];
	const which = oneLine(uri);
	if (content === undefined) throw new HostError("protocol", `The server gave nothing for the app's page ${which}.`);
	if (content.mimeType !== appMimeType) {
		const type = content.mimeType === undefined ? "no type" : `the type ${oneLine(content.mimeType, 80)}`;
		throw new HostError(
			"protocol",
			`The app's page ${which} has ${type}. Only ${appMimeType} is shown as an app; its server has to say so.`,
		);
	}
	const html = "text" in content ? content.text : decoded(content.blob, which);
	if (html.length > longestPage) {
		throw new HostError(
			"limit",
			`The app's page ${which} is longer than ${longestPage / 1_000_000} million characters.`,
		);
	}
	const ui = uiOf(content._meta) ?? uiOf(listed?._meta) ?? {};
	const { permissions, prefersBorder } = ui;
	return {
		html,
		domains: readDomains(ui["csp"]),
		permissions: permissionNames.filter((name) => isJsonObject(permissions) && isJsonObject(permissions[name])),
		prefersBorder: typeof prefersBorder === "boolean" ? prefersBorder : undefined,
	};
}

function uiOf(meta: Readonly<Record<string, unknown>> | undefined): Readonly<Record<string, unknown>> | undefined {
	const ui = meta?.["ui"];
	return isJsonObject(ui) ? ui : undefined;
}

function decoded(blob: string, which: string): string {
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(blob, "base64"));
	} catch (cause) {
		throw new HostError("protocol", `The app's page ${which} is not UTF-8 text.`, { cause });
	}
}
