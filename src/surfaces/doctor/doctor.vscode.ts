import * as vscode from "vscode";
import type { Commands } from "../../base/commands.ts";
import { locate } from "../../base/configText.ts";
import { HostError } from "../../base/errors.ts";
import type { LastErrors } from "../../base/lastErrors.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import { commandsOf } from "../../base/notify.vscode.ts";
import { oneLine } from "../../base/text.ts";
import { openPanel, type Panel } from "../../questions/webview/panel.vscode.ts";
import type { ConfigProblem, ServerDefinition } from "../../servers/definitions/config.ts";
import { userOrigin } from "../../servers/sources/config.vscode.ts";
import type { McpHost } from "../../servers/host.ts";
import { networkSettings } from "../../protocol/http/networkSettings.vscode.ts";
import { remarkOn } from "../../servers/otherHosts/remarks.ts";
import type { SharedFiles } from "../../servers/otherHosts/sharedFiles.ts";
import { runsElsewhere, takeCensus } from "../../servers/otherHosts/processes.ts";
import { pickServer } from "../../servers/pick.vscode.ts";
import { thisMachine } from "../../setup/entries/import.vscode.ts";
import { readPlaces } from "../../setup/entries/whoStarts.ts";
import { findUserSettings, openConfiguration } from "../../setup/entries/texts.vscode.ts";
import type { EntryFix } from "../../setup/entries/entryFix.ts";
import { fixEntry } from "../../setup/entries/fixEntry.vscode.ts";
import type { ServerEdits } from "../../setup/entries/serverEdits.ts";
import type { LocalFolder } from "../../setup/entries/localFolder.ts";
import type { TraceReader } from "../../records/trace/exchange.ts";
import type { ToolCosts } from "../../features/tools/toolCosts.ts";
import { connectDoctor, type DoctorActions } from "./doctorPort.ts";
import { Examination } from "./examination.ts";
import { CheckedServers } from "./checkedServers.ts";
import type { Finding, FindingPlace, Fix } from "./finding.ts";
import { copyDiagnostics } from "./diagnostics.vscode.ts";
import { definitionFindings, entryFaults, entryOf, type FactSources, gatherFacts } from "./gatherFacts.ts";
import { kindOf } from "./ignored.ts";
import { machineProbes } from "./machineProbes.ts";
import { reportOf } from "./report.ts";
import { showProblems } from "./sourceProblems.vscode.ts";

/** The services that the doctor uses. */
export interface DoctorServices {
	readonly host: McpHost;
	readonly configuration: {
		readonly problems: { readonly current: readonly ConfigProblem[] };
		refresh(): Promise<void>;
	};
	readonly sharedFiles: SharedFiles;
	readonly costs: ToolCosts;
	readonly trace: TraceReader;
	readonly errors: Pick<LastErrors, "all">;
	readonly edits: ServerEdits;
	readonly extension: Pick<vscode.Extension<unknown>, "packageJSON">;
	readonly extensionUri: vscode.Uri;
	/** A folder beside the file of the user's settings. */
	readonly globalStorageUri: vscode.Uri;
}

