import * as vscode from "vscode";
import { showWarning } from "../../base/notify.vscode.ts";
import { oneLine } from "../../base/text.ts";
import { withoutIcons } from "../../base/words.ts";
import type { Session } from "../../servers/sessions/session.ts";
import type { ResourcePart } from "./content.ts";
import { readableSize } from "../../base/amounts.ts";
import { explain, opensAnyway, whenShown } from "./failure.vscode.ts";
import type { LiveResources } from "./live.ts";
import { iconOf } from "./mediaTypes.ts";
import { bytesOf, type ResourceReader } from "./reader.ts";
import { whatInstead } from "./fileNames.ts";
import type { SizeGuard } from "./sizeGuard.ts";
import { type ResourceTabs, tabsOf } from "./tabs.vscode.ts";
import { type ResourceAddress, toEditorUri } from "./uri.ts";

/** A resource to open, and its metadata in a listing or template. */
export interface Openable {
	readonly session: Session;
	readonly uri: string;
	/** For contents that say nothing of their type. */
	readonly mimeType: string | undefined;
	/** Which of several contents to open; absent when the user must choose. */
	readonly part?: number | undefined;
	/** The size that the server states, in bytes. */
	readonly size?: number | undefined;
}

/** Contents that the user chose, as they were read. */
export interface Chosen extends Omit<ResourcePart, "isText"> {
	readonly address: ResourceAddress;
	/** Whether several contents are taken together, as one text. */
	readonly isCombined: boolean;
}

/** The dependencies of opening a resource. */
export interface OpenerParts {
	readonly reader: ResourceReader;
	readonly live: LiveResources;
	readonly guard: SizeGuard;
	readonly tabs: ResourceTabs;
}

/** Brings resources into editors. */
export class ResourceOpener {
	private readonly parts: OpenerParts;
	/** The URIs that are being replaced by others. */
	private readonly reopening = new Set<string>();
	/** The contents whose wrong type was reported to the user. */
	private readonly remarked = new Set<string>();

	constructor(parts: OpenerParts) {
		this.parts = parts;
	}

	/** Opens a resource, and shows a failure. Resolves with whether it was opened: the user may decline. */
	async open(
		openable: Openable,
		{
			viewColumn = vscode.ViewColumn.Active,
			preserveFocus = false,
			preview = true,
		}: vscode.TextDocumentShowOptions = {},
	): Promise<boolean> {
		const { live, tabs, guard } = this.parts;
		const address = { server: openable.session.definition.id, uri: openable.uri };
		const watch = await live.prepare(address);
		try {
			const uri = await this.uriFor(openable);
			if (uri === undefined) return false;
			await vscode.commands.executeCommand("vscode.open", uri, { viewColumn, preview, preserveFocus });
			tabs.sync();
			return true;
		} catch (error) {
			guard.forget(address);
			await explain(error, address.server);
			return false;
		} finally {
			watch.dispose();
		}
	}

	/**
	 * The URI under which VS Code opens a resource. It is read first, because its contents decide the viewer. Undefined
	 * when the user declines the size, or chooses none of several contents.
	 * @throws HostError as `ResourceReader.read` does.
	 */
	async uriFor(openable: Openable): Promise<vscode.Uri | undefined> {
		const { guard } = this.parts;
		const address = { server: openable.session.definition.id, uri: openable.uri };
		const isWanted = async (size: number): Promise<boolean> => {
			const refusal = guard.refusal(address, size);
			if (refusal === undefined) return true;
			if (!(await opensAnyway(refusal))) return false;
			guard.allow(address);
			return true;
		};
		if (!(await isWanted(openable.size ?? 0))) return undefined;
		const chosen = await this.choose(openable, "Choose the contents to open");
		if (chosen === undefined || !(await isWanted(chosen.bytes.length))) return undefined;
		this.remark(openable.session, chosen);
		return editorUriOf(openable.session, chosen);
	}

	/** Reports once for each resource that its type differs from the server's. */
	private remark({ definition }: Session, { address, uri, mimeType, bytes }: Chosen): void {
		const instead = whatInstead(mimeType, bytes);
		const key = JSON.stringify([address.server, uri]);
		if (instead === undefined || this.remarked.has(key)) return;
		this.remarked.add(key);
		void showWarning(
			`${definition.name} declares "${oneLine(uri)}" as ${oneLine(mimeType ?? "", 60)}, but it is ${instead}. It is shown as that.`,
		);
	}

	/**
	 * Reads a resource; if there are several contents the user chooses one or all. Undefined when they choose none.
	 * @throws HostError as `ResourceReader.read` does.
	 */
	async choose(openable: Openable, question: string): Promise<Chosen | undefined> {
		const { session, uri, part } = openable;
		const progress = { location: { viewId: "mcpHost.servers" } };
		const address = { server: session.definition.id, uri };
		const snapshot = await vscode.window.withProgress(progress, async () => this.parts.reader.read(address));
		const { parts } = snapshot;
		const index = part ?? (parts.length === 1 ? all : await pickPart(parts, uri, question));
		if (index === undefined) return undefined;
		const wanted = index === all ? address : { ...address, part: index };
		const content = parts.length === 1 ? parts[0] : parts[index];
		return {
			address: wanted,
			bytes: bytesOf(snapshot, wanted),
			mimeType: content?.mimeType ?? (parts.length === 1 ? openable.mimeType : undefined),
			uri: index === all ? uri : (content?.uri ?? uri),
			isCombined: index === all && parts.length > 1,
		};
	}

	/**
	 * Reopens a resource under a name that suits its contents, replacing the active tabs that show `uri`. The focus stays
	 * where it is.
	 */
	async reopen(session: Session, uri: vscode.Uri, { part, ...address }: ResourceAddress): Promise<void> {
		const key = uri.toString();
		if (this.reopening.has(key)) return;
		this.reopening.add(key);
		try {
			const mimeType = session.resources.items.find((resource) => resource.uri === address.uri)?.mimeType;
			const shown = await whenShown(uri);
			for (const { group, isPreview } of shown) {
				const options = { viewColumn: group.viewColumn, preview: isPreview, preserveFocus: true };
				if (!(await this.open({ session, uri: address.uri, mimeType, part }, options))) return;
			}
			// A preview was replaced already.
			if (shown.length > 0) await vscode.window.tabGroups.close(tabsOf(uri), true);
		} finally {
			this.reopening.delete(key);
		}
	}
}

/** The URI of an editor for contents that were read. */
export function editorUriOf(session: Session, { address, bytes, mimeType, uri, isCombined }: Chosen): vscode.Uri {
	const partUri = address.part === undefined ? undefined : uri;
	return vscode.Uri.from(
		toEditorUri(address, { serverName: session.definition.name, mimeType, bytes, partUri, isCombined }),
	);
}

/** In place of an index: all contents together. */
const all = -1;

/** The index of the chosen contents, `all`, or undefined. */
async function pickPart(parts: readonly ResourcePart[], uri: string, placeHolder: string): Promise<number | undefined> {
	const items = [
		{ label: "All Together", description: `${parts.length} contents as one text`, index: all },
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
		placeHolder,
		matchOnDescription: true,
		// Rows of the tree that change meanwhile may draw the focus there.
		ignoreFocusOut: true,
	});
	return picked?.index;
}
