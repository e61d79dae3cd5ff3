import type { ReadResourceResult } from "@modelcontextprotocol/client";
import { appMimeType } from "../../protocol/apps.ts";
import { decodeBase64 } from "../../base/base64.ts";
import { messageOf } from "../../base/errors.ts";
import { isJsonObject } from "../../base/json.ts";
import { oneLine, showHidden } from "../../base/text.ts";
import type { Resource, Session } from "../../servers/sessions/session.ts";
import type { PageFault } from "./appHealth.ts";
import { type AskedDomains, readDomains } from "./appPolicy.ts";

/** How long a page may be, in characters; those that bring a viewer of documents along have four million. */
const longestPage = 12_000_000;

/** The machine permissions that apps request. A frame inside VS Code can only get the clipboard. */
const permissionNames = ["camera", "microphone", "geolocation", "clipboardWrite"] as const;
type AppPermission = (typeof permissionNames)[number];

/** The page of an app as its server gave it. All of it is untrusted. */
export interface AppPage {
	readonly html: string;
	readonly domains: AskedDomains;
	readonly permissions: readonly AppPermission[];
}

/** Has the server give the page of an app. Rejects only when the signal is aborted. */
export async function fetchAppPage(session: Session, uri: string, signal: AbortSignal): Promise<AppPage | PageFault> {
	try {
		const read = await session.readResource(uri, { signal, asker: "app" });
		return readAppPage(uri, read, session.resources.get(uri));
	} catch (error) {
		if (signal.aborted) throw error;
		const why = showHidden(messageOf(error));
		return unread(`The app's page ${oneLine(uri)} cannot be read: ${why}`, why);
	}
}

/**
 * Reads the page of an app from the result of `resources/read`. The metadata of the content takes precedence over that
 * of the resource in the server's list.
 */
export function readAppPage(
	uri: string,
	{ contents }: ReadResourceResult,
	listed: Resource | undefined,
): AppPage | PageFault {
	const content = contents.find((item) => item.uri === uri) ?? contents[0];
	const which = `The app's page ${oneLine(uri)}`;
	if (content === undefined) return unread(`${which} is empty.`, "the server sent nothing");
	const { length } = "text" in content ? content.text : content.blob;
	if (content.mimeType !== appMimeType) {
		const type = content.mimeType === undefined ? undefined : oneLine(content.mimeType, 80);
		return {
			step: "type",
			length,
			sentence: `${which} has ${type === undefined ? "no type" : `the type ${type}`}, so it is not shown as an app.`,
			line: type === undefined ? "It has no type" : `Its type is ${type}`,
			advice: `Only the type ${appMimeType} is shown as an app. The server must set it.`,
		};
	}
	const html = "text" in content ? content.text : decoded(content.blob);
	if (html === undefined) {
		const advice = "The server must encode it as UTF-8.";
		return { step: "content", length, sentence: `${which} is not UTF-8 text.`, line: "It is not UTF-8 text", advice };
	}
	if (html.length > longestPage) {
		const limit = `longer than ${longestPage / 1_000_000} million characters`;
		const advice = "The server must make it shorter, for example by reading data with a tool.";
		return { step: "content", length, sentence: `${which} is ${limit}.`, line: `It is ${limit}`, advice };
	}
	const ui = uiOf(content._meta) ?? uiOf(listed?._meta) ?? {};
	const { permissions } = ui;
	return {
		html,
		domains: readDomains(ui["csp"]),
		permissions: permissionNames.filter((name) => isJsonObject(permissions) && isJsonObject(permissions[name])),
	};
}

function unread(sentence: string, why: string): PageFault {
	const advice = "Check the server's log, then reload the app.";
	return {
		step: "read",
		length: 0,
		sentence,
		line: `Page not read: ${why}`,
		advice,
	};
}

function uiOf(meta: Readonly<Record<string, unknown>> | undefined): Readonly<Record<string, unknown>> | undefined {
	const ui = meta?.["ui"];
	return isJsonObject(ui) ? ui : undefined;
}

function decoded(blob: string): string | undefined {
	const bytes = decodeBase64(blob);
	if (bytes === undefined) return undefined;
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		return undefined;
	}
}