/** The commands that find out why servers do not start, the panel that shows the findings, and what was found last. */
export function wireDoctor(services: DoctorServices): Disposable & {
	readonly commands: Commands<"mcpHost.whyNotStart" | "mcpHost.checkAllServers" | "mcpHost.copyDiagnostics">;
	readonly checked: CheckedServers;
} {
	const { host, configuration } = services;
	const checked = new CheckedServers({
		directory: host.registry,
		folders: localFolders,
		lint: (session) => definitionFindings(factSources(services), session),
	});
	const panel = new DoctorPanel(services, checked);
	const problems = showProblems(checked, {
		redactor: host.secretsInUse,
		ignore: (server, finding) => panel.ignore(server, finding),
	});
	const commands = {
		"mcpHost.whyNotStart": async (argument: unknown) => {
			const session = await pickServer(host, argument, "Check which server?");
			if (session !== undefined) panel.show([session.definition.id], { title: oneLine(session.definition.name, 50) });
		},
		"mcpHost.checkAllServers": async () => {
			// Failed servers come first: they are why most users ask.
			const { sessions } = host.registry;
			const failed = sessions.filter(({ state }) => state.kind === "failed");
			const ids = [...new Set([...failed, ...sessions])].map(({ definition }) => definition.id);
			if (ids.length === 0 && configuration.problems.current.length === 0)
				throw new HostError("invalid", "No MCP server is configured. Add one first.");
			panel.show(ids, { title: "All Servers", isAll: true });
		},
		"mcpHost.copyDiagnostics": () => copyDiagnostics(services),
	};
	return {
		commands: commandsOf({ ...commands, ...problems.commands }),
		checked,
		dispose: () => {
			for (const one of [panel, problems, checked]) one.dispose();
		},
	};
}

function localFolders(): readonly LocalFolder[] {
	return (vscode.workspace.workspaceFolders ?? [])
		.filter(({ uri }) => uri.scheme === "file")
		.map(({ name, uri }) => ({ name, path: uri.fsPath }));
}

/** The one panel of the doctor; the next examination takes the place of the one before. */
class DoctorPanel implements Disposable {
	private readonly services: DoctorServices;
	private readonly checked: CheckedServers;
	private open: { readonly panel: Panel; stop(): void } | undefined;

	constructor(services: DoctorServices, checked: CheckedServers) {
		this.services = services;
		this.checked = checked;
	}

	/** Looks at servers and gives the panel the focus: the user asked for it. */
	show(ids: readonly string[], { title: about, isAll = false }: { title: string; isAll?: boolean }): void {
		const { host, extensionUri } = this.services;
		const title = `Check: ${about}`;
		const former = this.open;
		former?.stop();
		const panel = former?.panel ?? openPanel({ extensionUri, view: "doctor", style: "doctor.css", title });
		const examination = new Examination(
			{
				factsOf: (id) => gatherFacts(factSources(this.services), id),
				entryFaults: () =>
					isAll ? entryFaults(this.services.configuration.problems.current, host.registry.sessions) : [],
				probes: machineProbes({ environment: process.env, network: networkSettings() }),
				redactor: host.secretsInUse,
				onChecked: (facts, findings) => void this.checked.take(facts, findings),
			},
			ids,
		);
		const connection = connectDoctor(panel.port, examination, this.actions());
		const following = examination.follow(host.registry);
		// A page about servers that are gone would only be wrong.
		examination.onDidEnd(() => panel.dispose());
		const stop = (): void => {
			for (const one of [following, connection, examination]) one.dispose();
		};
		this.open = { panel, stop };
		if (former === undefined) {
			panel.onDidClose(() => {
				this.open?.stop();
				this.open = undefined;
			});
		} else panel.reveal({ title });
		void examination.run();
	}

	/** Has the entry of a server ignore findings of a kind from now on. */
	async ignore(definition: ServerDefinition, finding: Finding): Promise<void> {
		const [{ ignoring }, entry] = await Promise.all([
			import("./ignored.ts"),
			entryOf(factSources(this.services), definition),
		]);
		const fix = ignoring(entry, finding);
		if (fix?.kind !== "ignore") throw new HostError("invalid", "The entry of this server cannot be changed here.");
		await this.write(definition, fix.fix);
		this.checked.leaveOut(definition.id, kindOf(finding));
	}

	dispose(): void {
		this.open?.panel.dispose();
	}

