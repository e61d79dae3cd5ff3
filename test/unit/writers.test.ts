/**
 * Every place where data leaves the host or is stored, and its protection of secrets (SEC-02): a file that writes
 * somewhere and is not in this list fails, and so does a writer through which a secret passes.
 */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { copyAsJson } from "../../src/base/guards.ts";
import { knowsNone, SafeWriter } from "../../src/base/secrets/writer.ts";
import { writeConfiguration } from "../../src/servers/formats/writeConfiguration.ts";
import { exportTargets } from "../../src/servers/formats/exportTargets.ts";
import { approvalOf } from "../../src/servers/approval/keptApproval.ts";
import { withoutSecrets as exported } from "../../src/setup/entries/exportServers.ts";
import { withCall } from "../../src/surfaces/namedCalls/saveCall.ts";
import { withoutSecrets as copied } from "../../src/surfaces/runner/copyCommand.ts";
import { preview } from "../../src/permissions/grants/grants.ts";
import { diagnosticsOf } from "../../src/surfaces/doctor/diagnostics.ts";
import { activityLines, activityTable } from "../../src/records/activity/journal/export.ts";
import { secretCorpus } from "./base/secrets/secretCorpus.ts";
import { call, JournalScene } from "./records/activity/journal/scene.ts";
import { stdioConfig } from "./servers/fixtures.ts";

/**
 * - A path: that module removes secrets before anything is written.
 * - `shown`: exactly the text that the user sees and requested at that moment, to the place that they chose.
 * - `choice`: the user's decisions or the host's counts: names, ids, times, numbers.
 * - `secrets`: the secret storage of the editor.
 * - `published`: definitions that a server sends to every client, kept for an exact comparison.
 * - `moved`: passes on data of its callers, which are listed themselves.
 */
const writers: Readonly<Record<string, "shown" | "choice" | "secrets" | "published" | "moved" | `${string}.ts`>> = {
	"base/rememberedTexts.ts": "questions/completion/recentValues.ts",
	"base/store/compact.ts": "moved",
	"base/store/fileLock.ts": "choice",
	"base/store/journalFiles.ts": "moved",
	"base/store/versionedState.ts": "moved",
	"cli.ts": "surfaces/namedCalls/callRun.ts",
	"features/apps/formerPages.ts": "features/apps/formerPages.ts",
	"features/apps/keptApps.ts": "features/apps/keptApps.ts",
	"features/apps/knownApps.ts": "choice",
	"features/elicitation/elicitation.vscode.ts": "shown",
	"features/prompts/previewPanel.vscode.ts": "shown",
	"features/prompts/promptMemory.ts": "choice",
	"features/resources/commands.vscode.ts": "shown",
	"features/resources/fileActions.vscode.ts": "shown",
	"features/resources/watchList.ts": "choice",
	"features/tasks/keptTasks.ts": "secrets",
	"features/tools/keptCosts.ts": "choice",
	"models/apiKeys.ts": "secrets",
	"models/pickerChoice.vscode.ts": "choice",
	"permissions/budgets/usageCounter.ts": "choice",
	"permissions/grants/grants.ts": "permissions/grants/grants.ts",
	"permissions/pinning/pinStore.ts": "published",
	"permissions/policy/ruleEdit.vscode.ts": "choice",
	"protocol/authorization/signIn.vscode.ts": "shown",
	"records/activity/journal/chainFile.ts": "records/activity/journal/activityJournal.ts",
	"records/activity/journal/journal.vscode.ts": "records/activity/journal/activityJournal.ts",
	"records/activity/journal/seal.ts": "secrets",
	"records/trace/exportCommands.vscode.ts": "choice",
	"records/trace/offeredDocuments.vscode.ts": "records/trace/traceFile.ts",
	"servers/accounts/accountChoice.ts": "choice",
	"servers/accounts/credentialEntry.ts": "secrets",
	"servers/accounts/notedSecrets.ts": "secrets",
	"servers/approval/installation.ts": "choice",
	"servers/approval/keptApproval.ts": "servers/approval/keptApproval.ts",
	"servers/approval/switchedOff.ts": "choice",
	"servers/definitions/inputValues.ts": "secrets",
	"servers/openStore.vscode.ts": "choice",
	"servers/otherHosts/sharedFiles.ts": "choice",
	"servers/roots/serverRoots.ts": "choice",
	"servers/sessions/eraCache.ts": "choice",
	"setup/bundles/bundleStore.ts": "setup/entries/bundleSource.ts",
	"setup/entries/add.vscode.ts": "choice",
	"setup/entries/export.vscode.ts": "setup/entries/exportServers.ts",
	"setup/entries/texts.vscode.ts": "shown",
	"setup/registry/registryCache.ts": "choice",
	"setup/templates/createServer.ts": "choice",
	"setup/templates/serverTemplates.ts": "choice",
	"surfaces/bridge/bridge.vscode.ts": "choice",
	"surfaces/bridge/clientKeys.ts": "secrets",
	"surfaces/bridge/consents.ts": "choice",
	"surfaces/bridge/keptLists.ts": "published",
	"surfaces/bridge/windows/windowKey.ts": "secrets",
	"surfaces/bridge/meetingPlace.ts": "choice",
	"surfaces/demo/server.ts": "choice",
	"surfaces/doctor/diagnostics.vscode.ts": "surfaces/doctor/diagnostics.ts",
	"surfaces/doctor/doctor.vscode.ts": "surfaces/doctor/examination.ts",
	"surfaces/handover/commandInPath.ts": "choice",
	"surfaces/handover/handOver.vscode.ts": "choice",
	"surfaces/handover/handOvers.ts": "secrets",
	"surfaces/handover/launcher.ts": "choice",
	"surfaces/mayRun/mayRun.vscode.ts": "surfaces/mayRun/mayRun.ts",
	"surfaces/namedCalls/saveCall.vscode.ts": "surfaces/namedCalls/saveCall.ts",
	"surfaces/reset/reset.ts": "choice",
	"surfaces/runner/runActions.vscode.ts": "shown",
	"surfaces/trace/viewedTrace.vscode.ts": "surfaces/trace/viewedTrace.vscode.ts",
	"surfaces/tree/arrangements.ts": "choice",
	"surfaces/tree/expansion.ts": "choice",
};

