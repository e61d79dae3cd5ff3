import * as vscode from "vscode";
import { showInformation } from "../base/notify.vscode.ts";
import { oneLine } from "../base/text.ts";
import type { LiveResources } from "./live.ts";
import { editorUriOf, type Openable } from "./open.vscode.ts";
import { bytesOf, type ResourceReader, type ResourceSnapshot } from "./reader.ts";
import type { ResourceAddress } from "./uri.ts";

/**
 * Compares what a resource holds now with what the person saw last, or with what it held before; the side of the present
 * follows the resource. Says so when nothing earlier is known.
 * @throws HostError as `ResourceReader.read` does.
 */
export async function compareResource(reader: ResourceReader, live: LiveResources, openable: Openable): Promise<void> {
	const { session, uri, part } = openable;
	const address: ResourceAddress = { server: session.definition.id, uri, ...(part === undefined ? {} : { part }) };
	// What the server has now, in case that nobody followed the resource until now.
	const present = await reader.read(address);
	const former = live.comparableTo(address);
	if (former === undefined) {
		void showInformation(
			`No earlier contents of "${oneLine(uri, 100)}" are known. Open or watch it, and compare when it changed.`,
		);
		return;
	}
	const side = (snapshot: ResourceSnapshot, version: ResourceAddress): vscode.Uri => {
		const content = snapshot.parts[part ?? 0];
		return editorUriOf(session, {
			address: version,
			bytes: bytesOf(snapshot, address),
			mimeType: content?.mimeType ?? openable.mimeType,
			uri: part === undefined ? uri : (content?.uri ?? uri),
			isCombined: part === undefined && snapshot.parts.length > 1,
		});
	};
	const now = side(present, address);
	const name = now.path.slice(now.path.lastIndexOf("/") + 1);
	const time = new Date(former.modified).toLocaleTimeString();
	const before = side(former, { ...address, version: former.modified });
	await vscode.commands.executeCommand("vscode.diff", before, now, `${name} (${time} ↔ Now)`, { preview: true });
	live.acknowledge(address);
}