	private actions(): DoctorActions {
		return {
			fix: async ({ facts, fix }, examination) => {
				if (fix.kind === "open") {
					await this.openPlace(fix.place);
					return "";
				}
				if (facts === undefined) return "";
				const outcome = await this.fix(facts.definition, fix);
				void examination.run(facts.definition.id);
				return outcome;
			},
			copyReport: async (examination) => {
				const { version }: { readonly version: string } = this.services.extension.packageJSON;
				const place = {
					extension: version,
					editor: vscode.version,
					system: `${process.platform} ${process.arch}${vscode.env.remoteName === undefined ? "" : `, ${vscode.env.remoteName}`}`,
					node: process.version,
				};
				await vscode.env.clipboard.writeText(reportOf(examination.view, place));
				return "Copied the report, without known secrets. Read it before you paste it.";
			},
		};
	}

	private async fix(definition: ServerDefinition, fix: Exclude<Fix, { kind: "open" }>): Promise<string> {
		const { host } = this.services;
		const server = { server: definition.id };
		switch (fix.kind) {
			case "start":
				await host.start(definition.id);
				return "";
			case "command":
				await vscode.commands.executeCommand(
					fix.command,
					...(fix.command === "workbench.action.openSettings"
						? ["mcpHost.certificateAuthorities"]
						: fix.command.startsWith("mcpHost.") && fix.command !== "mcpHost.chooseRunner"
							? [{ ...server, ...(fix.exchange === undefined ? {} : { exchange: fix.exchange }) }]
							: []),
				);
				return "";
			case "entry": {
				const outcome = await this.write(definition, fix.fix);
				if (outcome === undefined) return "Nothing was changed.";
				// This shows the change for approval first.
				await vscode.commands.executeCommand("mcpHost.startServer", { server: definition.id });
				return outcome;
			}
			case "ignore":
				return (await this.write(definition, fix.fix)) ?? "";
		}
	}

	/** Fixes the entry as its editor would; undefined when nothing was changed. */
	private async write({ origin }: ServerDefinition, fix: EntryFix): Promise<string | undefined> {
		const { edits, globalStorageUri } = this.services;
		if (!(await fixEntry(edits, openConfiguration(origin, globalStorageUri), fix))) return undefined;
		return `${oneLine(origin.label, 80)} was changed.`;
	}

	private async openPlace(place: FindingPlace): Promise<void> {
		const uri =
			place.file === undefined
				? (await findUserSettings(userOrigin, this.services.globalStorageUri))?.uri
				: vscode.Uri.file(place.file);
		if (uri === undefined) {
			await vscode.commands.executeCommand("workbench.action.openSettings", "mcpHost.servers");
			return;
		}
		const document = await vscode.workspace.openTextDocument(uri);
		// The text may have changed since the check.
		const range = locate(document.getText(), place.path);
		const start = document.positionAt(range?.offset ?? 0);
		const end = document.positionAt((range?.offset ?? 0) + (range?.length ?? 0));
		// The beginning of an entry is visible, regardless of its length.
		const selection = new vscode.Range(start, end.line === start.line ? end : start);
		await vscode.window.showTextDocument(document, { selection });
	}
}

/** The sources of facts about servers. */
function factSources(services: DoctorServices): FactSources {
	const { host, configuration, sharedFiles, costs, trace, globalStorageUri } = services;
	return {
		directory: host.registry,
		problems: () => configuration.problems.current,
		whyNot: (definition) => host.whyNot(definition),
		resolve: (definition) => host.resolve(definition, () => false),
		textOf: async (origin) => {
			if (origin.file !== undefined) return openConfiguration(origin, globalStorageUri).read();
			const found = await findUserSettings(origin, globalStorageUri);
			if (found === undefined) throw new HostError("invalid", "The settings file was not found.");
			return found.text;
		},
		isWorkspaceTrusted: () => vscode.workspace.isTrusted,
		folders: localFolders(),
		environment: process.env,
		costs,
		trace,
		otherHost: (origin) => remarkOn(sharedFiles, origin),
		elsewhere: async (session) => runsElsewhere(await takeCensus(host.registry), session),
		placeFiles: () => readPlaces(thisMachine(globalStorageUri)),
	};
}