const writes =
	/clipboard\.writeText\(|\bwriteFile(?:Sync)?\(|\bappendFile(?:Sync)?\(|\bwriteSync\(|openTextDocument\((?:\{|options)|(?:state|store|[mM]emento|State)\.update\(|[jJ]ournal\??\.(?:put|write)\(|secrets\.store\(|\bstd(?:out|err)\.write\(|\bconsole\.(?:log|error)\(|createWriteStream\(/;
const asksTheJudge = /\b(?:SafeWriter|withoutSecrets|extractSecrets|isSecret|holdsSecrets|Redaction)\b/;

const src = path.resolve(import.meta.dirname, "../../src");
const read = (file: string): string => readFileSync(path.join(src, file), "utf8");

describe("Every writer", () => {
	it("is in the list, with its protection of secrets", () => {
		const found = globSync("**/*.ts", { cwd: src })
			.map((file) => file.replaceAll("\\", "/"))
			.filter((file) => writes.test(read(file).replace(/stderr\.write\(text\)/g, "")));
		expect(found.toSorted()).toEqual(Object.keys(writers).toSorted());
	});

	it.each(Object.entries(writers).filter(([, how]) => how.endsWith(".ts")))(
		"%s has its secrets removed by %s",
		(_file, module) => {
			expect(read(module)).toMatch(asksTheJudge);
		},
	);
});

/** Each writer with a value in its place under a name: the bytes that leave. */
const passages: Readonly<Record<string, (name: string, value: string) => string | Promise<string>>> = {
	"what is told of a value": (name, value) =>
		JSON.stringify(
			new SafeWriter(knowsNone).json(
				name === "" ? { value, list: [value], [value]: 1 } : { [name]: value, [`${name}s`]: 1 },
			),
		),
	"the diagnostics that are copied": (name, value) =>
		diagnosticsOf(
			{
				place: [],
				settings: [{ name: "mcpHost.models", where: "user", value: { [name === "" ? "value" : name]: value } }],
				servers: [],
				errors: name === "" ? [{ at: 0, level: "error", message: value }] : [],
				home: "",
			},
			knowsNone,
		),
	"the activity, with contents": async (name, value) => {
		await using scene = await JournalScene.begin();
		scene.contents = "full";
		const window = scene.window();
		window.note(
			call("sent", { contents: { [name || "value"]: value }, ...(name === "" && { target: value, reason: value }) }),
		);
		const records = await window.read();
		return scene.bytes + activityLines(records) + activityTable(records);
	},
	"an approval": (name, value) => {
		const args = name === "" ? [value] : [`--${name}`, value];
		return JSON.stringify(approvalOf("hash", stdioConfig({ args, env: { [name || "VALUE"]: value } })));
	},
	"servers for other hosts, a README and a badge": (name, value) => {
		const args = name === "" ? [value] : [`--${name}`, value];
		const { servers } = exported(
			[{ name: "a", entry: { command: "npx", args, env: { [name || "VALUE"]: value } }, inputs: [], isOff: false }],
			knowsNone,
		);
		return exportTargets.map((target) => writeConfiguration(servers, target).text).join("\n");
	},
	"a saved call": (name, value) =>
		withCall("", "one", { server: "s", tool: "t", arguments: { [name || "value"]: value }, expect: {} }).text,
	"the arguments of a permission": (name, value) => preview({ [name || "value"]: value }),
	"a command to copy": (name, value) => copied(name === "" ? [value] : [`--${name}`, value]).join(" "),
};

/** The contexts that recognise secrets in entries only. */
const ofEntries = new Set(["an approval", "servers for other hosts, a README and a badge", "a command to copy"]);

describe.each(Object.entries(passages))("%s", (title, write) => {
	const samples = secretCorpus
		.filter(([, , where]) => where === undefined || ofEntries.has(title))
		.map(([name, sample]) => [name, sample.replace(/[«»]/g, ""), /«([^»]*)»/.exec(sample)?.[1] ?? ""] as const)
		// Shorter ones are part of other words by chance.
		.filter(([, , secret]) => secret.length > 5);

	it.each(samples)("holds no secret of “%s” %s", async (name, value, secret) => {
		expect(await write(name, value)).not.toContain(copyAsJson(secret));
	});

	it("holds text that only looks like one", async () => {
		const text = await write("label", "secretary of /home/me/app, 128 tokens");
		expect(text).toContain("128 tokens");
	});
});
