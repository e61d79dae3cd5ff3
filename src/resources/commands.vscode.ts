import * as vscode from "vscode";
import { guarded, type Commands } from "../base/commands.ts";
import { showInformation, showSlowWork } from "../base/notify.vscode.ts";
import { HostError } from "../base/errors.ts";
import type { Disposable } from "../base/lifecycle.ts";
import type { Log } from "../base/log.ts";
import { oneLine } from "../base/text.ts";
import { withoutIcons } from "../completion/rows.ts";
import type { SessionDirectory } from "../servers/session.ts";
import {
	resourceGroups,
	resourceReference,
	sessionNamed,
	templateGroups,
	templateReference,
	whenListed,
	type ListedTemplate,
	type PickGroup,
} from "./catalog.ts";
import { explain } from "./failure.vscode.ts";
import { ResourceFiles } from "./fileSystem.vscode.ts";
import { iconOf } from "./mediaTypes.ts";
import { editorUriFor, type Openable } from "./open.vscode.ts";
import { ResourceReader } from "./reader.ts";
import { pickTemplateUri } from "./templatePick.vscode.ts";

/** What resources need of the rest of the host. */
export interface ResourceServices {
	readonly directory: SessionDirectory;
	readonly log: Log;
}

/** How long a window that opens may take until its servers start, and a server's handshake, in milliseconds. */
const settlingMs = 8000;
const startingMs = 60_000;

/** How long a picker waits for lists that are on their way, in milliseconds. */
const listingMs = 5000;

/** What the door of the resources opens (doors.vscode.ts). */
export interface ResourceRoom extends Disposable {
	readonly files: ResourceFiles;
	readonly commands: Commands<ResourceCommand>;
}

type ResourceCommand =
	| "mcpHost.openResource"
	| "mcpHost.openResourceToSide"
	| "mcpHost.openResourceFromTemplate"
	| "mcpHost.copyResourceUri"
	| "mcpHost.attachResource";

/** Makes the files of resources and the commands that open, copy and attach them. */
export function resourceRoom({ directory, log }: ResourceServices): ResourceRoom {
	const patience = { startingMs, settledAt: Date.now() + settlingMs };
	const reader = new ResourceReader(directory, patience, ({ definition }, uri, slow) =>
		showSlowWork(`Reading ${oneLine(uri, 60)} of ${definition.name}`, slow),
	);

	/** The resource that a command is about: the one it was given, or the one that the person picks. */
	const choose = async (argument: unknown): Promise<Openable | undefined> => {
		const reference = resourceReference(argument);
		if (reference === undefined) {
			const listed = await pick(directory, "resources", resourceGroups, "Open which resource?");
			return listed && { session: listed.session, uri: listed.resource.uri, mimeType: listed.resource.mimeType };
		}
		const session = sessionNamed(directory, reference.server);
		const listed = session.resources.items.find(({ uri }) => uri === reference.uri);
		return { session, uri: reference.uri, mimeType: listed?.mimeType };
	};
	/** Reads a resource and hands on the URI under which the editor opens it; says why where that fails. */
	const withUri = async (
		openable: Openable | undefined,
		use: (uri: vscode.Uri) => Thenable<unknown>,
	): Promise<void> => {
		if (openable === undefined) return;
		try {
			const uri = await editorUriFor(reader, openable);
			if (uri !== undefined) await use(uri);
		} catch (error) {
			await explain(error, openable.session.definition.id);
		}
	};
	const open = (openable: Openable | undefined, viewColumn = vscode.ViewColumn.Active): Promise<void> =>
		withUri(openable, (uri) => vscode.commands.executeCommand("vscode.open", uri, { viewColumn, preview: true }));
	const chooseTemplate = async (argument: unknown): Promise<ListedTemplate | undefined> => {
		const reference = templateReference(argument);
		if (reference === undefined) {
			return pick(directory, "resourceTemplates", templateGroups, "Fill in which resource template?");
		}
		const session = sessionNamed(directory, reference.server);
		const template = session.resourceTemplates.items.find(({ uriTemplate }) => uriTemplate === reference.uriTemplate);
		if (template === undefined) {
			throw new HostError("invalid", `${session.definition.name} lists no template ${reference.uriTemplate}.`);
		}
		return { session, template };
	};

	const commands: Record<ResourceCommand, (argument: unknown) => Promise<void>> = {
		"mcpHost.openResource": async (argument) => open(await choose(argument)),
		"mcpHost.openResourceToSide": async (argument) => open(await choose(argument), vscode.ViewColumn.Beside),
		"mcpHost.openResourceFromTemplate": async (argument) => {
			const listed = await chooseTemplate(argument);
			const uri = listed && (await pickTemplateUri(listed, log));
			if (listed === undefined || uri === undefined) return;
			await open({ session: listed.session, uri, mimeType: listed.template.mimeType });
		},
		"mcpHost.copyResourceUri": async (argument) => {
			const text =
				resourceReference(argument)?.uri ?? templateReference(argument)?.uriTemplate ?? (await choose(argument))?.uri;
			if (text !== undefined) await vscode.env.clipboard.writeText(text);
		},
		"mcpHost.attachResource": async (argument) =>
			withUri(await choose(argument), (uri) =>
				vscode.commands.executeCommand("workbench.action.chat.open", { attachFiles: [uri] }),
			),
	};
	const files = new ResourceFiles(directory, reader);
	return {
		files,
		commands: guarded(commands, (error, argument) =>
			explain(error, resourceReference(argument)?.server ?? templateReference(argument)?.server),
		),
		dispose: () => files.dispose(),
	};
}

/** A row that stands for a value; a separator stands for none. */
interface PickItem<T> extends vscode.QuickPickItem {
	readonly value?: T;
}

/** Lets the person choose among what the running servers list, under the servers' names. */
async function pick<T>(
	directory: SessionDirectory,
	kind: "resources" | "resourceTemplates",
	groupsOf: (directory: SessionDirectory) => readonly PickGroup<T>[],
	placeHolder: string,
): Promise<T | undefined> {
	await whenListed(directory, kind, AbortSignal.timeout(listingMs));
	const groups = groupsOf(directory);
	if (groups.length === 0) {
		const what = kind === "resources" ? "resources" : "resource templates";
		void showInformation(`No running server offers ${what}.`);
		return undefined;
	}
	const items = groups.flatMap(({ heading, rows }) => {
		const separator: PickItem<T> = { label: withoutIcons(heading), kind: vscode.QuickPickItemKind.Separator };
		const members = rows.map(({ label, description, detail, mimeType, value }): PickItem<T> => ({
			label: withoutIcons(label),
			description: withoutIcons(description),
			detail: withoutIcons(detail),
			iconPath: new vscode.ThemeIcon(kind === "resources" ? iconOf(mimeType) : "symbol-parameter"),
			value,
		}));
		return [separator].concat(members);
	});
	const picked = await vscode.window.showQuickPick(items, {
		placeHolder,
		matchOnDescription: true,
		matchOnDetail: true,
	});
	return picked?.value;
}
