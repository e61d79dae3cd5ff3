import * as vscode from "vscode";
import type { Session } from "../servers/session.ts";
import { withoutIcons } from "../completion/rows.ts";
import { oneLine } from "../base/text.ts";
import { readableSize, type ResourcePart } from "./content.ts";
import { iconOf } from "./mediaTypes.ts";
import type { ResourceReader } from "./reader.ts";
import { toEditorUri } from "./uri.ts";

/** A resource to open, and the MIME type that its listing or template gives, for contents that say nothing of it. */
export interface Openable {
	readonly session: Session;
	readonly uri: string;
	readonly mimeType: string | undefined;
}

/**
 * The URI under which the editor opens a resource. It is read first: only its contents tell which viewer suits, and how
 * many there are; of several the person chooses one or all. Undefined when they choose none.
 * @throws HostError as `ResourceReader.read` does.
 */
export async function editorUriFor(reader: ResourceReader, openable: Openable): Promise<vscode.Uri | undefined> {
	const { session, uri } = openable;
	const { id, name: serverName } = session.definition;
	const progress = { location: { viewId: "mcpHost.servers" } };
	const { parts } = await vscode.window.withProgress(progress, async () => reader.read({ server: id, uri }));
	const [only, ...others] = parts;
	if (only !== undefined && others.length === 0) {
		const mimeType = only.mimeType ?? openable.mimeType;
		return vscode.Uri.from(toEditorUri({ server: id, uri }, { serverName, mimeType }));
	}
	const choice = await pickPart(parts, uri);
	if (choice === undefined) return undefined;
	const part = parts[choice];
	return vscode.Uri.from(
		part === undefined
			? toEditorUri({ server: id, uri }, { serverName, isCombined: true })
			: toEditorUri({ server: id, uri, part: choice }, { serverName, mimeType: part.mimeType, partUri: part.uri }),
	);
}

/** The index of the chosen contents, -1 for all together, or undefined. */
async function pickPart(parts: readonly ResourcePart[], uri: string): Promise<number | undefined> {
	const items = [
		{ label: "All Together", description: `${parts.length} contents as one text`, index: -1 },
		...parts.map((part, index) => ({
			label: withoutIcons(oneLine(part.uri)),
			description: withoutIcons(oneLine(part.mimeType ?? "")),
			detail: readableSize(part.bytes.length),
			iconPath: new vscode.ThemeIcon(iconOf(part.mimeType)),
			index,
		})),
	];
	const picked = await vscode.window.showQuickPick(items, {
		title: `Contents of ${oneLine(uri, 100)}`,
		placeHolder: "Which contents should be opened?",
		matchOnDescription: true,
	});
	return picked?.index;
}
